"""Model files: the catalogue of what is known, the store of what is here, and how it gets here.

Lowest layer beside ``resources``: it imports nothing of the engine. Only :mod:`models.acquire`, a
process of its own, may use the network.
"""
