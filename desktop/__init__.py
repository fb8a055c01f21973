"""The window of 知页: views lay out, controllers decide, one bridge speaks to the engine."""
