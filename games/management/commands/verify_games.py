"""Replay stored games from their logs and compare every row."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import services
from games.models import Game
from games.verification import is_broken, verified


class Command(BaseCommand):
    help = (
        "Replays games from their logs and compares every row with what the log leads to. A game "
        "that differs is set aside, one begun under other rules only named; exit code 1 then."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", type=int, help="only the game with this number")
        parser.add_argument("--active", action="store_true", help="only games that are being played")

    def handle(self, *args: Any, game: int | None, active: bool, **options: Any) -> None:
        games = Game.objects.order_by("pk")
        if game is not None:
            games = games.filter(pk=game)
            if not games.exists():
                raise CommandError(f"There is no game {game}.")
        if active:
            games = games.filter(status__in=[Game.Status.RUNNING, Game.Status.PAUSED, Game.Status.RESTING])
        checked = differ = 0
        # The numbers first: on SQLite an open cursor would keep us from setting a game aside.
        for pk in list(games.values_list("pk", flat=True)):
            checked += 1
            one, found = verified(pk)
            if found:
                differ += 1
                self._report(one, found)
        self.stdout.write(f"{checked} games checked, {differ} differ.")
        if differ:
            raise SystemExit(1)

    def _report(self, game: Game, found: list[str]) -> None:
        self.stdout.write(f"game {game.pk} differs from its log:")
        for difference in found:
            self.stdout.write(f"  {difference}")
        if is_broken(game, found):
            services.set_aside(game.pk, "\n".join(found), now=timezone.now())
