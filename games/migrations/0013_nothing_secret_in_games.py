"""Apart from the migration before it: PostgreSQL does not alter a table whose rows were changed just now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_secrets"),
    ]

    operations = [
        # Defaults, so that there is something in the columns on the way back.
        migrations.AlterField(
            model_name="game",
            name="seed",
            field=models.BinaryField(default=b"", max_length=32),
        ),
        migrations.AlterField(
            model_name="seat",
            name="nonce",
            field=models.CharField(default="", help_text="What the seat mixed into the chance.", max_length=64),
        ),
        migrations.RemoveField(model_name="game", name="seed"),
        migrations.RemoveField(model_name="seat", name="nonce"),
    ]
