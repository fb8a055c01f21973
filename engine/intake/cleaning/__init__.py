"""Pages to one running text, with the place of every character kept."""
