"""Which embedder is loaded, and those that earlier vectors were made with."""
