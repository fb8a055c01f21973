"""The conversations that were kept: found again, opened, renamed, pinned, exported and deleted."""
