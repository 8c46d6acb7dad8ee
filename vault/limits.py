"""Counting what a client does within a span of time, in the cache's server: one round trip a count."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any

import redis
from django.conf import settings


@cache
def _server() -> "redis.Redis":
    told: dict[str, Any] = settings.CACHES["default"]
    return redis.Redis.from_url(told["LOCATION"], **told["OPTIONS"])


def count(key: str, seconds: int) -> int:
    """How often `key` was counted, this time included; it is forgotten `seconds` after the last count.

    Raises redis.RedisError when the server cannot be reached, or says nothing for two seconds.
    """
    with _server().pipeline(transaction=False) as pipe:
        pipe.incr(f"limit:{key}")
        pipe.expire(f"limit:{key}", seconds)
        return int(pipe.execute()[0])


def full(key: str, most: int, seconds: int, now: datetime) -> datetime | None:
    """Was `key` counted `most` times in this span already? Then the time the next one begins. Nothing is counted."""
    counted = _server().get(f"limit:{_spanned(key, seconds, now)}")
    return _next(seconds, now) if int(counted or 0) >= most else None


def over(key: str, most: int, seconds: int, now: datetime) -> datetime | None:
    """Count `key` once more; when that is more than `most` in this span of `seconds`, the time the next span begins."""
    return None if count(_spanned(key, seconds, now), 2 * seconds) <= most else _next(seconds, now)


def back(key: str, seconds: int, now: datetime) -> None:
    """Take back that `key` was counted in this span by `over`: nothing came of it."""
    _server().decr(f"limit:{_spanned(key, seconds, now)}")


def _spanned(key: str, seconds: int, now: datetime) -> str:
    return f"{key}:{int(now.timestamp()) // seconds}"


def _next(seconds: int, now: datetime) -> datetime:
    span = int(now.timestamp()) // seconds
    return max(datetime.fromtimestamp((span + 1) * seconds, tz=now.tzinfo), now + timedelta(seconds=1))
