"""The settings window: what a person may change, in plain words."""
