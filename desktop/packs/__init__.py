"""Taking knowledge bases elsewhere: packs, and backups of everything."""
