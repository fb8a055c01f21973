"""Heavy runs that say how good a part is, each with a command of its own."""
