from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_bot_accounts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["-started_at", "-id"], name="games_by_their_start"),
        ),
    ]
