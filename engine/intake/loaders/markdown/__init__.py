"""Markdown and MDX."""

from engine.intake.loaders.markdown.document import read

__all__ = ["read"]
