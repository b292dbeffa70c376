"""What the page of a game shows a moderator: what a spectator sees, what was done to the game, and what was said.

Hands and cards stand on it only once somebody has pressed for them, see `moderation.games.look_at_whole`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games import drawing, words
from games.models import Game, Intervention, Seat
from games.paces import Pace, in_words
from games.page import COLOURS, EMBLEMS, LogEntry, OfferCard, Page, Scene, page_of
from games.rules import NOBODY, Event
from games.rules.views import SeatView
from games.words_agreements import at_pace
from games.words_bots import BOTS
from games.words_places import place_names
from games.words_rules import RULE_BOOKS
from lobby.models import User
from moderation import games
from moderation import words as said
from moderation.games import Chat, Whole
from moderation.models import Report

Status = Game.Status

MOST_INTERVENTIONS: Final = 60

#: What can be done to a game by its status; the services have the last word.
POSSIBLE: Final[Mapping[str, Sequence[str]]] = {
    Status.RUNNING: ("pause", "extend", "play_timeout", "stand_in", "abort"),
    Status.PAUSED: ("resume", "stand_in", "abort"),
    Status.RESTING: ("resume", "stand_in", "abort"),
    Status.NEEDS_ATTENTION: ("resume", "abort"),
}


@dataclass(frozen=True)
class SeatCard:
    """A seat, who plays it, and what is known of it."""

    seat: Seat
    colour: str
    emblem: str
    facts: list[tuple[str, str]]
    #: Of a hand that may be seen: of everybody's once the game is over, else of those that were laid open.
    hand: str
    cards: str
    #: That the game waits for its person, and since when.
    asked: str
    since: datetime | None

    @property
    def may_be_replaced(self) -> bool:
        return self.seat.player == Seat.Player.PERSON


@dataclass(frozen=True)
class Done:
    """Something that was done to the game beside its moves."""

    row: Intervention
    text: str
    why: str


@dataclass(frozen=True)
class GamePage:
    game: Game
    #: The moderator sits in the game, or has sat in it: it is not theirs to judge.
    is_partial: bool
    #: Nothing, where the rows do not make a game.
    page: Page | None
    board: drawing.Drawing | None
    facts: list[tuple[str, object]]
    seats: list[SeatCard]
    offers: list[OfferCard]
    #: For whom the timeout would be played now.
    timeout_for: str
    possible: Sequence[str]
    done: list[Done]
    chats: list[Chat]
    reports: list[Report]
    whole: Whole | None

    @property
    def log(self) -> list[LogEntry]:
        """The latest first."""
        return self.page["log"][::-1] if self.page else []

    @property
    def attention(self) -> str:
        return "" if self.is_partial else self.game.attention

    @property
    def extensions(self) -> list[tuple[str, str]]:
        return [(key, text) for key, (text, _) in games.EXTENSIONS.items()]


def game_page(staff: User, game_id: int, now: datetime, whole: Whole | None = None) -> GamePage:
    """``Game.DoesNotExist`` if there is no such game."""
    scene = games.scene(game_id, now)
    game = scene.game if scene else Game.objects.get(pk=game_id)
    page = page_of(scene, None) if scene else None
    is_partial = games.is_in(staff, game)
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("place"))
    open_seats = _open_seats(page, whole)
    return GamePage(
        game=game,
        is_partial=is_partial,
        page=page,
        board=_board(page),
        facts=list(_facts(game, page, scene)),
        seats=[_seat_card(seat, page, open_seats.get(seat.number)) for seat in seats],
        offers=page["offers"] if page else [],
        timeout_for=_timeout_for(page),
        possible=() if is_partial else POSSIBLE.get(game.status, ()),
        done=list(_done(game, page, is_partial=is_partial)),
        chats=games.chats(staff, game),
        reports=games.reports(staff, game),
        whole=whole,
    )


def _timeout_for(page: Page | None) -> str:
    """As `services.play_timeout_now` chooses: a person first."""
    acting = [page["seats"][seat] for seat in page["to_act"]] if page else []
    people = [seat for seat in acting if seat["player"] == Seat.Player.PERSON]
    return next((seat["name"] for seat in [*people, *acting]), "")


def _board(page: Page | None) -> drawing.Drawing | None:
    """Nothing on it can be pressed."""
    if page is None:
        return None
    return drawing.board(page, [seat["colour"] for seat in page["seats"]])._replace(places=[])


def _open_seats(page: Page | None, whole: Whole | None) -> dict[int, SeatView]:
    seats: Sequence[SeatView] = whole.seats if whole else page["seats"] if page else []
    return {seat["seat"]: seat for seat in seats if "hand" in seat}


def _facts(game: Game, page: Page | None, scene: Scene | None) -> Iterator[tuple[str, object]]:
    """What everybody knows, in words."""
    yield "Status", said.STATUSES[Status(game.status)]
    if page:
        yield "Now", page["prompt"]
        yield "Turn", f"{page['turn']}, round {page['round']}"
    if game.status not in games.ENDED:
        yield "Phase", said.phase(game.phase)
    yield "Moves", game.version
    yield "Rules", _rules(game)
    yield "Board", str(game.layout)
    yield "Pace", _pace(game)
    yield "Deadline", game.deadline
    yield "Left of the turn", game.turn_left and in_words(int(game.turn_left.total_seconds()))
    yield "Offers to be answered by", game.answers_due
    yield "Started", game.started_at
    yield "Ended", game.ended_at
    if game.winner_id is not None and scene:
        yield "Winner", scene.names[Seat.number_of(game.winner_id)]
    yield "Spectators", "allowed" if game.spectators_allowed else "behind closed doors"
    yield "Failed tasks in a row", game.failures or None


def _rules(game: Game) -> str:
    preset = game.rules.get("preset")
    return RULE_BOOKS[preset].title if preset in RULE_BOOKS else str(preset)


def _pace(game: Game) -> str:
    return at_pace(Pace.from_json(game.pace).name).capitalize() if game.pace else "No clock"


# Seats


def _seat_card(seat: Seat, page: Page | None, shown: SeatView | None) -> SeatCard:
    facts: list[tuple[str, str]] = [("Played by", _player(seat))]
    if page:
        facts += _counts(page["seats"][seat.number], shown)
    if seat.late:
        facts.append(("Late", f"{seat.late} times in a row"))
    if page and (presence := page["seats"][seat.number]["presence"]["words"]):
        facts.append(("Presence", presence))
    return SeatCard(
        seat=seat,
        colour=COLOURS[seat.colour],
        emblem=EMBLEMS[seat.colour],
        facts=facts,
        hand=(words.cards(dict(shown["hand"])) or "no cards") if shown else "",
        cards=_development(shown) if shown else "",
        asked=said.ASKED[Seat.Asked(seat.asked)],
        since=seat.awaited_since,
    )


def _player(seat: Seat) -> str:
    return BOTS[seat.strength].title if seat.strength else said.PLAYED_BY[Seat.Player(seat.player)]


def _counts(public: SeatView, shown: SeatView | None) -> Iterator[tuple[str, str]]:
    points = str(public["points"])
    if shown and shown["points"] != public["points"]:
        points = f"{shown['points']}, of which everybody sees {public['points']}"
    yield "Points", points
    yield "Cards in hand", str(public["hand_size"])
    yield "Development cards", str(public["card_count"])
    if public["played"]:
        yield "Played", words.listing([words.CARD_TITLES[card] for card in public["played"]])
    if public["must_discard"]:
        yield "Has to discard", str(public["must_discard"])
    yield "Longest road", str(public["road_length"])


def _development(shown: SeatView) -> str:
    return ", ".join(words.CARD_TITLES[card["card"]] + (" (new)" if card["new"] else "") for card in shown["cards"])


# What was done


def _done(game: Game, page: Page | None, *, is_partial: bool) -> Iterator[Done]:
    """Why a game was set aside may be a card in a hand: whoever plays in it is not told."""
    rows = game.interventions.order_by("-revision", "-pk")[:MOST_INTERVENTIONS]
    teller = page and words.Teller([seat["name"] for seat in page["seats"]], None, place_names(page["board"]))
    for row in rows:
        seat = NOBODY if row.seat_id is None else Seat.number_of(row.seat_id)
        text = teller.tell(Event(row.what, seat, row.told).seen_by(None)) if teller else row.what.replace("_", " ")
        yield Done(row, text or row.what, "" if is_partial else row.why)
