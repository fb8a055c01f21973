"""Conversations: threads of runs, what is searched in them, and answers brought back from their traces."""
