"""The first minutes: a folder, a model, a question. Every step can be skipped and taken up again."""
