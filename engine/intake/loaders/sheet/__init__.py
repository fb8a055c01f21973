"""Excel workbooks, and rows as pages for everything that has rows."""

from engine.intake.loaders.sheet.workbook import read

__all__ = ["read"]
