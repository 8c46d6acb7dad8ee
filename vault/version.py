"""Which Muniment this is: the same number as in pyproject.toml and in the client's package."""

VERSION = "0.1.0"
