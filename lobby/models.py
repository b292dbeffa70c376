"""People, the tables they meet at before a game, and what they say to each other during it."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from games.models import Game
from games.paces import DEFAULT_BOT_SPEED, BotSpeed, Pace
from games.rules import RuleSet
from games.rules.boards import Layout
from lobby.company import VISIBILITIES, Company, Visibility
from lobby.names import LONGEST_NAME

#: Letters and digits that nobody mistakes for one another when a link is read aloud.
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10


class User(AbstractUser):
    """A person. The project has its own model from the start: Django cannot swap it later without pain."""

    name = models.CharField(max_length=LONGEST_NAME, blank=True, help_text="What others call this person.")
    is_guest = models.BooleanField(default=False, help_text="Plays without an account, known by the session alone.")

    @classmethod
    def guest(cls, name: str) -> "User":
        """Somebody without an account, not saved yet: a request that is refused leaves nobody behind."""
        guest = cls(username=f"guest-{secrets.token_hex(12)}", name=name, is_guest=True)
        guest.set_unusable_password()
        return guest

    @property
    def shown_name(self) -> str:
        return self.name or self.username[:LONGEST_NAME]


class Block(models.Model):
    """Somebody does not want to meet somebody: they are never brought together, and do not hear one another."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks")
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocked_by")
    since = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["by", "whom"], name="one_block_a_pair"),
            models.CheckConstraint(condition=~Q(by=models.F("whom")), name="nobody_blocks_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} blocks {self.whom_id}"


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """A game that has not started. Whoever may see it and knows its code may sit down."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hosted_tables")
    rules = models.JSONField()
    layout: "models.CharField[Layout, Layout]" = models.CharField(max_length=20)
    clocks = models.JSONField(null=True, help_text="The pace, see games.paces; empty: nobody is hurried.")
    bot_speed: "models.CharField[BotSpeed, BotSpeed]" = models.CharField(
        max_length=10, default=DEFAULT_BOT_SPEED, help_text="See games.paces."
    )
    visibility: "models.CharField[Visibility, Visibility]" = models.CharField(
        max_length=10,
        choices=[(name, choice.title) for name, choice in VISIBILITIES.items()],
        default="link",
        help_text="See lobby.company.",
    )
    bots_allowed = models.BooleanField(default=True)
    spectators_allowed = models.BooleanField(default=True, help_text="Those without a seat may watch the game.")
    rated = models.BooleanField(default=False, help_text="The result counts for the ratings of those who play.")
    game = models.OneToOneField(Game, models.CASCADE, null=True, related_name="table")
    rematch_of = models.OneToOneField(Game, models.SET_NULL, null=True, related_name="rematch")
    version = models.PositiveIntegerField(default=0, help_text="Grows with every change: an older page is out of date.")
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            # The open tables are few among those whose games are over.
            models.Index(fields=["visibility", "-opened_at"], condition=Q(game__isnull=True), name="open_tables"),
        ]

    def __str__(self) -> str:
        return f"table {self.code}"

    @property
    def is_public(self) -> bool:
        return self.visibility == "public"

    @property
    def company(self) -> Company:
        return Company(self.visibility, self.bots_allowed, self.spectators_allowed)

    @property
    def rule_set(self) -> RuleSet:
        return RuleSet.from_json(self.rules)

    @property
    def pace(self) -> Pace | None:
        return None if self.clocks is None else Pace.from_json(self.clocks)


class Chair(models.Model):
    """A place at a table: free, held by a person or a bot, or kept for a person who has not come yet."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="chairs")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="chairs")
    bot = models.BooleanField(default=False)
    name = models.CharField(max_length=LONGEST_NAME, blank=True, help_text="What its holder is called at this table.")
    kept = models.BooleanField(default=False, help_text="The person is invited and has not sat down yet.")
    ready = models.BooleanField(default=False, help_text="The person wants the game to start as the table is now.")
    seen_at = models.DateTimeField(
        null=True, help_text="When the person last had the page of the open table before them."
    )

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="one_chair_a_number"),
            models.UniqueConstraint(
                fields=["table", "user"], condition=Q(user__isnull=False), name="one_chair_a_person"
            ),
            models.CheckConstraint(condition=Q(bot=False) | Q(user__isnull=True), name="a_bot_is_nobody_else"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["seen_at"], condition=Q(seen_at__isnull=False), name="chairs_of_those_seen"),
        ]

    def __str__(self) -> str:
        return f"chair {self.number} of table {self.table_id}"

    @property
    def is_person(self) -> bool:
        return self.user_id is not None and not self.kept

    @property
    def is_taken(self) -> bool:
        return self.bot or self.is_person

    @property
    def is_free(self) -> bool:
        return not self.bot and self.user_id is None


class MeetingPoint(models.Model):
    """One row, which whoever looks for a game locks: of two at once, the second finds the first one's table."""

    def __str__(self) -> str:
        return "where those meet who look for a game"


class ChatLine(models.Model):
    """What somebody with a seat said in a game. It keeps the name it was said under, whoever leaves."""

    LONGEST_TEXT: ClassVar[int] = 300

    game = models.ForeignKey(Game, models.CASCADE, related_name="chat_lines")
    number = models.PositiveIntegerField(help_text="Counts the lines of one game, from 1.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="chat_lines")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40, help_text="What the seat is called.")
    text = models.CharField(max_length=LONGEST_TEXT)
    said_at = models.DateTimeField()
    hidden = models.BooleanField(default=False, help_text="Removed by a moderator: others no longer see the text.")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="one_chat_line_a_number")]

    def __str__(self) -> str:
        return f"line {self.number} in the chat of game {self.game_id}"
