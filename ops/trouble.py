"""The one way this package says no."""

from __future__ import annotations

import errno


class Trouble(Exception):
    """Something the operator has to change. The message is one clear sentence saying what to do."""


def explain(error: OSError) -> str:
    """The sentence for an operating-system error that stops a start."""
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full{where}: free some space and start again."
    if error.errno == errno.EROFS:
        return f"The file system is read-only{where}: use a checkout that can be written to."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Permission denied{where}: give this account the right to write there, or use another checkout."
    return f"{error.strerror or error}{where}."
