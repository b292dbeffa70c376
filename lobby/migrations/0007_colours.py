from typing import Any

from django.db import migrations, models
from django.db.models import F


def give_colours(apps: Any, schema_editor: Any) -> None:
    """So far, the first chair was red, the second blue, and so on."""
    apps.get_model("lobby", "Chair").objects.update(colour=F("number"))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_colours"),
        ("lobby", "0006_company_and_meeting"),
    ]

    operations = [
        migrations.AddField(
            model_name="chair",
            name="colour",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="What whoever sits here plays, see games.page.COLOURS."
            ),
            preserve_default=False,
        ),
        migrations.RunPython(give_colours, migrations.RunPython.noop),
    ]
