"""Answers as documents that other people can read and check: Markdown and Word, with footnotes."""

from typing import Literal

ExportFormat = Literal["md", "docx"]
