"""The room's SQL: one function a file."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
