"""The reviewers' desk in SQL: what of a vault may be seen from outside it, column by column."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
