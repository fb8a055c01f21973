"""What the program keeps on this machine: where it is, how large, clearing all of it, moving it."""
