"""Counting what a client does within a span of time, in the cache's server: one round trip a count."""

from datetime import datetime, timedelta
from functools import cache

import redis
from django.conf import settings


@cache
def _server() -> "redis.Redis":
    return redis.Redis.from_url(settings.CACHES["default"]["LOCATION"])


def count(key: str, seconds: int) -> int:
    """How often `key` was counted, this time included; it is forgotten `seconds` after the last count.

    Raises redis.RedisError when the server cannot be reached.
    """
    with _server().pipeline(transaction=False) as pipe:
        pipe.incr(f"limit:{key}")
        pipe.expire(f"limit:{key}", seconds)
        return int(pipe.execute()[0])


def over(key: str, most: int, seconds: int, now: datetime) -> datetime | None:
    """Count `key` once more; when that is more than `most` in this span of `seconds`, the time the next span begins."""
    span = int(now.timestamp()) // seconds
    if count(f"{key}:{span}", 2 * seconds) <= most:
        return None
    return max(datetime.fromtimestamp((span + 1) * seconds, tz=now.tzinfo), now + timedelta(seconds=1))
