"""The window for 核对文稿: somebody's own text, each sentence with its verdict and its source."""
