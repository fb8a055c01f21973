"""PDF files."""

from engine.intake.loaders.pdf.document import read

__all__ = ["read"]
