"""Running text to chunks that the embedder can read whole."""
