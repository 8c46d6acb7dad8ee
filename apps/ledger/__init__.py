"""Receipts and the chain they form. `format/` is pure and is what a stranger checks with."""
