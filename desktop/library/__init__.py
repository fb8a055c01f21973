"""Left of the window: knowledge bases, their folders and files, progress of indexing."""
