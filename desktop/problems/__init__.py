"""What went wrong and what helps: buttons beside messages, the card after a crash, the log."""
