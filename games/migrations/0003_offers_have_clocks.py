"""The clock of an answer moves to its offer, bots get a speed, and running games keep the rules they began with."""

from datetime import datetime
from typing import Any

import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

#: What was played before these options could be chosen.
PLAYED_BEFORE = {"counter_offers": True, "player_trades": "fair"}
OFFERS_A_GAME = 2**20


def keep_rules_and_clocks(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    trade_offer = apps.get_model("games", "TradeOffer")
    # As it was then, with columns that today's model does not have.
    games: Any = apps.get_model("games", "Game")
    for game in games.objects.only("pk", "rules", "answer_clocks"):
        game.rules = PLAYED_BEFORE | game.rules
        game.save(update_fields=["rules"])
        for number, due in game.answer_clocks.items():
            offer = trade_offer.objects.filter(pk=game.pk * OFFERS_A_GAME + int(number))
            offer.update(answers_due=datetime.fromisoformat(due))


class Migration(migrations.Migration):
    dependencies = [("games", "0002_initial")]

    operations = [
        migrations.AddField(
            model_name="tradeoffer",
            name="made_at",
            field=models.DateTimeField(default=django.utils.timezone.now, help_text="Since when it can be answered."),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="tradeoffer",
            name="answers_due",
            field=models.DateTimeField(null=True, help_text="When the time to answer it is over, if there is a clock."),
        ),
        migrations.RunPython(keep_rules_and_clocks, migrations.RunPython.noop),
        migrations.RemoveField(model_name="game", name="answer_clocks"),
        migrations.AlterField(
            model_name="game",
            name="answers_due",
            field=models.DateTimeField(
                db_index=True, help_text="When the time to answer the first of the open offers is over.", null=True
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="bot_speed",
            field=models.CharField(
                choices=[("calm", "calm"), ("brisk", "brisk"), ("at once", "at once")], default="brisk", max_length=10
            ),
        ),
    ]
