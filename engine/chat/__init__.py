"""The chat model: which one, how long its context, how fast it is here."""
