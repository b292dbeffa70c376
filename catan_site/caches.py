"""The cache in Redis, with connections that belong to the process.

Django makes a cache for every context, which is every request here, and each would open a connection of its own.
"""

from functools import cache, cached_property
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.retry import Retry


class Client(RedisCacheClient):
    """One for all threads; Django's makes one for every command, which takes longer than the command."""

    @cached_property
    def shared(self) -> redis.Redis:
        return redis.Redis(connection_pool=self._get_connection_pool(write=True))  # type: ignore[attr-defined]

    def get_client(self, key: Any = None, *, write: bool = False) -> redis.Redis:
        return self.shared


@cache
def client(server: str) -> Client:
    # A cache that hangs is as good as away: what is kept there is also in the database. One more try finds out that a
    # connection has been left over from before Redis was restarted.
    return Client([server], socket_connect_timeout=1, socket_timeout=1, retry=Retry(NoBackoff(), 1))


class Redis(RedisCache):
    @property
    def _cache(self) -> Client:
        return client(self._servers[0])  # type: ignore[attr-defined]
