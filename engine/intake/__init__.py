"""From a folder to pages and chunks: scanning, reading in child processes, cleaning, cutting."""
