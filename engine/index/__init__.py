"""The searchable form of a library: SQLite is the truth, FAISS a cache that can be rebuilt from it."""
