"""Who rolled what for the first turn: of games that are there already, by dealing them again."""

from typing import Any

from django.db import migrations, models

from games.rules import RULES_VERSION, RuleSet, SeededChance, deal
from games.rules.chance import stream_key
from games.rules.ruleset import RuleSetError


def deal_again(apps: Any, schema_editor: Any) -> None:
    games = apps.get_model("games", "Game").objects.filter(rules_version=RULES_VERSION)
    for game in games.only("rules", "layout", "seed").iterator():
        try:
            rules = RuleSet.from_json(game.rules)
        except RuleSetError:
            # Somebody changed it by hand, and it waits for a look.
            continue
        nonces = list(game.seat_set.order_by("number").values_list("nonce", flat=True))
        chance = SeededChance(stream_key(bytes(game.seed), nonces), 0)
        game.rolls = deal(rules, len(nonces), game.layout, chance).to_json()["rolls"]
        game.save(update_fields=["rolls"])


class Migration(migrations.Migration):
    dependencies = [("games", "0002_initial")]

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
