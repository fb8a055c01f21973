"""Asking for the password of encrypted files; it is handed to the engine and kept nowhere here."""
