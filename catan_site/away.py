"""Whether something failed because a part that the site needs is away for a moment: restarting, full, out of reach.

That is an ordinary event. Whoever asked is told to come back, and nobody has a mistake to look for.
"""

import sqlite3
from typing import Final

import redis
from django.db import InterfaceError, OperationalError

#: Classes of PostgreSQL's error codes: lost connections, too few resources (too many clients among them), and an
#: operator's doing, such as a restart.
PASSING_CLASSES: Final = {"08", "53", "57"}

PASSING_SQLITE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
}


def part(error: BaseException | None) -> str | None:
    """The name of the part that is away, if that is what is behind an error."""
    while error is not None:
        if isinstance(error, OperationalError | InterfaceError) and _is_passing(error.__cause__):
            return "database"
        if isinstance(error, redis.ConnectionError | redis.TimeoutError):
            return "redis"
        error = error.__cause__ or error.__context__
    return None


def _is_passing(cause: BaseException | None) -> bool:
    """What the database's own library says. A query that is wrong, or a table that is missing, is our mistake."""
    if isinstance(cause, sqlite3.Error):
        # The lowest byte is the kind, the others say more of it.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in PASSING_SQLITE
    # What never got as far as the server, and what the pool could not give, has no code.
    code: str | None = getattr(cause, "sqlstate", None)
    return code is None or code[:2] in PASSING_CLASSES
