"""What each way of retrieval is worth, measured on the question sets."""
