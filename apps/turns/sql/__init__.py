"""The conversation's SQL, one thing a file."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
