"""Failures at a surface: what counts as the database's, and how any is logged without its words."""

import logging
import traceback

import psycopg
import redis
from django.db import Error  # noqa: TID251  (a receipt that cannot be written is told apart by it)

DATABASE_FAILED: tuple[type[Exception], ...] = (Error, psycopg.Error)


_LOCKED = "55P03"  # lock_not_available


def busy(error: BaseException | None) -> bool:
    """Did it wait in vain for a vault that somebody else holds, as during a long erasure or a change of keys, or for
    the server that counts? Nothing was done then, for nothing is done uncounted, and trying again helps.
    """
    while error is not None:
        if getattr(error, "sqlstate", None) == _LOCKED or isinstance(error, redis.RedisError):
            return True
        error = error.__cause__
    return False


def note(log: logging.Logger, error: BaseException) -> None:
    """Log where it failed and as what, but not the message: a database's may quote a value."""
    frames = "".join(traceback.format_tb(error.__traceback__)[-6:])
    log.error("%s\n%s", type(error).__name__, frames)
