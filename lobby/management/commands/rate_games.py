"""Compute all ratings anew, from the games alone."""

from typing import Any

from django.core.management.base import BaseCommand

from lobby import ratings
from lobby.models import Rating


class Command(BaseCommand):
    help = (
        "Forgets all ratings and computes them from the games. They come out as they were, bit for bit, unless "
        "somebody has changed rows or an account was deleted. Games that end meanwhile are rated afterwards."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        before = self._figures()
        games = ratings.rate_all()
        after = self._figures()
        differ = sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())
        self.stdout.write(f"{games} games rated. {len(after)} ratings, {differ} of them other than before.")

    def _figures(self) -> dict[tuple[int, str], tuple[float, float, int]]:
        rows = Rating.objects.values_list("person", "kind", "mu", "sigma", "games")
        return {(person, kind): (mu, sigma, games) for person, kind, mu, sigma, games in rows}
