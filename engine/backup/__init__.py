"""Everything in one folder, and back: libraries and runs, copied and checked as whole databases."""
