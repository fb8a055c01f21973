"""The health window: how the knowledge bases stand, what is wrong, and putting it right."""
