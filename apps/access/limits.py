"""Counting what a client does within a span of time, in the cache's server: one round trip a count."""

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
