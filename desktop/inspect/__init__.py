"""One document as it is stored: its pages, its chunks, and what was left out of them."""
