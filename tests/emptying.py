"""How the tables are emptied after a test that commits.

What the migrations wrote for every site stays: content types, permissions, groups. Django would write them anew after
each such test, which takes longer than most of the tests.
"""

from typing import Any

import pytest
from django.core.management.commands import flush

from moderation.append_only import GUARDS

KEPT = {"auth_group", "auth_group_permissions", "auth_permission", "django_content_type", "django_migrations"}


def empty_quickly(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(flush, "sql_flush", _statements)
    patch.setattr(flush, "emit_post_migrate_signal", lambda *_: None)


def _statements(style: Any, connection: Any, **how: Any) -> list[str]:
    """Those that Django takes, for all other tables; the audit log refuses to be emptied otherwise."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    emptied: list[str] = connection.ops.sql_flush(style, [table for table in tables if table not in KEPT], **how)
    guard, open_again = GUARDS[connection.vendor]
    return [*open_again, *emptied, *guard]
