import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0008_ways_of_telling"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="board_seed",
            field=models.BinaryField(
                help_text="Of a board that everybody sees; empty: it is a surprise.", max_length=32, null=True
            ),
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="What they were called at this table.", max_length=20)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="removals", to="lobby.table"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="removal",
            constraint=models.UniqueConstraint(fields=("table", "user"), name="removed_once_from_a_table"),
        ),
    ]
