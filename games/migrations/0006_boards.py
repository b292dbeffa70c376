from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_colours"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="board_seed",
            field=models.BinaryField(
                help_text="Of a board that was seen before the game; no secret.",
                max_length=32,
                null=True,
            ),
        ),
    ]
