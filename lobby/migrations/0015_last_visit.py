from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [("lobby", "0014_restrictions")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="last_visit",
            field=models.DateField(default=timezone.localdate, help_text="Noted once a day, see lobby.visits."),
        ),
    ]
