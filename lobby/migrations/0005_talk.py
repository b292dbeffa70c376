from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def give_lines_a_conversation(apps: Any, schema_editor: Any) -> None:
    """A game that was started from a table goes on with the table's."""
    Conversation = apps.get_model("lobby", "Conversation")
    ChatLine = apps.get_model("lobby", "ChatLine")
    Table = apps.get_model("lobby", "Table")
    for game_id in ChatLine.objects.order_by().values_list("game_id", flat=True).distinct():
        table = Table.objects.filter(game=game_id).first()
        place = {"game_id": game_id} if table is None else {"table": table}
        ChatLine.objects.filter(game=game_id).update(conversation=Conversation.objects.create(**place))
    if schema_editor.connection.vendor == "postgresql":
        # It alters no table on which checks of this transaction are still open.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_initial"),
        ("lobby", "0004_ratings"),
    ]

    operations = [
        migrations.CreateModel(
            name="Conversation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "audience",
                    models.CharField(
                        choices=[("players", "the players"), ("watchers", "those who watch")],
                        default="players",
                        max_length=10,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="games.game",
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversation",
                        to="lobby.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "audience"), name="one_conversation_an_audience"),
                    models.CheckConstraint(
                        condition=models.Q(("table", None), ("game", None), _connector="XOR"),
                        name="a_conversation_has_one_place",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("table", None), ("audience", "players"), _connector="OR"),
                        name="nobody_watches_a_table",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="chatline",
            name="conversation",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="lines",
                to="lobby.conversation",
            ),
        ),
        migrations.RunPython(give_lines_a_conversation),
        migrations.RemoveConstraint(model_name="chatline", name="one_chat_line_a_number"),
        migrations.RemoveField(model_name="chatline", name="game"),
        migrations.AlterField(
            model_name="chatline",
            name="conversation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="lobby.conversation"
            ),
        ),
        migrations.AlterField(
            model_name="chatline",
            name="number",
            field=models.PositiveIntegerField(help_text="Counts the lines of one conversation, from 1."),
        ),
        migrations.AlterField(
            model_name="chatline",
            name="seat",
            field=models.PositiveSmallIntegerField(
                help_text="Empty for what was said at a table or by a watcher.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="chatline",
            name="name",
            field=models.CharField(help_text="What the speaker was called.", max_length=40),
        ),
        migrations.AddConstraint(
            model_name="chatline",
            constraint=models.UniqueConstraint(fields=("conversation", "number"), name="one_chat_line_a_number"),
        ),
        migrations.AddIndex(
            model_name="chatline",
            index=models.Index(fields=["user", "-said_at"], name="latest_lines_of_a_person"),
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "whom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("by", "whom"), name="one_mute_a_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("whom")), _negated=True), name="nobody_mutes_themselves"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Watcher",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel", models.CharField(max_length=200, unique=True)),
                (
                    "process",
                    models.CharField(db_index=True, help_text="The web process that holds its socket.", max_length=40),
                ),
                (
                    "seen_at",
                    models.DateTimeField(db_index=True, help_text="When that process was last alive."),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="watchers", to="games.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
