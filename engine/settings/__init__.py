"""The settings that stay: their file, and the messages about them."""
