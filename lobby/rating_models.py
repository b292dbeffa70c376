"""How well people play: a rating of each pace, and what every rated game did to it.

All of it follows from the games; `lobby.ratings` computes it, and `manage.py rate_games` does so from nothing.
"""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import ExpressionWrapper, F, Q

from games.models import Game

#: A rating whose uncertainty is no larger counts as settled: after about ten games of four.
SETTLED: Final = 4.5


class Kind(models.TextChoices):
    """Paces that are told apart: who thinks quickly is not always who thinks well. A program is no quicker with more
    time, so those that play accounts have one ladder for every pace."""

    LIVE = "live", "Live games"
    DAYS = "days", "Games over days"
    BOTS = "bots", "Bots"


class Ladder(models.Model):
    """All ratings of one kind. Its row is the lock under which they change."""

    kind = models.CharField(max_length=4, choices=Kind, primary_key=True)

    def __str__(self) -> str:
        return self.get_kind_display()


class Rating(models.Model):
    """Where a person stands on a ladder: the estimate, and how uncertain it is."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    kind = models.CharField(max_length=4, choices=Kind)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(help_text="How many games it is made of.")
    settled = models.GeneratedField(
        expression=ExpressionWrapper(Q(sigma__lte=SETTLED), models.BooleanField()),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "kind"], name="one_rating_a_kind")]
        indexes: ClassVar = [
            models.Index("kind", F("mu").desc(), "person", condition=Q(settled=True), name="leaderboard")
        ]

    def __str__(self) -> str:
        return f"{self.kind} rating of {self.person_id}"


class RatedGame(models.Model):
    """A game that has been counted, whether or not enough people were in it to change any rating."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="counted")
    kind = models.CharField(max_length=4, choices=Kind)
    ended_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["kind", "ended_at", "game"], name="games_in_their_order")]

    def __str__(self) -> str:
        return f"rated game {self.pk}"


class RatedResult(models.Model):
    """What a game did to the rating of one of its people."""

    rated_game = models.ForeignKey(RatedGame, models.CASCADE, related_name="results")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rated_results")
    rank = models.PositiveSmallIntegerField(help_text="Among those who are rated, from 1; who ties shares it.")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(help_text="How many games the rating is made of, this one included.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["rated_game", "person"], name="one_result_a_person"),
        ]

    def __str__(self) -> str:
        return f"result of {self.person_id} in game {self.rated_game_id}"
