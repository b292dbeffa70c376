"""Each of pytest's processes has a Redis database of its own, as it has one of PostgreSQL.

In a shared one, the sweep of one process would keep the other's from sweeping, and games of the same
number would hear of each other. A plugin (see pyproject.toml), because settings are read before any conftest.
"""

import os

_process = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")

if _process and os.environ.get("REDIS_URL"):
    server = os.environ["REDIS_URL"].rpartition("/")[0]
    os.environ["REDIS_URL"] = f"{server}/{int(_process) + 1}"

# All tests come from one address, and so do the browsers of the sites that they start.
for limit in ("GUESTS_AN_HOUR", "MOST_GUESSES"):
    os.environ.setdefault(limit, "1000000")

# Bots that need no time to think do it at once. A test of thinkers says how many it wants.
os.environ.setdefault("THINKERS", "0")
