"""Messages about model files: what is there, what arrives, what is removed."""
