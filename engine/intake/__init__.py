"""From a folder to pages and chunks: scanning, reading in a child process, cleaning, cutting."""
