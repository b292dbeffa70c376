"""The page of a game: all that one viewer is shown at one version, with its type.

Whoever shows a game reads this and nothing else: templates, the API, sockets and scripts, for which
`make types` writes the same type down. A page is a function of a scene, which everybody at the table
shares, and of the viewer; the scene of an earlier version gives the page as it was then. It is the
rules' view, out of which all secrets are taken, and what people are told beside it. Moments are
datetimes here; `dumps` is the edge at which they are written out.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import zip_longest
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from typing_extensions import TypedDict

from games import awaited, clocks, words, words_agreements, words_clocks, words_help, words_orders, words_trades
from games.clocks import ClockView
from games.drawing import PlaceChoice, place_choices, places_of
from games.models import Game, Move, Proposal, Seat, StrengthOfBot
from games.rules import Event, RuleSet, State, player_view, why_not
from games.rules.events import Seen
from games.rules.reasons import ACTIONS
from games.rules.state import OfferView
from games.rules.topology import members
from games.rules.views import Choices, SeatView, Shown, View, listed, own_seat
from games.store import Snapshot
from games.words_clocks import PresenceView
from games.words_places import place_names

#: The look of each seat, by its number.
COLOURS: Final = ("red", "blue", "white", "black")
EMBLEMS: Final = ("▲", "■", "●", "◆")

#: What a game wants of somebody: a key of `words_clocks.ASKS`, or nothing now.
Asked: TypeAlias = Literal["", "move", "discard", "offer"]


class Player(SeatView):
    """A seat, and who plays it."""

    #: What somebody is called in this game.
    name: str
    colour: str
    emblem: str
    #: Who plays the seat now.
    player: str
    #: Of the bot that plays it for good; of a person and a stand-in there is none.
    strength: StrengthOfBot
    #: A program plays the account of the seat’s person.
    is_bot_account: bool
    #: None where nobody is hurried, and for bots.
    clock: ClockView | None
    #: Whether somebody is there.
    presence: PresenceView


class Answer(TypedDict):
    """What somebody has said to an offer."""

    seat: int
    answer: words.OfferAnswer
    #: The same as a sentence.
    words: str


class OfferButton(TypedDict):
    """What the viewer may do about an offer."""

    kind: str
    words: str
    #: The move it stands for, but for a counter-offer, which is made up first.
    move: Mapping[str, object]


class OfferCard(OfferView):
    """An offer on the table."""

    #: The maker’s name.
    title: str
    #: The offer as a sentence.
    words: str
    #: The offer from the viewer’s side.
    terms: words.Terms
    #: What each of those asked has answered.
    said: list[Answer]
    #: What the viewer may answer.
    buttons: list[OfferButton]
    #: What the viewer lacks of the cards that it asks of them.
    missing: str
    #: When the time to answer it is over, for those who are not on holiday.
    ends: datetime | None


class ProposalButton(TypedDict):
    """What the viewer may say to a proposal."""

    answer: Literal["agree", "decline"]
    words: str


class ProposalCard(TypedDict):
    """What somebody proposes about the game, and who has said what to it."""

    #: By which it is answered.
    number: int
    #: The seat that proposes it.
    by: int
    #: The proposal as a sentence.
    words: str
    #: When it is carried out, where somebody who is away may still object.
    objections: str
    #: How long it can be answered.
    clock: ClockView | None
    #: What each of those asked has answered.
    said: list[Answer]
    #: What the viewer may answer.
    buttons: list[ProposalButton]


class Victim(TypedDict):
    seat: int
    words: str


class Gain(TypedDict):
    """What a roll, or a card, brought somebody."""

    seat: int
    #: The same as a sentence.
    words: str
    resources: Mapping[str, int]


class LogEntry(TypedDict):
    """A sentence about what happened, and the places on the board that it is about."""

    #: Of the move it belongs to.
    version: int
    #: The seat that did it, if it was one.
    seat: int | None
    #: What happened, as a sentence.
    text: str
    #: What a roll brought, player by player.
    gains: list[Gain]
    #: The name of the place, for those who ask.
    where: str
    #: As `standing` names them.
    places: list[str]
    #: What happened, for programs.
    event: Seen


class Mark(TypedDict):
    """How far a game has got: by its moves, and by what was done to it beside them."""

    #: The number of the last move.
    version: int
    #: Grows with what is done to the game beside its moves.
    revision: int


class Page(Shown, Mark):
    """All that one viewer is shown."""

    #: The game’s number.
    game: int
    #: How the game stands.
    status: str
    #: The moment at which the page was made.
    now: datetime
    #: The seats, by their number.
    seats: list[Player]
    #: The offers on the table.
    offers: list[OfferCard]
    #: Why what is not among the choices cannot be done now, by the kind of move, and for trading as a whole.
    reasons: dict[str, str]
    #: The one thing to do next, if there is only one.
    next: str | None
    #: What the one button stands for that leads through a turn, whether or not it can be done now.
    turn_button: str
    #: The places that can be pressed now.
    places: list[PlaceChoice]
    #: What stands on the board, by its place.
    standing: dict[str, str]
    #: Where the viewer may trade with the bank, what stands in the way of which trade.
    bank_notes: words_trades.BankNotes | None
    #: Whom the viewer may steal from.
    victims: list[Victim]
    #: What the viewer has to do, or whom the game waits for, as a sentence.
    prompt: str
    #: The dice as words.
    dice_words: str
    #: What the game wants of the viewer; empty if nothing.
    asked: Asked
    #: The window’s title says first what is asked.
    asks: str
    #: What is said when the viewer’s own time is nearly over.
    last_call: str
    #: Whether a stand-in plays the viewer’s seat.
    is_replaced: bool
    #: What happens when the viewer does not move in time; null for whoever watches.
    if_absent: str | None
    #: The name of the pace, if there are clocks.
    pace: str | None
    #: What is proposed about the game.
    proposals: list[ProposalCard]
    #: Whom the viewer may propose to remove.
    removable: list[int]
    #: What leads to the viewer’s own standing orders. Nobody’s page says anything of another’s.
    orders: str
    #: What happened after this mark.
    after: Mark
    #: What happened, in its order.
    log: list[LogEntry]


class SeatPresence(TypedDict):
    seat: int
    presence: PresenceView


class Frame(TypedDict, total=False):
    """What a socket brings: one thing at a time. Whoever stands above this may add kinds of their own."""

    #: How far the game has got when the socket opens.
    greeting: Mark
    page: Page
    #: That there is a newer page.
    mark: Mark
    presence: SeatPresence


class Happened(NamedTuple):
    """Something that happened to a game: a move, with who made it, or an intervention."""

    version: int
    events: Sequence[Event]


@dataclass(frozen=True)
class Scene:
    """What the pages of a game at one version are made of, whoever looks at them."""

    game: Game
    snapshot: Snapshot
    seats: Sequence[Seat]
    log: Iterable[Happened]
    after: Mark
    now: datetime
    #: Those that wait for answers.
    proposals: Sequence[Proposal] = ()

    @property
    def state(self) -> State:
        return self.snapshot.state

    @property
    def mark(self) -> Mark:
        return {"version": self.snapshot.version, "revision": self.snapshot.revision}

    def viewer(self, user_id: int | None) -> int | None:
        """The seat of a user; ``None`` for spectators and those who have left the game."""
        held = (seat.number for seat in self.seats if seat.user_id == user_id and seat.player != Seat.Player.BOT)
        return None if user_id is None else next(held, None)

    @cached_property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @cached_property
    def clocks(self) -> list[ClockView | None]:
        """A bot moves at once: its clock would only flicker."""
        return [
            clocks.shown(self.game, self.snapshot, seat.number, self.now) if seat.player == Seat.Player.PERSON else None
            for seat in self.seats
        ]

    @cached_property
    def holidays(self) -> dict[int, datetime]:
        """Who is on holiday at this moment, and until when."""
        away = clocks.on_holiday(self.game, self.snapshot.sitters)
        return {seat: until for seat, until in away.items() if until > self.now}

    @cached_property
    def standing(self) -> dict[str, str]:
        """For those who do not see the board."""
        state = self.state
        pieces = (
            ("edge", "road", state.roads),
            ("vertex", "settlement", state.settlements),
            ("vertex", "city", state.cities),
        )
        standing = {
            f"{place}-{number}": f"{name}: {piece}"
            for place, piece, by_seat in pieces
            for name, numbers in zip(self.names, by_seat, strict=True)
            for number in members(numbers)
        }
        return standing | ({f"hex-{state.robber}": "robber"} if state.rules.robber else {})


def page_of(scene: Scene, viewer: int | None) -> Page:
    """The page of one viewer; ``None`` is a spectator."""
    own = None if viewer is None else scene.seats[viewer]
    is_replaced = own is not None and own.player == Seat.Player.STAND_IN
    view = player_view(scene.state, viewer)
    may_move = scene.game.status == Game.Status.RUNNING and not is_replaced
    if not may_move:
        view["choices"] = {}
    choices = view["choices"]
    teller = words.Teller(scene.names, viewer, place_names(view["board"]))
    prompt = words.prompt(teller, view, scene.game.status, is_replaced=is_replaced)
    asked = _asked(scene, viewer)
    # The types of the rest are the view's own.
    shown = cast("Shown", {key: value for key, value in view.items() if key not in ("seats", "offers")})
    return {
        **shown,
        **scene.mark,
        "game": scene.game.pk,
        "status": scene.game.status,
        "now": scene.now,
        "seats": [_player(scene, seat, view["seats"][seat.number], viewer) for seat in scene.seats],
        "offers": [_offer_card(scene, view, offer, teller) for offer in view["offers"]],
        "reasons": {} if viewer is None else _reasons(scene, view, viewer, "" if may_move else prompt),
        "next": _next(choices),
        "turn_button": _turn_button(scene, viewer, choices),
        "places": place_choices(choices),
        "standing": scene.standing,
        "bank_notes": words_trades.bank_notes(view) if "trade_with_bank" in choices else None,
        "victims": [_victim(view, way["victim"]) for way in choices.get("steal", [])],
        "prompt": prompt,
        "dice_words": words.dice(view["dice"]),
        "asked": asked,
        "asks": words_clocks.ASKS.get(asked, ""),
        "last_call": words_clocks.LAST_CALLS["answer" if asked == "offer" else view["phase"]] if asked else "",
        "is_replaced": is_replaced,
        "if_absent": None if own is None else own.if_absent,
        "pace": None if scene.game.pace is None else scene.game.pace["name"],
        "proposals": [_proposal_card(scene, proposal, teller) for proposal in scene.proposals],
        "removable": _removable(scene, viewer),
        "orders": "" if viewer is None else words_orders.link(scene.snapshot.sitters[viewer].orders),
        "after": scene.after,
        "log": log_of(scene.log, teller),
    }


def dumps(page: Mapping[str, object]) -> str:
    """A page, or what holds one, as it is sent."""
    return json.dumps(page, default=datetime.isoformat, separators=(",", ":"))


# Seats


def _player(scene: Scene, seat: Seat, shown: SeatView, viewer: int | None) -> Player:
    return {
        **shown,
        "name": seat.name,
        "colour": COLOURS[seat.colour],
        "emblem": EMBLEMS[seat.colour],
        "player": seat.player,
        "strength": seat.strength,
        "is_bot_account": seat.is_bot_account,
        "clock": scene.clocks[seat.number],
        "presence": words_clocks.presence(seat, viewer, scene.holidays.get(seat.number)),
    }


def _asked(scene: Scene, viewer: int | None) -> Asked:
    """What the game wants of the viewer."""
    is_running = scene.game.status == Game.Status.RUNNING
    if viewer is None or not is_running or scene.seats[viewer].player != Seat.Player.PERSON:
        return ""
    return cast("Asked", awaited.asked(scene.state, viewer).value)


# Offers

_OFFER_MOVES: Final = ("confirm_trade", "accept_offer", "counter_offer", "reject_offer", "withdraw_offer")


def _offer_card(scene: Scene, view: View, offer: OfferView, teller: words.Teller) -> OfferCard:
    expected = {*offer["to"]} - {*offer["accepted"], *offer["rejected"]} - scene.holidays.keys()
    is_open = scene.game.status == Game.Status.RUNNING and bool(expected)
    clock = scene.snapshot.offer_clocks.get(offer["number"]) if is_open else None
    return {
        **offer,
        "title": teller.offer_title(offer),
        "words": teller.offer(offer),
        "terms": teller.terms(offer),
        "said": [_answer(offer, seat, teller) for seat in offer["to"]],
        "buttons": [
            {"kind": kind, "words": teller.offer_button(kind, way, offer), "move": {"kind": kind, **way}}
            for kind in _OFFER_MOVES
            # Whoever said yes takes that back, which leaves the offer open to them; saying no would not.
            if not (kind == "reject_offer" and teller.viewer in offer["accepted"])
            for way in listed(view["choices"]).get(kind, [])
            if way["offer"] == offer["number"]
        ],
        "missing": words.missing(own_seat(view), offer["gets"]) if teller.viewer in offer["to"] else "",
        "ends": clock.answers_due if clock else None,
    }


def _answer(offer: OfferView, seat: int, teller: words.Teller) -> Answer:
    answer: words.OfferAnswer = "none"
    if seat in offer["accepted"]:
        answer = "accepted"
    elif seat in offer["rejected"]:
        answer = "rejected"
    return {"seat": seat, "answer": answer, "words": teller.answer(seat, answer)}


# What people agree on


def _proposal_card(scene: Scene, proposal: Proposal, teller: words.Teller) -> ProposalCard:
    by = Seat.number_of(proposal.by_id)
    whom = None if proposal.whom_id is None else Seat.number_of(proposal.whom_id)
    voters = scene.snapshot.voters(whom)
    votes = {Seat.number_of(vote.seat_id): vote.agrees for vote in proposal.votes.all()}
    said = {seat: _VOTES[votes.get(seat)] for seat in voters}
    return {
        "number": proposal.pk,
        "by": by,
        "words": words_agreements.proposes(teller, by, proposal.kind, proposal.pace, whom),
        "objections": _objections(scene, proposal, [seat for seat in voters if seat not in votes], teller),
        "clock": clocks.to_answer(scene.game, proposal),
        "said": [
            {"seat": seat, "answer": answer, "words": words_agreements.answer(teller, seat, answer)}
            for seat, answer in said.items()
        ],
        "buttons": _proposal_buttons(scene, teller.viewer, by, whom, votes),
    }


def _objections(scene: Scene, proposal: Proposal, silent: Sequence[int], teller: words.Teller) -> str:
    absent = scene.snapshot.without_a_say
    if proposal.kind == Proposal.Kind.REMOVE or not (absent or (proposal.awaits_objections and silent)):
        return ""
    return words_agreements.objections(teller, absent, silent, is_agreed=proposal.awaits_objections)


_VOTES: Final[Mapping[bool | None, words.OfferAnswer]] = {True: "accepted", False: "rejected", None: "none"}


def _proposal_buttons(
    scene: Scene, viewer: int | None, by: int, whom: int | None, votes: Mapping[int, bool]
) -> list[ProposalButton]:
    """Whoever has answered may still change their mind. Who has missed deadlines is back as soon as they speak."""
    if viewer is None or not _may_agree(scene, viewer):
        return []
    if viewer in (by, whom):
        mine = words_agreements.TAKE_BACK if viewer == by else words_agreements.I_AM_HERE
        return [{"answer": "decline", "words": mine}]
    buttons: list[ProposalButton] = [
        {"answer": "agree", "words": words_agreements.BUTTONS["agree"]},
        {"answer": "decline", "words": words_agreements.BUTTONS["decline"]},
    ]
    said = votes.get(viewer)
    return [button for button in buttons if said is None or said != (button["answer"] == "agree")]


def _removable(scene: Scene, viewer: int | None) -> list[int]:
    if viewer is None or not _may_agree(scene, viewer):
        return []
    proposed = {proposal.whom_id for proposal in scene.proposals}
    return [
        seat
        for seat, sitter in enumerate(scene.snapshot.sitters)
        if sitter.is_away and seat not in {viewer, *scene.holidays} and Seat.key(scene.game.pk, seat) not in proposed
    ]


def _may_agree(scene: Scene, viewer: int) -> bool:
    is_going = scene.game.status in (Game.Status.RUNNING, Game.Status.RESTING)
    return is_going and scene.seats[viewer].player == Seat.Player.PERSON


# What can be done


def _reasons(scene: Scene, view: View, viewer: int, obstacle: str) -> dict[str, str]:
    """Why each action cannot be taken: because of what keeps the viewer from moving at all, or by the rules."""
    if obstacle:
        return dict.fromkeys((*(move.kind for move in ACTIONS), "trade"), obstacle)
    reasons = {
        kind: words.cannot_pay(view, kind) if code == "cannot_pay" else sentence
        for kind, (code, sentence) in why_not(scene.state, viewer).items()
    }
    if "offer_trade" not in view["choices"] and "trade_with_bank" not in view["choices"]:
        reasons["trade"] = reasons["offer_trade"]
    return reasons


def _next(choices: Choices) -> str | None:
    for kind in ("roll", "steal"):
        if kind in choices:
            return kind
    return "end_turn" if choices.keys() == {"end_turn"} else None


def _turn_button(scene: Scene, viewer: int | None, choices: Choices) -> str:
    for kind in ("roll", "steal", "stop_placing_roads"):
        if kind in choices:
            return kind
    return "end_turn" if scene.state.active == viewer and scene.state.rolled else "roll"


def _victim(view: View, seat: int) -> Victim:
    return {"seat": seat, "words": words.cards_held(view["seats"][seat]["hand_size"])}


# The log


def log_of(log: Iterable[Happened], teller: words.Teller) -> list[LogEntry]:
    """What happened, in sentences for the teller's viewer. What a roll brings is told with the roll."""
    entries: list[LogEntry] = []
    for version, events in log:
        for event in events:
            seen = event.seen_by(teller.viewer)
            if seen["kind"] == "received":
                entries[-1]["gains"].append(_gain(seen, teller))
            elif text := teller.tell(seen):
                entries.append(_log_entry(version, seen, text, teller))
    return entries


def _log_entry(version: int, event: Seen, text: str, teller: words.Teller) -> LogEntry:
    return {
        "version": version,
        "seat": event["seat"] if event["seat"] >= 0 else None,
        "text": text,
        "gains": [],
        "where": teller.where(event),
        "places": places_of(event),
        "event": event,
    }


def _gain(event: Seen, teller: words.Teller) -> Gain:
    return {"seat": event["seat"], "words": teller.tell(event), "resources": event["resources"]}


def opening(game: Game, order: Sequence[int]) -> Happened:
    """Who rolled what for the first turn, and who begins."""
    rounds = [{int(seat): roll for seat, roll in sorted(rolls.items())} for rolls in game.rolls]
    rolled = [
        Event("rolled_for_first_turn", -1, {"rolls": rolls, "again": list(again)})
        for rolls, again in zip_longest(rounds, rounds[1:], fillvalue=dict[int, int]())
    ]
    return Happened(0, [*rolled, Event("begins", order[0], {"order": list(order)})])


_CAUSES: Final[Mapping[str, str]] = {
    Move.By.TIMEOUT: "time_was_up",
    Move.By.CONNECTION: "connection_was_lost",
    Move.By.ORDER: "by_order",
    Move.By.MODERATOR: "by_moderators",
}


def happened(version: int, seat: int, by: str, events: Sequence[Event]) -> Happened:
    """A move's events; first, where nobody chose it in that moment, why it was made."""
    cause = [Event(_CAUSES[by], seat, {})] if by in _CAUSES else []
    return Happened(version, [*cause, *events])


# What never changes while a game is played


class Phrases(TypedDict):
    """What scripts say about things that they alone know: what has been pressed, what has been counted."""

    places: words.PlaceNames
    taken_place: str
    press_again: dict[str, str]
    choose_place: dict[str, str]
    connection_lost: str
    cards: list[str]
    card_names: dict[str, str]
    not_known: str
    time_left: words_clocks.TimeLeft
    time_is_up: str
    titles: words_clocks.Titles
    saved: str
    trades: words_trades.TradePhrases
    #: What each resource is, and each kind of piece on the board.
    resources: dict[str, str]
    pieces: dict[str, str]
    #: The hints of a first game, in a game that has them.
    hints: dict[words_help.HintName, str]


def phrases(page: Page) -> Phrases:
    rules = RuleSet.from_json(page["rules"])
    return {
        "places": words.names_of_places(place_names(page["board"])),
        "taken_place": words.TAKEN_PLACE,
        "press_again": words.PRESS_AGAIN,
        "choose_place": words.CHOOSE_PLACE,
        "connection_lost": words.CONNECTION_LOST,
        "cards": list(words.CARD_TITLES),
        "card_names": words.CARD_NAMES,
        "not_known": words.NOT_KNOWN,
        "time_left": words_clocks.TIME_LEFT,
        "time_is_up": words_clocks.TIME_IS_UP,
        "titles": words_clocks.TITLES,
        "saved": words_clocks.SAVED,
        "trades": words_trades.phrases(),
        "resources": words_help.resources(),
        "pieces": words_help.pieces(rules),
        "hints": words_help.hints(rules) if _is_guided(page) else {},
    }


def _is_guided(page: Page) -> bool:
    """Whoever plays against bots alone keeps nobody waiting, and may be told how it goes."""
    others = [seat["player"] for seat in page["seats"] if seat["seat"] != page["viewer"]]
    return page["viewer"] is not None and all(player == Seat.Player.BOT for player in others)
