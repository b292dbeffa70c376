"""Chats as pages: each has a plain one with forms, and the people in it. Scripts read and speak as programs do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.models import Game
from games.rules import Malformed, Refusal
from games.web import headers_of, read_number, status_of
from lobby import chat, guests, people, restrictions, rooms
from lobby.forms import guest_name
from lobby.models import Table, User
from lobby.rooms import PHRASES, Room, RoomKind


def paths(address: str, kind: RoomKind) -> list[URLPattern]:
    """The addresses of one kind of chat."""
    return [
        path(address, talk, {"kind": kind}, name=f"{kind}-chat"),
        path(f"{address}people/", met, {"kind": kind}, name=f"{kind}-people"),
    ]


#: Where programs read and speak, and with them the scripts of a page. It lies above the lobby, which only leads there.
FOR_PROGRAMS: Final[dict[RoomKind, str]] = {
    "players": "/api/v1/games/{game_id}/chat/",
    "watchers": "/api/v1/games/{game_id}/watchers/",
    "table": "/api/v1/tables/{code}/chat/",
}


class Words(NamedTuple):
    """What a page says of a kind of chat."""

    heading: str
    tab: str
    log: str
    only: str
    opener: str
    back: str


WORDS: Final[dict[RoomKind, Words]] = {
    "players": Words(
        heading="Chat of this game",
        tab="Players",
        log="What the players say",
        only="Only the players can write here; everybody can read.",
        opener="Open the chat",
        back="Back to the game",
    ),
    "watchers": Words(
        heading="Those who watch this game",
        tab="Watchers",
        log="What the watchers say",
        only="Only those who watch can write here.",
        opener="Open the watchers’ chat",
        back="Back to the game",
    ),
    "table": Words(
        heading="Chat of this table",
        tab="Chat",
        log="What is said at this table",
        only="Only those who sit at this table can write here; everybody who has its link can read.",
        opener="Open the chat",
        back="Back to the table",
    ),
}


@dataclass(frozen=True, slots=True)
class Door:
    """A room as one visitor stands before it: what a template draws of it."""

    room: Room
    visitor: User
    #: The arguments of its addresses.
    place: dict[str, Any]

    @property
    def kind(self) -> RoomKind:
        return self.room.kind

    @property
    def prefix(self) -> str:
        """Of the ids of its elements."""
        return "watchers" if self.kind == "watchers" else "chat"

    @property
    def words(self) -> Words:
        return WORDS[self.kind]

    @property
    def heading(self) -> str:
        return self.words.heading

    @property
    def back(self) -> str:
        return reverse("table" if self.kind == "table" else "game", kwargs=self.place)

    @property
    def address(self) -> str:
        return reverse(f"{self.kind}-chat", kwargs=self.place)

    @property
    def lines_address(self) -> str:
        return FOR_PROGRAMS[self.kind].format(**self.place)

    @property
    def people_address(self) -> str:
        return reverse(f"{self.kind}-people", kwargs=self.place)

    @property
    def may_read(self) -> bool:
        return self.room.may_read(self.visitor)

    @property
    def may_speak(self) -> bool:
        return self.room.may_speak(self.visitor)

    @property
    def muted(self) -> str:
        """Why somebody who could speak here may not for a while, if so."""
        return restrictions.why_muted(self.visitor, timezone.now())

    @property
    def asks_name(self) -> bool:
        """Somebody new may say what to call them."""
        return self.visitor.pk is None

    @property
    def phrases(self) -> Sequence[str]:
        return PHRASES[self.kind]


def door(request: HttpRequest, kind: RoomKind, **place: Any) -> Door:
    """404 where there is no such game or table."""
    visitor = guests.visitor(request)
    try:
        room = _room(kind, visitor, **place)
    except (Game.DoesNotExist, Table.DoesNotExist) as error:
        raise Http404 from error
    if isinstance(room, rooms.PlayersRoom):
        place = {"game_id": room.game_id}
    return Door(room, visitor, place)


def _room(kind: RoomKind, visitor: User, **place: Any) -> Room:
    match kind:
        case "players":
            return rooms.of_players(**place)
        case "watchers":
            return rooms.of_watchers(**place)
        case "table":
            return rooms.of_visible_table(**place, person=visitor)


# What is said


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, kind: RoomKind, **place: Any) -> HttpResponse:
    """The plain page; what its forms send is said. With scripts, whoever is nobody yet sends them all the same."""
    found = door(request, kind, **place)
    return _say(request, found) if request.method == "POST" else _draw(request, found)


def _say(request: HttpRequest, found: Door) -> HttpResponse:
    person, text = found.visitor, request.POST.get("text", "")
    is_new = person.pk is None
    try:
        if is_new and (name := request.POST.get("name", "").strip()):
            person.name = guest_name(name)
        with guests.welcomed(request, person):
            chat.say(found.room, person, text, now=timezone.now())
    except Refusal as refusal:
        return _draw(request, found, typed=text, refusal=refusal)
    # Whoever has become a guest by it has a new session, with which the page opens anew.
    return redirect(found.back if "back" in request.POST else found.address)


def _draw(request: HttpRequest, found: Door, *, typed: str = "", refusal: Refusal | None = None) -> HttpResponse:
    said: list[chat.ShownLine] = []
    try:
        said = chat.read(found.room, found.visitor).lines
    except Refusal as not_for_them:
        refusal = not_for_them
    return _page(request, "lobby/chat.html", refusal, door=found, lines=said, typed=typed)


def _page(request: HttpRequest, template: str, refusal: Refusal | None, **context: object) -> HttpResponse:
    context["refusal"] = refusal.sentence if refusal else ""
    page = render_to_string(template, context, request)
    if refusal is None:
        return HttpResponse(page)
    return HttpResponse(page, status=status_of(refusal), headers=headers_of(refusal))


# Those who say it


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def met(request: HttpRequest, kind: RoomKind, **place: Any) -> HttpResponse:
    """The people in a chat; they can be muted and blocked there."""
    found = door(request, kind, **place)
    line, refusal, there = None, None, []
    try:
        if request.method == "POST":
            _wish(request, found.room)
            return redirect(request.get_full_path())
        if "line" in request.GET:
            line = read_number(request.GET["line"], Malformed("line is the number of a line."))
        there = people.in_room(found.room, found.visitor, line)
    except Refusal as refused:
        refusal = refused
        if found.room.may_read(found.visitor):
            there = people.in_room(found.room, found.visitor)
    return _page(request, "lobby/people.html", refusal, door=found, people=there)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def blocked(request: HttpRequest) -> HttpResponse:
    """Whom somebody has muted or blocked, wherever that was."""
    refusal = None
    if request.method == "POST":
        try:
            _wish(request, None)
            return redirect("blocked")
        except Refusal as refused:
            refusal = refused
    return _page(request, "lobby/people.html", refusal, people=people.muted_or_blocked(guests.visitor(request)))


def _wish(request: HttpRequest, room: Room | None) -> None:
    wanted, key = request.POST.get("wish", ""), request.POST.get("person", "")
    people.wish(room, guests.visitor(request), wanted, key, now=timezone.now())
