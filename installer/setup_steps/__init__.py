"""The steps from a fresh clone to a running program; standard library only."""
