"""People, the tables they meet at before a game, and what they say to each other during it."""

import secrets
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import Game
from games.paces import DEFAULT_BOT_SPEED, BotSpeed, Pace
from games.rules import RuleSet
from games.rules.boards import Layout
from lobby import names
from lobby.names import LONGEST_NAME

#: Letters and digits that nobody mistakes for one another when a link is read aloud.
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10
#: Some letters are written out as many when names are compared.
LONGEST_KEY: Final = 400


class User(AbstractUser):
    """A person. The project has its own model from the start: Django cannot swap it later without pain."""

    name = models.CharField(max_length=LONGEST_NAME, blank=True, help_text="What others call this person.")
    is_guest = models.BooleanField(default=False, help_text="Plays without an account, known by the session alone.")
    # What no two accounts have in common, see names.keys. Guests have neither: several may be called Bob. Nor has
    # somebody who shows no name of their own: the one that they sign in with is compared with nothing.
    name_folded = models.CharField(max_length=LONGEST_KEY, null=True, unique=True, editable=False)  # noqa: DJ001
    name_shape = models.CharField(max_length=LONGEST_KEY, null=True, unique=True, editable=False)  # noqa: DJ001
    last_visit = models.DateField(default=timezone.localdate, help_text="Noted for guests, see lobby.visits.")

    class Meta(AbstractUser.Meta):
        indexes: ClassVar = [
            models.Index(fields=["last_visit"], condition=Q(is_guest=True), name="guests_by_their_last_visit")
        ]

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        has_name = self.name and not self.is_guest
        self.name_folded, self.name_shape = names.keys(self.name) if has_name else (None, None)
        if update_fields is not None and {"name", "is_guest"}.intersection(update_fields):
            update_fields = {*update_fields, "name_folded", "name_shape"}
        super().save(*args, update_fields=update_fields, **kwargs)

    def clean(self) -> None:
        """For forms of the admin."""
        super().clean()
        folded, shape = names.keys(self.name)
        alike = User.objects.filter(Q(name_folded=folded) | Q(name_shape=shape)).exclude(pk=self.pk)
        if self.name and not self.is_guest and alike.exists():
            raise ValidationError({"name": names.TAKEN})

    @classmethod
    def guest(cls, name: str) -> "User":
        """Somebody without an account, not saved yet: a request that is refused leaves nobody behind."""
        guest = cls(username=f"guest-{secrets.token_hex(12)}", name=name, is_guest=True)
        guest.set_unusable_password()
        return guest

    @property
    def shown_name(self) -> str:
        return self.name or self.username[:LONGEST_NAME]


class RecoveryLink(models.Model):
    """By which a guest is the same guest on another device. What opens it is in the link alone: this is its hash."""

    guest = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recovery_link")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"link of guest {self.guest_id}"


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
    """A game that has not started. Whoever knows its code may sit down."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hosted_tables")
    rules = models.JSONField()
    layout: "models.CharField[Layout, Layout]" = models.CharField(max_length=20)
    clocks = models.JSONField(null=True, help_text="The pace, see games.paces; empty: nobody is hurried.")
    bot_speed: "models.CharField[BotSpeed, BotSpeed]" = models.CharField(
        max_length=10, default=DEFAULT_BOT_SPEED, help_text="See games.paces."
    )
    rated = models.BooleanField(default=False, help_text="The result counts for the ratings of those who play.")
    game = models.OneToOneField(Game, models.CASCADE, null=True, related_name="table")
    rematch_of = models.OneToOneField(Game, models.SET_NULL, null=True, related_name="rematch")
    version = models.PositiveIntegerField(default=0, help_text="Grows with every change: an older page is out of date.")
    opened_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"table {self.code}"

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

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="one_chair_a_number"),
            models.UniqueConstraint(
                fields=["table", "user"], condition=Q(user__isnull=False), name="one_chair_a_person"
            ),
            models.CheckConstraint(condition=Q(bot=False) | Q(user__isnull=True), name="a_bot_is_nobody_else"),
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
