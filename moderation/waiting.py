"""How much waits for the moderators, as the header of every page says it to the staff."""

from collections.abc import Callable

from django.http import HttpRequest

from moderation.models import Case


def shown(_: HttpRequest) -> dict[str, Callable[[], int]]:
    """For templates. It is counted only where it is written, which is in the pages of the staff."""
    return {"open_cases": open_cases}


def open_cases() -> int:
    return Case.objects.filter(closed_at=None).count()
