"""What people report, what moderators decide about it, and what is written down of either.

A report hangs on a case: all that has been reported of one person, or of one game where nobody in particular is
meant, and has not been decided yet. A decision is about a person; each can be appealed once.
"""

from datetime import timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models import Game
from lobby.models import ChatLine

LONGEST_TEXT: Final = 1000

#: After so long a warning no longer counts.
WARNINGS_COUNT: Final = timedelta(days=180)
#: Days for which addresses are kept, as hashes, and after which their key changes.
ADDRESSES_KEPT: Final = timedelta(days=90)
KEY_CHANGES: Final = timedelta(days=30)


class Case(models.Model):
    """What one moderator takes on at a time."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="cases")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="cases")
    opened_at = models.DateTimeField()
    weight = models.PositiveIntegerField(default=0, help_text="How bad it is: the worst comes first.")
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    taken_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        permissions: ClassVar = [
            ("work_cases", "Can take reports on, decide them, and answer appeals"),
            ("see_hidden", "Can see everything of a game that is being played"),
            ("act_on_games", "Can pause, resume, extend, abort and hand over games"),
            ("hide_lines", "Can hide what was said"),
            ("see_dashboard", "Can see how the site is doing"),
            ("export_audit", "Can take a copy of the audit log"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(person=None) ^ Q(game=None), name="a_case_is_of_a_person_or_a_game"),
            models.UniqueConstraint(fields=["person"], condition=Q(closed_at=None), name="one_open_case_a_person"),
            models.UniqueConstraint(fields=["game"], condition=Q(closed_at=None), name="one_open_case_a_game"),
        ]
        indexes: ClassVar = [
            models.Index(F("weight").desc(), "opened_at", condition=Q(closed_at=None), name="open_cases_worst_first"),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"


class Report(models.Model):
    """What somebody says of somebody else, or of a game, with the evidence as it was in that moment."""

    class Kind(models.TextChoices):
        ABUSE = "abuse", "Abusive or hateful words"
        STALLING = "stalling", "Stalling: plays slowly on purpose, or has left"
        COLLUSION = "collusion", "Collusion: plays together with somebody else"
        SECOND_ACCOUNT = "second_account", "A second account of the same person"
        NAME = "name", "An offensive name"
        OTHER = "other", "Something else"

    class Outcome(models.TextChoices):
        OPEN = "", "waiting for a moderator"
        ACTED = "acted", "something was done"
        DISMISSED = "dismissed", "nothing was done"

    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports")
    kind = models.CharField(max_length=20, choices=Kind)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    made_at = models.DateTimeField()
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="reports")
    line = models.ForeignKey(ChatLine, models.SET_NULL, null=True, related_name="reports")
    evidence = models.JSONField(default=dict, help_text="The chat around the line, the moves around the moment.")
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    answer = models.TextField(max_length=LONGEST_TEXT, blank=True, help_text="What the reporter is told.")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["by", "line"], condition=Q(line__isnull=False), name="nobody_reports_a_line_twice"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", answered_at=None) | (~Q(outcome="") & Q(answered_at__isnull=False)),
                name="answered_once_decided",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["by", "-made_at"], name="latest_reports_of_a_person")]

    def __str__(self) -> str:
        return f"report {self.pk}"


class Decision(models.Model):
    """What a moderator has decided about a person or a game, as it is told to them."""

    class Kind(models.TextChoices):
        DISMISS = "dismiss", "Dismiss: nothing is done"
        WARN = "warn", "Warn"
        HIDE_LINES = "hide_lines", "Hide lines"
        MUTE = "mute", "Mute: no chat"
        BAN = "ban", "Ban: no access"
        RESET_NAME = "reset_name", "Reset the name"
        ANNUL_GAME = "annul_game", "Annul a rated game"

    case = models.ForeignKey(Case, models.CASCADE, null=True, related_name="decisions")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="decisions")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind)
    reason = models.TextField(max_length=LONGEST_TEXT, help_text="The person reads this.")
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, help_text="When it ends by itself; empty: it does not.")
    lines = models.ManyToManyField(ChatLine, related_name="+")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="decisions")
    details = models.JSONField(default=dict, help_text="What it takes to undo it: the name before, say.")
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone_why = models.TextField(max_length=LONGEST_TEXT, blank=True)
    read_at = models.DateTimeField(null=True, help_text="When the person read it as it is now.")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["person", "-at"], name="decisions_about_a_person")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Appeal(models.Model):
    """What somebody says against a decision about them. There is one of each."""

    class Outcome(models.TextChoices):
        OPEN = "", "waiting for a moderator"
        UPHELD = "upheld", "the decision stands"
        UNDONE = "undone", "the decision was taken back"

    decision = models.OneToOneField(Decision, models.CASCADE, related_name="appeal")
    text = models.TextField(max_length=LONGEST_TEXT)
    made_at = models.DateTimeField(db_index=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    answer = models.TextField(max_length=LONGEST_TEXT, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(outcome="", answered_at=None) | (~Q(outcome="") & Q(answered_at__isnull=False)),
                name="an_appeal_is_answered_once",
            ),
        ]

    def __str__(self) -> str:
        return f"appeal against {self.decision_id}"


class AuditLine(models.Model):
    """What a member of the staff did or looked at; nobody can change or delete it, see the migration’s triggers.

    It refers to nothing: whatever it tells of may be deleted some day, and the line stays as it was written.
    """

    at = models.DateTimeField(db_index=True)
    staff = models.BigIntegerField(null=True, help_text="The user’s number; empty: the site itself.")
    staff_name = models.CharField(max_length=150, blank=True)
    act = models.CharField(max_length=30, db_index=True)
    person = models.BigIntegerField(null=True)
    person_name = models.CharField(max_length=150, blank=True)
    game = models.BigIntegerField(null=True)
    why = models.TextField(blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        default_permissions = ("view",)
        indexes: ClassVar = [
            models.Index(fields=["staff", "-at"], name="audit_by_staff"),
            models.Index(fields=["person", "-at"], name="audit_by_person"),
            models.Index(fields=["game", "-at"], name="audit_by_game"),
        ]

    def __str__(self) -> str:
        return f"audit line {self.pk}"


class AddressKey(models.Model):
    """The key under which addresses are hashed for some weeks. It is deleted with its successor, and nobody can tell by
    trying all addresses which one a hash was made of."""

    begins = models.DateField(primary_key=True)
    key = models.BinaryField(max_length=32, editable=False)

    def __str__(self) -> str:
        return f"key of {self.begins}"


class SeenAddress(models.Model):
    """Somebody came from an address, of which only a hash is kept, and not for long."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="seen_addresses")
    key_of = models.DateField(help_text="When the key began that it was hashed with: hashes of others say nothing.")
    digest = models.CharField(max_length=64)
    seen_on = models.DateField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "key_of", "digest"], name="one_row_an_address_a_person"),
        ]
        indexes: ClassVar = [models.Index(fields=["key_of", "digest"], name="people_of_an_address")]

    def __str__(self) -> str:
        return f"address of {self.person_id}"


class GameDealings(models.Model):
    """What a finished game tells of who did whom a favour, so that its log is read once and not every night."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="dealings")
    told = models.JSONField(help_text="By seats, see moderation.dealings.")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"dealings of game {self.pk}"


class Pair(models.Model):
    """Two people who often play together, and how unusual it looks. Computed anew every night."""

    first = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    games = models.PositiveIntegerField(help_text="Games that both have played in.")
    unusual = models.FloatField(help_text="How unusual the pair looks: 0 is usual.")
    balance = models.FloatField(help_text="What the first gave the second more than they got, in cards a game.")
    shared_addresses = models.PositiveIntegerField(default=0)
    figures = models.JSONField(default=dict, help_text="What the number is made of.")
    computed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["first", "second"], name="one_row_a_pair"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="a_pair_in_its_order"),
        ]
        indexes: ClassVar = [models.Index(F("unusual").desc(), name="most_unusual_pairs")]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"


class Sample(models.Model):
    """How the site was doing in one minute, for the charts."""

    at = models.DateTimeField(unique=True)
    figures = models.JSONField()

    def __str__(self) -> str:
        return f"figures of {self.at}"
