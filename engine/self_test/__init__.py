"""Self-test questions: a person's own evaluation set of a knowledge base, kept and run on this machine."""
