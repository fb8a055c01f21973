"""A folder with one of each fault that files have in real life, and what is expected of each."""
