"""What pages that know nothing of reports draw of them, and how staff are shown the evidence."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.models import Game, Seat
from lobby.views_chat import Door
from moderation import words
from moderation.evidence import Played, Sitter

register = template.Library()

_SEAT: Final = re.compile(r"\{(\d)\}")


@register.simple_tag
def report_of_line(door: Door, number: str) -> str:
    """Where a line of a chat is reported."""
    return reverse(f"report-{door.kind}-line", kwargs=door.place | {"line": number})


@register.simple_tag
def report_of_person(door: Door, key: str) -> str:
    """Where somebody is reported whom one meets in a chat."""
    return reverse(f"report-{door.kind}-person", kwargs=door.place | {"key": key})


@register.filter
def moment(written: str | None) -> datetime | None:
    """When it was, out of what the evidence says."""
    return datetime.fromisoformat(written) if written else None


@register.filter
def state(game: Played) -> str:
    """How far it was; of a game that has ended there is no phase to tell."""
    status = words.STATUSES[Game.Status(game["status"])]
    return (
        status
        if game["status"] in (Game.Status.OVER, Game.Status.ABORTED)
        else f"{status}, {words.phase(game['phase'])}"
    )


@register.filter
def played_by(seat: Sitter) -> str:
    return words.PLAYED_BY[Seat.Player(seat["player"])]


@register.filter
def asked(seat: Sitter) -> str:
    """What the game waited for."""
    return words.ASKED[Seat.Asked(seat["asked"])]


@register.filter
def with_names(told: str, seats: Sequence[Sitter]) -> SafeString:
    """A line of the evidence with its players’ names, each of which may read from right to left."""
    names = {seat["seat"]: format_html("<bdi>{}</bdi>", seat["name"]) for seat in seats}
    return mark_safe(_SEAT.sub(lambda found: names[int(found[1])], escape(told)))  # noqa: S308 - both are escaped
