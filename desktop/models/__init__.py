"""The models of this machine: which there are, which fits, which is used, and how they come and go."""
