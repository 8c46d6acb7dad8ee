"""Muniment for whoever is outside: it checks receipts, bundles and conversations, with no network and no account."""

__version__ = "0.1.0"
