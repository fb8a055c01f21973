"""What a reader shows of a document: its text, the place of a passage, words in it."""
