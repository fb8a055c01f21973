"""From files that were found to an index: reading, moves, vectors, OCR afterwards."""
