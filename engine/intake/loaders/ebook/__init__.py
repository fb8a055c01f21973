"""EPUB books."""

from engine.intake.loaders.ebook.book import read

__all__ = ["read"]
