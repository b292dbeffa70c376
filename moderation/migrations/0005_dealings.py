import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0004_undone_by"),
        ("games", "0011_objections"),
    ]

    operations = [
        migrations.CreateModel(
            name="GameDealings",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="dealings",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("told", models.JSONField(help_text="By seats, see moderation.dealings.")),
            ],
            options={"default_permissions": ()},
        ),
        migrations.AlterField(
            model_name="pair",
            name="balance",
            field=models.FloatField(help_text="What the first gave the second more than they got, in cards a game."),
        ),
    ]
