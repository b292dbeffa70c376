"""The audit log is only added to."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from moderation.append_only import GUARDS


def guard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in GUARDS[editor.connection.vendor][0]:
        editor.execute(statement)


def open_again(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in GUARDS[editor.connection.vendor][1]:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("moderation", "0001_initial")]

    operations = [migrations.RunPython(guard, open_again)]
