"""What programs are known by."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models

LONGEST_NAME: Final = 60


class Token(models.Model):
    """By which a program asks in somebody's name. What it says is with the program alone: this is its hash."""

    class Scope(models.TextChoices):
        READ = "read", "Read"
        PLAY = "play", "Read and play"

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=LONGEST_NAME, help_text="What its owner calls it.")
    # Plain SHA-256: salt and slowness protect what people think up. This is 256 random bits, which nobody guesses
    # however fast, and no two tokens are the same. A digest is found by its index in one step.
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=4, help_text="How the token ends, so that its owner can tell it from others.")
    scope = models.CharField(max_length=10, choices=Scope)
    made_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(scope__in=("read", "play")), name="a_token_reads_or_plays"),
        ]

    def __str__(self) -> str:
        return f"token {self.pk}"

    @property
    def may_play(self) -> bool:
        return self.scope == Token.Scope.PLAY
