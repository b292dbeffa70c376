"""Who may what: moderators keep the place fair, administrators look after the moderators too."""

from typing import Any

from django.db import migrations

#: By the model that each hangs on.
MODERATOR = {
    ("games", "game"): {"view_game": "Can view game"},
    ("lobby", "user"): {"view_user": "Can view user"},
    ("lobby", "table"): {"view_table": "Can view table"},
    ("lobby", "chatline"): {"view_chatline": "Can view chat line"},
    ("moderation", "case"): {
        "view_case": "Can view case",
        "work_cases": "Can take reports on, decide them, and answer appeals",
        "see_hidden": "Can see everything of a game that is being played",
        "act_on_games": "Can pause, resume, extend, abort and hand over games",
        "hide_lines": "Can hide what was said",
        "see_dashboard": "Can see how the site is doing",
    },
    ("moderation", "decision"): {"view_decision": "Can view decision"},
    ("moderation", "appeal"): {"view_appeal": "Can view appeal"},
    ("moderation", "pair"): {"view_pair": "Can view pair"},
}
ADMINISTRATOR = {
    ("lobby", "user"): {"change_user": "Can change user"},
    ("auth", "group"): {"view_group": "Can view group"},
    ("moderation", "auditline"): {"view_auditline": "Can view audit line"},
    ("moderation", "case"): {"export_audit": "Can take a copy of the audit log"},
}


def make_groups(apps: Any, editor: Any) -> None:
    """Django makes permissions once all migrations have run, and leaves those alone that are there."""
    administrator = _group(apps, "administrator")
    for group, codes in (
        (_group(apps, "moderator"), MODERATOR),
        (administrator, MODERATOR),
        (administrator, ADMINISTRATOR),
    ):
        group.permissions.add(*_permissions(apps, codes))


def _group(apps: Any, name: str) -> Any:
    return apps.get_model("auth", "Group").objects.get_or_create(name=name)[0]


def _permissions(apps: Any, codes: dict[tuple[str, str], dict[str, str]]) -> list[Any]:
    found = []
    for (app, model), names in codes.items():
        kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label=app, model=model)
        permissions = apps.get_model("auth", "Permission").objects
        found += [
            permissions.get_or_create(content_type=kind, codename=code, defaults={"name": name})[0]
            for code, name in names.items()
        ]
    return found


def remove_groups(apps: Any, editor: Any) -> None:
    apps.get_model("auth", "Group").objects.filter(name__in=("moderator", "administrator")).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0002_append_only"),
        ("lobby", "0014_restrictions"),
        ("games", "0011_objections"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_groups, remove_groups)]
