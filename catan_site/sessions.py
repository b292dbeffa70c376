"""Sessions in the database, with a copy at hand in the cache, so that an ordinary request asks no query for its own.

Django has such sessions too (`cached_db`). They can bring one back that has just ended: a request reads the row,
another deletes row and copy, and the first then stores its copy. And they fail whenever the cache is away.

Here a change leaves a mark in the copy's place. While it stands, which is longer than any request takes between
reading a row and storing it, the row alone counts, and no copy is made. So a session that is signed out has ended, at
once and in every process.
"""

import re
from contextlib import suppress
from typing import Any, Final

import redis
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as StoredSession
from django.core.cache import cache
from django.utils import timezone

from catan_site import away

CHANGED: Final = "changed"
#: Seconds that the mark stands, and that a copy is kept at most.
MARKED_FOR, KEPT_FOR = 60, 3600


class SessionStore(StoredSession):
    #: Whether nobody else knows of it yet, so that there can be no copy.
    is_new = False

    def load(self) -> dict[str, Any]:
        if not re.fullmatch("[a-z0-9]{32}", self.session_key or ""):
            # Nothing that we have ever given out.
            self._session_key = None
            return {}
        copy = self._copy()
        if isinstance(copy, dict):
            return copy
        row = self._get_session_from_db()  # type: ignore[attr-defined]
        if row is None:
            return {}
        session: dict[str, Any] = self.decode(row.session_data)
        if copy is None:
            seconds = min(KEPT_FOR, (row.expire_date - timezone.now()).total_seconds())
            with suppress(redis.RedisError):
                # Only where there is nothing yet: a mark that was set meanwhile stands.
                cache.add(_place(row.session_key), session, seconds)
        return session

    def _copy(self) -> Any:
        try:
            return cache.get(_place(self.session_key))
        except redis.RedisError:
            return CHANGED

    def save(self, must_create: bool = False) -> None:
        try:
            super().save(must_create)
        except UpdateError as error:
            # Django takes every failure for a session that has ended meanwhile.
            if away.part(error) and error.__context__:
                raise error.__context__ from None
            raise
        self.is_new = self.is_new or must_create
        if not self.is_new:
            self._mark(self.session_key)

    def delete(self, session_key: str | None = None) -> None:
        super().delete(session_key)
        self._mark(session_key or self.session_key)

    def _mark(self, session_key: str | None) -> None:
        """Unless there is a mark, an old copy may count. So when the cache is away, this fails: try again later."""
        if session_key is not None:
            cache.set(_place(session_key), CHANGED, MARKED_FOR)

    # Django has all of it a second time for coroutines, around the methods above.

    async def aload(self) -> dict[str, Any]:
        return await sync_to_async(self.load)()

    async def asave(self, must_create: bool = False) -> None:
        await sync_to_async(self.save)(must_create)

    async def adelete(self, session_key: str | None = None) -> None:
        await sync_to_async(self.delete)(session_key)


def _place(session_key: str | None) -> str:
    return f"session.{session_key}"
