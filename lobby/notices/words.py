"""What people are told, in words. All of it is known to everybody at the game: whose turn it is, what was offered.

An item is one thing to tell, kept in a delivery until that is sent. Names in it stand between two marks, so that a
mail can draw a line between them and the sentence around; `plain` takes the marks away.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from django.urls import reverse
from typing_extensions import TypedDict

from games.clocks import ClockView, pace_of, unanswered
from games.models import Seat
from games.rules import State, player_view
from games.words import cards, is_unanswered, listing
from games.words_clocks import LAST_CALLS
from lobby.models import Chair, Table
from lobby.notice_models import Kind
from lobby.notices import hours
from lobby.notices.writing import pace_kind


class Item(TypedDict):
    kind: str
    pace: str
    title: str
    sentence: str
    #: Until when there is time for it, as the person's own clock shows it.
    until: str
    ends: str | None
    path: str
    # By these it is looked up again before it is sent: its reason may be over.
    seat: int | None
    since: str | None
    table: int | None


#: Unicode's own: what is between them is isolated.
FIRST_MARK: Final = "\u2068"
LAST_MARK: Final = "\u2069"


def marked(name: str) -> str:
    return f"{FIRST_MARK}{plain(name)}{LAST_MARK}"


def plain(text: str) -> str:
    return text.replace(FIRST_MARK, "").replace(LAST_MARK, "")


_TITLES: Final = {
    Kind.TURN: "Your turn in a game with {others}",
    Kind.DISCARD: "You must discard in a game with {others}",
    Kind.OFFER: "An offer for you in a game with {others}",
    Kind.REMINDER: "Time is running out in a game with {others}",
    Kind.ENDED: "Your game with {others} has ended",
}


def of_asked(kind: Kind, seat: Seat, seats: Sequence[Seat], state: State, clock: ClockView | None, zone: str) -> Item:
    """Something is asked of a seat, or the time for it runs out."""
    ends = clock and clock["ends"]
    return {
        "kind": kind,
        "pace": pace_kind(pace_of(seat.game)),
        "title": _title(kind, seat, seats),
        "sentence": " ".join([*_call(kind, seat, state), *_offers(seat, seats, state)]),
        "until": in_words(ends, zone) if ends else "",
        "ends": written(ends),
        "path": reverse("game", args=[seat.game_id]),
        "seat": seat.pk,
        "since": written(seat.awaited_since),
        "table": None,
    }


def _title(kind: Kind, seat: Seat, seats: Sequence[Seat]) -> str:
    return _TITLES[kind].format(others=listing([marked(other.name) for other in seats if other.pk != seat.pk]))


def _call(kind: Kind, seat: Seat, state: State) -> Iterator[str]:
    if kind is not Kind.OFFER and seat.asked != Seat.Asked.OFFER:
        asked = LAST_CALLS[state.phase.value].partition(": ")[2]
        yield asked[0].upper() + asked[1:]


def _offers(seat: Seat, seats: Sequence[Seat], state: State) -> Iterator[str]:
    """To whoever is to move, an offer may have been made as well."""
    if not any(seat.number in unanswered(offer) for offer in state.offers):
        return
    names = [marked(each.name) for each in seats]
    for offer in player_view(state, seat.number)["offers"]:
        if is_unanswered(offer, seat.number):
            yield f"{names[offer['maker']]} offers you {cards(offer['gives'])} for {cards(offer['gets'])}."


def written(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def in_words(moment: datetime, zone: str) -> str:
    here = hours.local(moment, zone)
    return f"{here:%A}, {here.day} {here:%B} at {here:%H:%M} ({zone.replace('_', ' ')})"


def of_end(seat: Seat, seats: Sequence[Seat]) -> Item:
    game = seat.game
    winner = next((other for other in seats if other.pk == game.winner_id), None)
    if winner is None:
        sentence = "It was ended early, and nobody won."
    else:
        sentence = "You won: congratulations!" if winner.pk == seat.pk else f"{marked(winner.name)} won."
    return {
        "kind": Kind.ENDED,
        "pace": pace_kind(pace_of(game)),
        "title": _title(Kind.ENDED, seat, seats),
        "sentence": sentence,
        "until": "",
        "ends": None,
        "path": reverse("game", args=[game.pk]),
        "seat": seat.pk,
        "since": None,
        "table": None,
    }


def of_invitation(table: Table, chairs: Sequence[Chair]) -> Item:
    host = next((marked(chair.name) for chair in chairs if chair.user_id == table.host_id), "")
    if host and table.host.is_bot:
        host += " (bot account)"
    there = listing([marked(chair.name) for chair in chairs if chair.is_taken])
    return {
        "kind": Kind.INVITED,
        "pace": pace_kind(table.pace),
        "title": f"{host} invites you to a game" if host else "You are invited to a game",
        "sentence": f"A chair is being kept for you. At the table so far: {there}."
        if there
        else "A chair is being kept for you.",
        "until": "",
        "ends": None,
        "path": reverse("table", args=[table.code]),
        "seat": None,
        "since": None,
        "table": table.pk,
    }


def one_each(items: Iterable[Item]) -> list[Item]:
    """Of all that there is to say of a seat, or of a table, what was said last: of two that say the same, the newer."""
    return list({(item["seat"], item["table"]): item for item in items}.values())


def title(items: Sequence[Item]) -> str:
    """Of all that is told at once, on one line and in plain words."""
    if len(items) == 1:
        return plain(items[0]["title"])
    if all(item["kind"] in (Kind.TURN, Kind.DISCARD, Kind.OFFER, Kind.REMINDER) for item in items):
        return f"{len(items)} games are waiting for you"
    return f"{len(items)} updates about your games"
