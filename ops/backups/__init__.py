"""Backups: two encrypted files, what is in the database and, apart from it, what opens it; and the way back."""
