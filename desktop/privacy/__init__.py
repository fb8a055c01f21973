"""The privacy page: what is stored where, the proof that nothing leaves, clearing, moving."""
