"""Bring a game in from its record."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import services
from games.rules.records import Record
from games.rules.verify import RecordDiffers, verify


class Command(BaseCommand):
    help = "Plays a recorded game into the database, move by move, after checking the record."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("record", type=Path)

    def handle(self, *args: Any, record: Path, **options: Any) -> None:
        try:
            game = json.loads(record.read_bytes())
            read = Record.from_json(game)
            verify(read)
        except (OSError, ValueError, RecursionError, RecordDiffers) as error:
            raise CommandError(f"{record} is not a game's record: {error}") from error
        players = [services.Entrant(name=f"Seat {number + 1}", nonce=nonce) for number, nonce in enumerate(read.nonces)]
        started = services.start_game(
            read.rules, read.layout, players, now=timezone.now(), seed=read.seed, board_seed=read.board_seed
        )
        for version, recorded in enumerate(read.moves):
            if recorded.timeout:
                offer = getattr(recorded.move, "offer", None)
                services.play_timeout(started.pk, recorded.move.seat, version=version, now=timezone.now(), offer=offer)
            else:
                services.play_move(started.pk, recorded.move, version=version, now=timezone.now())
        self.stdout.write(f"The record is now game {started.pk}.")
