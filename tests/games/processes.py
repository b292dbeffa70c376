"""Other processes that work on the database of the tests."""

from __future__ import annotations

import os
from urllib.parse import quote

from django.db import connection


def environment() -> dict[str, str]:
    """Leads a process to the database that this test uses."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        who = f"{database['USER']}:{quote(database['PASSWORD'])}"
        url = f"postgresql://{who}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    return {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "catan_site.settings"}
