from typing import Any

from django.db import migrations, models
from django.db.models import F


def give_colours(apps: Any, schema_editor: Any) -> None:
    """So far, the first seat was red, the second blue, and so on."""
    apps.get_model("games", "Seat").objects.update(colour=F("number"))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_spectators"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="colour",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="The colour of its pieces, see games.page.COLOURS."
            ),
            preserve_default=False,
        ),
        migrations.RunPython(give_colours, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(condition=models.Q(("colour__lt", 4)), name="four_colours"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "colour"), name="one_seat_a_colour"),
        ),
    ]
