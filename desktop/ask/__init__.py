"""Middle of the window: the question, its evidence and the checked answer."""
