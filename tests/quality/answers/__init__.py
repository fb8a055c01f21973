"""How well answers are checked."""
