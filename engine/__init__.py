"""Everything of 知页 that is not a window: reading, indexing, searching, answering.

Importing the package loads no heavy library; each is loaded late, by the module that owns it.
"""
