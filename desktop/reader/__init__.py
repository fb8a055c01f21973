"""Right of the window: the original document with the passage marked."""
