"""Word documents."""

from engine.intake.loaders.word.document import read

__all__ = ["read"]
