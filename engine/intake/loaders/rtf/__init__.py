"""Rich Text Format."""

from engine.intake.loaders.rtf.document import read

__all__ = ["read"]
