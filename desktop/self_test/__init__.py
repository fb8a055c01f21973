"""Self-test questions: collected, marked and run, to see how well a knowledge base answers."""
