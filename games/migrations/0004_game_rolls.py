"""Who rolled what for the first turn: of games that are there already, by dealing them again."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.rules import RuleSet, SeededChance, deal
from games.rules.chance import stream_key
from games.rules.ruleset import RuleSetError


def deal_again(apps: Any, _editor: BaseDatabaseSchemaEditor | None) -> None:
    for game in apps.get_model("games", "Game").objects.only("rules", "layout", "seed").iterator():
        try:
            rules = RuleSet.from_json(game.rules)
        except RuleSetError:
            # Somebody changed it by hand, and it waits for a look.
            continue
        seats = list(game.seat_set.order_by("number"))
        chance = SeededChance(stream_key(bytes(game.seed), [seat.nonce for seat in seats]), 0)
        dealt = deal(rules, len(seats), game.layout, chance)
        # A game that was dealt otherwise, by rules of another time, keeps no rolls rather than false ones.
        if dealt.order == tuple(seat.number for seat in sorted(seats, key=lambda seat: seat.place)):
            game.rolls = dealt.to_json()["rolls"]
            game.save(update_fields=["rolls"])


class Migration(migrations.Migration):
    dependencies = [("games", "0003_offers_have_clocks")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="rolls",
            field=models.JSONField(
                default=list,
                help_text="Who rolled what for the first turn: everybody, then those who tied for the highest.",
            ),
        ),
        migrations.RunPython(deal_again, migrations.RunPython.noop),
    ]
