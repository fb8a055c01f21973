"""OpenDocument texts, presentations and spreadsheets."""

from engine.intake.loaders.opendocument.document import read

__all__ = ["read"]
