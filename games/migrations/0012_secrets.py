"""Seeds and nonces get a table of their own, which nothing leads to that lists are made of."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AT_A_TIME = 500


def carry_over(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    game, seat, game_secret = (apps.get_model("games", name) for name in ("Game", "Seat", "GameSecret"))
    for some in _groups(game.objects.order_by("pk").values_list("pk", "seed").iterator()):
        nonces: dict[int, list[str]] = {pk: [] for pk, _ in some}
        for pk, nonce in seat.objects.filter(game__in=nonces).order_by("number").values_list("game", "nonce"):
            nonces[pk].append(nonce)
        game_secret.objects.bulk_create(game_secret(game_id=pk, seed=seed, nonces=nonces[pk]) for pk, seed in some)


def carry_back(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    game, seat, game_secret = (apps.get_model("games", name) for name in ("Game", "Seat", "GameSecret"))
    for some in _groups(game_secret.objects.order_by("pk").iterator()):
        game.objects.bulk_update([game(pk=secret.pk, seed=secret.seed) for secret in some], ["seed"])
        nonces = {secret.pk: secret.nonces for secret in some}
        seats = list(seat.objects.filter(game__in=nonces))
        for each in seats:
            each.nonce = nonces[each.game_id][each.number]
        seat.objects.bulk_update(seats, ["nonce"])


def _groups(rows: Iterable[Any]) -> Iterator[list[Any]]:
    left = iter(rows)
    while some := list(islice(left, AT_A_TIME)):
        yield some


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_objections"),
    ]

    operations = [
        migrations.CreateModel(
            name="GameSecret",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
                (
                    "nonces",
                    models.JSONField(help_text="What each seat mixed into the chance, in the order of their numbers."),
                ),
            ],
        ),
        migrations.RunPython(carry_over, carry_back),
    ]
