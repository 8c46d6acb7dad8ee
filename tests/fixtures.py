"""Fixtures of the surfaces."""
