"""Where people want to be told what waits for them; `lobby.notices` says what, when and how."""

import uuid
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q

LONGEST_ADDRESS: Final = 500
#: A name of a host has 253 characters at most, and what stands before it says by which way.
LONGEST_LANE: Final = 300


class Outside(models.Model):
    """An address that a person gave us, where messages to them leave the site."""

    #: The column that holds it.
    ADDRESS: ClassVar[str]

    added_at = models.DateTimeField()
    trouble = models.CharField(max_length=200, blank=True, help_text="Why the last message did not arrive, if so.")

    class Meta:
        abstract = True

    def note_trouble(self, trouble: str) -> None:
        """For its owner's eyes, unless the address was replaced meanwhile."""
        if trouble != self.trouble:
            same = type(self)._default_manager.filter(pk=self.pk, **{self.ADDRESS: getattr(self, self.ADDRESS)})
            same.update(trouble=trouble[:200])


class PushSubscription(Outside):
    """A browser that takes messages for a person, by the push service of whoever made that browser."""

    ADDRESS = "endpoint"

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=LONGEST_ADDRESS, unique=True, help_text="Where its push service listens.")
    p256dh = models.CharField(max_length=100, help_text="The browser’s public key: only that browser reads a message.")
    auth = models.CharField(max_length=50, help_text="The secret that a message is encrypted with beside it.")
    device = models.CharField(max_length=80, help_text="What its owner knows it by: Firefox on Linux.")
    time_outs = models.PositiveSmallIntegerField(default=0, help_text="How often in a row its service was silent.")

    def __str__(self) -> str:
        return f"push to {self.device} of {self.person_id}"


class Webhook(Outside):
    """A person's own address that messages are posted to. Who knows it can post there, so nobody else is shown it."""

    class Form(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"

    ADDRESS = "url"

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="notice_webhook"
    )
    url = models.URLField(max_length=LONGEST_ADDRESS)
    form = models.CharField(max_length=10, choices=Form)

    def __str__(self) -> str:
        return f"webhook of {self.person_id}"


class Kind(models.TextChoices):
    """What somebody is told of."""

    TURN = "turn", "It is my turn"
    DISCARD = "discard", "I must discard"
    OFFER = "offer", "An offer for me"
    REMINDER = "reminder", "My time is running out"
    ENDED = "ended", "A game of mine has ended"
    INVITED = "invited", "I am invited to a table"


class Way(models.TextChoices):
    """How they are told."""

    MAIL = "mail", "E-mail"
    PUSH = "push", "Push"
    WEBHOOK = "webhook", "Webhook"


class PaceKind(models.TextChoices):
    """Of which games: a person may want to hear of the slow ones alone."""

    DAYS = "days", "Games over days"
    LIVE = "live", "Live games"


def wish(way: str, pace: str, kind: str) -> str:
    return f"{way}-{pace}-{kind}"


#: All that one can wish for, and what one gets who has said nothing: games over days by every way there is to them.
ALL_WISHES: Final = frozenset(wish(way, pace, kind) for way in Way for pace in PaceKind for kind in Kind)


def usual_wishes() -> list[str]:
    return sorted(each for each in ALL_WISHES if f"-{PaceKind.DAYS}-" in each)


class NoticeWishes(models.Model):
    """What a person wants to be told, how and when. Its row is the lock of whoever tells them something."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="notice_wishes"
    )
    wishes = models.JSONField(default=usual_wishes, help_text="Which kind by which way of which games, see `wish`.")
    zone = models.CharField(max_length=60, default="UTC", help_text="The person’s time zone, by its name.")
    quiet_from = models.TimeField(null=True, help_text="Nothing is sent from then on …")
    quiet_until = models.TimeField(null=True, help_text="… until then, in that zone.")
    even_when_looking = models.BooleanField(default=False, help_text="Tell them of a game that is before their eyes.")
    told_at = models.DateTimeField(null=True, help_text="When they were last told something.")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="quiet_hours_have_two_ends",
            ),
        ]

    def __str__(self) -> str:
        return f"wishes of {self.person_id}"


class Notice(models.Model):
    """The outbox: something that somebody may have to be told. Written with what it tells of, in one transaction.

    Whether they are told is decided when it is due. Who has the seat then is told, whoever had it before. Of a seat
    there is one of each kind: what is newly asked takes the place of what was asked before.
    """

    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.ForeignKey("games.Seat", models.CASCADE, null=True, related_name="notices")
    #: An invitation is for a person, at a table.
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="notices")
    table = models.ForeignKey("lobby.Table", models.CASCADE, null=True, related_name="notices")
    due_at = models.DateTimeField(
        null=True, db_index=True, help_text="Empty: the reminder of this clock was given; another clock may follow."
    )
    failures = models.PositiveSmallIntegerField(default=0, help_text="How often in a row it could not be looked at.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "kind"], name="one_notice_of_a_kind_a_seat"),
            models.CheckConstraint(
                condition=Q(kind="reminder") | Q(due_at__isnull=False), name="all_notices_but_reminders_are_due"
            ),
            models.CheckConstraint(
                condition=Q(seat__isnull=False, person__isnull=True, table__isnull=True)
                | Q(seat__isnull=True, person__isnull=False, table__isnull=False),
                name="a_notice_is_of_a_seat_or_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} notice"


class Delivery(models.Model):
    """A message on its way to one person by one way, and what became of it."""

    class Outcome(models.TextChoices):
        SENT = "sent"
        #: Whoever sent it died right after the point of no return, see lobby.notices.sending.
        UNHEARD = "unheard", "handed over, and the answer was not heard"
        OVER = "over", "its reason was over before it could be sent"
        REFUSED = "refused", "the other side does not take it"
        GIVEN_UP = "given_up"

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_deliveries")
    way = models.CharField(max_length=10, choices=Way)
    subscription = models.ForeignKey(PushSubscription, models.CASCADE, null=True, related_name="deliveries")
    lane = models.CharField(
        max_length=LONGEST_LANE, help_text="What is down together: the mail server, a push service’s host."
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    items = models.JSONField(help_text="What it tells of, see lobby.notices.words.")
    made_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(null=True, help_text="When it is tried next; whoever tries it now has it until then.")
    handing_over_at = models.DateTimeField(null=True, help_text="When the last try came to its point of no return.")
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    settled_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=200, blank=True, help_text="Why the last try failed.")

    class Meta:
        verbose_name_plural = "deliveries"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(outcome="", try_at__isnull=False, settled_at__isnull=True)
                | (~Q(outcome="") & Q(try_at__isnull=True, settled_at__isnull=False)),
                name="a_delivery_is_due_until_it_is_settled",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["way", "try_at"], condition=Q(try_at__isnull=False), name="deliveries_to_try"),
        ]

    def __str__(self) -> str:
        return f"{self.way} to {self.person_id}"


class RestingLane(models.Model):
    """A host that asked for fewer messages: it has none until then."""

    lane = models.CharField(max_length=LONGEST_LANE, primary_key=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.lane} rests"
