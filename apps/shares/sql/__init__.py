"""What of a share another database role does: who may look at which column is said beside it."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
