"""The gate's SQL: one function a file. This is the only door a value leaves by."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
