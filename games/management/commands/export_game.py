"""Write the record of a game."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.history import LogDiffers
from games.models import Game
from games.store import BrokenRows
from games.verification import exported


class Command(BaseCommand):
    help = (
        "Writes a finished game's record, which python -m games.rules.verify checks. Of a game that "
        "still runs, only what a spectator may have."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", type=int)

    def handle(self, *args: Any, game: int, **options: Any) -> None:
        found = Game.objects.filter(pk=game).first()
        if found is None:
            raise CommandError(f"There is no game {game}.")
        try:
            record = exported(found)
        except (BrokenRows, LogDiffers) as error:
            raise CommandError(f"Game {game} cannot be written: {error}") from error
        self.stdout.write(json.dumps(record))
