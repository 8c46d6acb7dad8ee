"""The specification. Read README.md here first."""
