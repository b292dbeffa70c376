"""People, the tables they meet at before a game, and what they say to each other there and during it."""

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from games import bots
from games.models import Game, StrengthOfBot
from games.paces import DEFAULT_BOT_SPEED, BotSpeed, Pace
from games.rules import RuleSet
from games.rules.boards import Layout
from lobby import names
from lobby.company import VISIBILITIES, Company, Visibility

# Django looks for models here.
from lobby.holiday_models import Holiday
from lobby.names import LONGEST_NAME
from lobby.notice_models import Delivery, Notice, NoticeWishes, PushSubscription, RestingLane, Webhook
from lobby.rating_models import Ladder, RatedGame, RatedResult, Rating

__all__ = [
    "Block",
    "Chair",
    "ChatLine",
    "Conversation",
    "Delivery",
    "Holiday",
    "Ladder",
    "Mute",
    "Notice",
    "NoticeWishes",
    "PushSubscription",
    "RatedGame",
    "RatedResult",
    "Rating",
    "RecoveryLink",
    "Removal",
    "RestingLane",
    "Table",
    "User",
    "Watcher",
    "Webhook",
]

#: Letters and digits that nobody mistakes for one another when a link is read aloud.
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10
#: Some letters are written out as many when names are compared.
LONGEST_KEY: Final = 400
BOT_STRENGTHS: Final = [(strength, strength) for strength in bots.STRENGTHS]


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class User(AbstractUser):
    """A person. The project has its own model from the start: Django cannot swap it later without pain."""

    name = models.CharField(max_length=LONGEST_NAME, blank=True, help_text="What others call this person.")
    is_bot = models.BooleanField(
        default=False, help_text="A program plays this account: said once and for good, see lobby.bot_accounts."
    )
    is_guest = models.BooleanField(default=False, help_text="Plays without an account, known by the session alone.")
    code = models.CharField(
        max_length=CODE_LENGTH, unique=True, default=new_code, help_text="The address of this person’s page."
    )
    # What no two accounts have in common, see names.keys. Guests have neither: several may be called Bob. Nor has
    # somebody who shows no name of their own: the one that they sign in with is compared with nothing.
    name_folded = models.CharField(max_length=LONGEST_KEY, null=True, unique=True, editable=False)  # noqa: DJ001
    name_shape = models.CharField(max_length=LONGEST_KEY, null=True, unique=True, editable=False)  # noqa: DJ001
    last_visit = models.DateField(default=timezone.localdate, help_text="Noted once a day, see lobby.visits.")
    # On the row that every request reads anyway: whoever is neither muted nor banned pays nothing for it.
    muted_until = models.DateTimeField(null=True, help_text="Until then they say nothing in any chat.")
    banned_until = models.DateTimeField(null=True, help_text="Until then the site is closed to them.")
    bot_strength: "models.CharField[bots.Strength, bots.Strength]" = models.CharField(
        max_length=10,
        choices=BOT_STRENGTHS,
        default=bots.DEFAULT,
        help_text="Of the bots that this person chose last, which they are offered first.",
    )
    has_moderators_news = models.BooleanField(
        default=False, help_text="The moderators have told them something that they have not read yet."
    )

    #: What others say of somebody, who may just be signing up. Whoever saves the whole row writes what they had read
    #: before, and these are left as they are: a ban would be shed by it.
    SAID_BY_OTHERS: ClassVar = frozenset({"muted_until", "banned_until", "has_moderators_news"})
    #: What is never taken back is left as it is, too.
    SAID_FOR_GOOD: ClassVar = frozenset({"is_bot"})

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(is_bot=False) | Q(is_guest=False, is_staff=False), name="a_bot_account_is_an_account"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["last_visit"], condition=Q(is_guest=True), name="guests_by_their_last_visit"),
            # Few are banned, and beat asks often whether one of them still plays.
            models.Index(fields=["banned_until"], condition=Q(banned_until__isnull=False), name="banned_people"),
        ]

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        has_name = self.name and not self.is_guest
        self.name_folded, self.name_shape = names.keys(self.name) if has_name else (None, None)
        if update_fields is None and not self._state.adding:
            own = {field.attname for field in self._meta.concrete_fields if not field.primary_key}
            update_fields = own - self.SAID_BY_OTHERS - self.SAID_FOR_GOOD - self.get_deferred_fields()
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

    def __str__(self) -> str:
        """The name that they sign in with is nobody's business, not on pages of the admin either."""
        return self.shown_name

    @property
    def shown_name(self) -> str:
        return self.name or self.username[:LONGEST_NAME]

    def get_absolute_url(self) -> str:
        """This person's page; guests have none, nor have accounts that were closed."""
        return reverse("player", args=[self.code]) if self.is_active and not self.is_guest else ""


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


class Mute(models.Model):
    """Somebody does not want to read what somebody says. Nobody else knows."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes")
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["by", "whom"], name="one_mute_a_pair"),
            models.CheckConstraint(condition=~Q(by=models.F("whom")), name="nobody_mutes_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} mutes {self.whom_id}"


class Table(models.Model):
    """A game that has not started. Whoever may see it and knows its code may sit down."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hosted_tables")
    rules = models.JSONField()
    layout: "models.CharField[Layout, Layout]" = models.CharField(max_length=20)
    board_seed = models.BinaryField(
        max_length=32, null=True, editable=False, help_text="Of a board that everybody sees; empty: it is a surprise."
    )
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
    annulled_at = models.DateTimeField(null=True, help_text="When moderators took the game out of the ratings, if so.")
    game = models.OneToOneField(Game, models.CASCADE, null=True, related_name="table")
    rematch_of = models.OneToOneField(Game, models.SET_NULL, null=True, related_name="rematch")
    version = models.PositiveIntegerField(default=0, help_text="Grows with every change: an older page is out of date.")
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            # The open tables are few among those whose games are over.
            models.Index(fields=["visibility", "-opened_at"], condition=Q(game__isnull=True), name="open_tables"),
            models.Index(fields=["game"], condition=Q(rated=True), name="rated_tables"),
        ]

    def __str__(self) -> str:
        return f"table {self.code}"

    @property
    def is_public(self) -> bool:
        return self.visibility == "public"

    @property
    def is_board_seen(self) -> bool:
        return self.board_seed is not None

    @property
    def board_mark(self) -> str:
        """By which a form says what board its page showed; none, if it was a surprise."""
        if self.layout != "beginner" and self.board_seed is None:
            return ""
        seed = b"" if self.layout == "beginner" else bytes(self.board_seed or b"")
        return hashlib.sha256(self.layout.encode() + b" " + seed).hexdigest()[:16]

    @property
    def terms_mark(self) -> str:
        """By which a form says what options its page showed."""
        terms = [self.rules, self.layout, self.clocks, self.bot_speed, astuple(self.company)]
        return hashlib.sha256(json.dumps(terms, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def has_bots(self) -> bool:
        """Whether bots may play; they have no rating."""
        return self.bots_allowed and not self.rated

    @property
    def company(self) -> Company:
        return Company(self.visibility, self.bots_allowed, self.spectators_allowed, self.rated)

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
    colour = models.PositiveSmallIntegerField(help_text="What whoever sits here plays, see games.page.COLOURS.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="chairs")
    bot = models.BooleanField(default=False)
    strength: "models.CharField[StrengthOfBot, StrengthOfBot]" = models.CharField(
        max_length=10,
        choices=BOT_STRENGTHS,
        blank=True,
        default="",
        help_text="Of its bot, see games.bots; a person has none.",
    )
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
            models.CheckConstraint(
                condition=Q(bot=True, strength__in=bots.STRENGTHS) | Q(bot=False, strength=""),
                name="a_bots_chair_has_a_strength",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["seen_at"], condition=Q(seen_at__isnull=False), name="chairs_of_those_seen"),
        ]

    def __str__(self) -> str:
        return f"chair {self.number} of table {self.table_id}"

    @property
    def is_person(self) -> bool:
        """Somebody with an account or a session: a program too that plays an account of its own."""
        return self.user_id is not None and not self.kept

    @property
    def is_bot_account(self) -> bool:
        """Whether a program plays the account that this chair is for."""
        return self.user is not None and self.user.is_bot

    @property
    def is_taken(self) -> bool:
        return self.bot or self.is_person

    @property
    def is_free(self) -> bool:
        return not self.bot and self.user_id is None


class Removal(models.Model):
    """Somebody whom the host asked to leave a table: the link alone does not bring them back."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="removals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="removals")
    name = models.CharField(max_length=LONGEST_NAME, help_text="What they were called at this table.")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "user"], name="removed_once_from_a_table")]

    def __str__(self) -> str:
        return f"{self.user_id} removed from {self.table_id}"


class MeetingPoint(models.Model):
    """One row, which whoever looks for a game locks: of two at once, the second finds the first one's table."""

    def __str__(self) -> str:
        return "where those meet who look for a game"


class Conversation(models.Model):
    """What is said in one place, in the order of its lines.

    A game that was started from a table goes on with the table's conversation, so what was said before is not lost;
    one without a table has its own. Those who watch have one of their own beside it.
    """

    class Audience(models.TextChoices):
        PLAYERS = "players", "the players"
        WATCHERS = "watchers", "those who watch"

    table = models.OneToOneField(Table, models.CASCADE, null=True, related_name="conversation")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="conversations")
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PLAYERS)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "audience"], name="one_conversation_an_audience"),
            models.CheckConstraint(condition=Q(table=None) ^ Q(game=None), name="a_conversation_has_one_place"),
            models.CheckConstraint(condition=Q(table=None) | Q(audience="players"), name="nobody_watches_a_table"),
        ]

    def __str__(self) -> str:
        if self.table is not None:
            return f"game {self.table.game_id}" if self.table.game_id else f"{self.table}"
        return f"game {self.game_id}" + (", watchers" if self.audience == self.Audience.WATCHERS else "")


class ChatLine(models.Model):
    """What somebody said. It keeps the name it was said under, whoever leaves."""

    LONGEST_TEXT: ClassVar[int] = 300

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField(help_text="Counts the lines of one conversation, from 1.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="chat_lines")
    seat = models.PositiveSmallIntegerField(null=True, help_text="Empty for what was said at a table or by a watcher.")
    name = models.CharField(max_length=40, help_text="What the speaker was called.")
    text = models.CharField(max_length=LONGEST_TEXT)
    said_at = models.DateTimeField()
    hidden = models.BooleanField(default=False, help_text="Removed by a moderator: others no longer see the text.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "number"], name="one_chat_line_a_number")
        ]
        indexes: ClassVar = [models.Index(fields=["user", "-said_at"], name="latest_lines_of_a_person")]

    def __str__(self) -> str:
        return f"line {self.number} in the chat of {self.conversation}"


class Watcher(models.Model):
    """An open page of somebody who watches a game."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="watchers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    channel = models.CharField(max_length=200, unique=True)
    process = models.CharField(max_length=40, db_index=True, help_text="The web process that holds its socket.")
    seen_at = models.DateTimeField(db_index=True, help_text="When that process was last alive.")

    def __str__(self) -> str:
        return f"somebody who watches game {self.game_id}"
