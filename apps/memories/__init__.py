"""Memories: labels in sight, values sealed. `gate.py` is the only door a value leaves by."""
