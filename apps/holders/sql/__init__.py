"""What the gate asks of people: one function a file."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
