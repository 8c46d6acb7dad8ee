"""Asking and giving: clients and their keys, requests, decisions, grants, and the read itself."""
