"""The settings of a knowledge base: what it is called, its folders, which of their files are read."""
