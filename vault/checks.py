"""Numbered system checks."""
