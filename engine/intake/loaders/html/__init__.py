"""Saved web pages, and HTML as text for everything that holds some."""

from engine.intake.loaders.html.page import read

__all__ = ["read"]
