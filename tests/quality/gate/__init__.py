"""The gate's shipped background, the fit of its weights and the leave-one-set-out table."""
