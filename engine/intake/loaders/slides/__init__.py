"""PowerPoint decks."""

from engine.intake.loaders.slides.deck import read

__all__ = ["read"]
