"""The resources, one module a subject."""
