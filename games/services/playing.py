"""A game from its deal to its last move."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

import structlog
from django.db import IntegrityError, transaction

from games import awaited, clocks, ordered, orders, rows, selectors, signals, snapshots, store
from games.models import ABSENT_AFTER, Game, GameSecret, Move, Presence, Seat, StrengthOfBot
from games.orders import Decision
from games.paces import DEFAULT_BOT_SPEED, BotSpeed, Pace
from games.page import Happened, Mark, happened
from games.rules import (
    RULES_VERSION,
    Event,
    Phase,
    Refusal,
    RuleSet,
    SeededChance,
    State,
    commitment,
    default_move,
    play,
    player_view,
    start,
    to_act,
)
from games.rules import Move as RulesMove
from games.rules.boards import Layout
from games.rules.chance import stream_key
from games.rules.moves import MOST_SEATS, EndTurn, WithdrawOffer
from games.rules.phases import OUT_OF_TURN
from games.rules.records import SEED_LENGTH, deal_from
from games.services.agreements import recount
from games.services.locking import (
    announce,
    locked,
    locked_to_judge,
    log_intervention,
    require_running,
    resign_as_last,
    start_clocks,
    tell_awaited,
    tell_clocks,
    tell_end,
    tell_offers,
    trusted_rows,
    wake,
    write_game,
    write_orders,
    write_sitters,
)
from games.services.news import News
from games.services.refusals import ClientIdTaken, NothingToDo, NotYourSeat, StaleVersion
from games.services.resting import has_been_left, rest
from games.store import Sitter, Snapshot

log = structlog.get_logger(__name__)

By: TypeAlias = Move.By
IfAbsent: TypeAlias = Seat.IfAbsent

#: How soon an order that its owner's eyes hold back is looked at again.
LOOKED_AT_AGAIN: Final = timedelta(seconds=10)

_HANDED_OVER: Final[dict[str, str]] = {Seat.Player.STAND_IN: "replace_by_bot", Seat.Player.BOT: "withdraw"}


# Starting


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes a seat: a person, known by a user, or a bot."""

    name: str
    user_id: int | None = None
    #: Of a bot; a person has none.
    strength: StrengthOfBot = ""
    #: Whether a program plays the account of the user.
    is_bot_account: bool = False
    #: What the player mixes into the game's chance; drawn for them if they have none.
    nonce: str = ""
    #: Of their pieces, see games.page.COLOURS; whoever has none gets the first that is left.
    colour: int | None = None
    #: Somebody on holiday can sit down too.
    holiday_until: datetime | None = None

    def sitter(self, if_absent: str) -> Sitter:
        player = Seat.Player.BOT if self.strength else Seat.Player.PERSON
        return Sitter(player, if_absent, holiday_until=self.holiday_until, strength=self.strength)


def start_game(
    rules: RuleSet,
    layout: Layout,
    players: Sequence[Entrant],
    *,
    now: datetime,
    pace: Pace | None = None,
    bot_speed: BotSpeed = DEFAULT_BOT_SPEED,
    spectators_allowed: bool = True,
    seed: bytes | None = None,
    board_seed: bytes | None = None,
) -> Game:
    """Deal a game for these players, in the order of their seats; its board as they saw it, if they did."""
    seed = seed or new_seed()
    nonces = [player.nonce or secrets.token_hex(16) for player in players]
    colours = _colours(players)
    dealt = deal_from(rules, len(players), layout, seed, nonces, board_seed)
    state = start(rules, dealt)
    if_absent = IfAbsent.usual(pace)
    sitters = awaited.seated([player.sitter(if_absent) for player in players], state, now)
    with transaction.atomic():
        game = Game.objects.create(
            rules=rules.to_json(),
            rules_version=RULES_VERSION,
            layout=layout,
            commitment=commitment(seed),
            board_seed=board_seed,
            rolls=dealt.to_json()["rolls"],
            pace=pace and pace.to_json(),
            bot_speed=bot_speed,
            spectators_allowed=spectators_allowed,
            phase=state.phase.value,
            started_at=now,
        )
        GameSecret.objects.create(game=game, seed=seed, nonces=nonces)
        seats = Seat.objects.bulk_create(
            Seat.in_game(
                game.pk,
                number,
                place=state.order.index(number),
                colour=colours[number],
                user_id=player.user_id,
                name=player.name,
                is_bot_account=player.is_bot_account,
                **sitter.columns(),
            )
            for number, (player, sitter) in enumerate(zip(players, sitters, strict=True))
        )
        Presence.objects.bulk_create(Presence(seat=seat) for seat in seats)
        store.create(game.pk, state)
        write_game(game, rows.game_columns(game.pk, state))
        start_clocks(game, Snapshot(0, 0, state, sitters, stream_key(seed, nonces), {}), now)
        signals.send_after_commit(signals.game_started, game_id=game.pk)
        tell_awaited(game, {seat: sitter.asked for seat, sitter in enumerate(sitters) if sitter.asked})
    return game


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_LENGTH)


def _colours(players: Sequence[Entrant]) -> list[int]:
    chosen = {player.colour for player in players}
    left = (colour for colour in range(MOST_SEATS) if colour not in chosen)
    return [next(left) if player.colour is None else player.colour for player in players]


# Playing


@dataclass(frozen=True, slots=True)
class Played:
    """A move that is now part of the game."""

    #: The move's number, which is the version that it led to.
    version: int
    events: list[Event]
    #: The game right after the move; for one that was sent again, as it is now.
    snapshot: Snapshot
    news: News

    @property
    def state(self) -> State:
        return self.snapshot.state


def play_move(
    game_id: int, move: RulesMove, *, version: int, now: datetime, client_id: str | None = None, by: By = By.PLAYER
) -> Played:
    """Play a seat's move on the version of the game that its player saw.

    A person's discards and answers to offers count whatever version that was, if they are legal now:
    several choose at the same moment, and must not get in each other's way.

    A client that does not hear back sends the same move with the same client id again: the move
    counts once, and the answer is the one that was lost.
    """
    with trusted_rows(game_id, now):
        try:
            with locked(game_id) as game:
                if not _may_be_late(game, move, version, by):
                    _require_version(game, version)
                require_running(game)
                snapshot = snapshots.of(game)
                _require_sitter(snapshot, move.seat, by)
                return _play(game, snapshot, move, _chance(snapshot), by=by, now=now, client_id=client_id)
        except (Refusal, IntegrityError):
            # What is refused now may have been played before, and the answer lost on its way.
            with locked(game_id) as game:
                repeated = _find_played(game, move, client_id, now)
            if repeated:
                return repeated
            raise


def play_timeout(
    game_id: int, seat: int, *, version: int, now: datetime, offer: int | None = None, by: By = By.TIMEOUT
) -> Played:
    """Play what the rules do for a seat that does not act, if the game still waits for it.

    It is so for a bot that has no idea, too; then it is the bot's move, and nobody's time was up.
    """
    with trusted_rows(game_id, now), locked(game_id) as game:
        _require_version(game, version)
        require_running(game)
        return _play_default(game, snapshots.of(game), seat, offer, now, by)


def play_timeout_now(game_id: int, *, version: int, now: datetime) -> Played:
    """Play at a moderator's word what the clock would play for one seat to act, a person's if there is one.

    It is so without a clock, too. Nobody counts as late by it: their time was not up.
    """
    with trusted_rows(game_id, now), locked(game_id) as game:
        require_running(game)
        _require_version(game, version)
        snapshot = snapshots.of(game)
        acting = to_act(snapshot.state)
        seat = next((each for each in acting if each not in snapshot.bots), acting[0])
        return _play_default(game, snapshot, seat, None, now, By.MODERATOR)


def play_overdue(game_id: int, now: datetime) -> bool:
    """Play for one seat whose time is up at this moment, if there is one; tells whether there is another.

    Two workers that look at once lock the row in turn, and the second finds new clocks.
    """
    with trusted_rows(game_id, now), locked_to_judge(game_id, now) as (game, alive_at):
        if game.status != Game.Status.RUNNING:
            return False
        snapshot = snapshots.of(game)
        late = clocks.late_seat(game, snapshot, alive_at)
        if late is None:
            return False
        seat, offer = late
        if decision := ordered.decision_of(snapshot.sitters, snapshot.state, seat, clocks.pace_of(game)):
            # Whoever has left an order for it is not late, even if the workers are.
            _carry_out(game, snapshot, decision, now)
            return True
        if _has_heard_of_holiday(game, snapshot, seat, offer, now):
            return True
        # Where the seat changes hands with this timeout, whether to rest is asked once the stand-in is about to move.
        if offer is None and not _changes_hands(snapshot.sitters[seat]) and has_been_left(game, snapshot, now):
            rest(game, snapshot, now)
            return False
        if offer is None and _resigns(snapshot.sitters[seat]) and snapshot.is_last_person(seat):
            resign_as_last(game, snapshot, seat, now)
            return False
        # Not to answer an offer is an answer; everything else makes one late.
        sitters = _note_late(game, snapshot, seat, now) if offer is None else snapshot.sitters
        played = _play_default(game, snapshot, seat, offer, now, By.TIMEOUT, sitters)
        return clocks.late_seat(game, played.snapshot, alive_at) is not None


def _has_heard_of_holiday(game: Game, snapshot: Snapshot, seat: int, offer: int | None, now: datetime) -> bool:
    """Whether somebody has been on holiday, of which nobody had told the game: its clocks are others then."""
    pace = clocks.pace_of(game)
    if pace is None or pace.is_live:
        return False
    known = game.revision
    seats = to_act(snapshot.state) if offer is None else [seat]
    due = game.deadline if offer is None else snapshot.offer_clocks[offer].answers_due
    signals.send_within(signals.time_running_out, game=game, seats=seats, due=due, now=now)
    return game.revision != known


def play_ordered(game_id: int, now: datetime) -> None:
    """Carry out one standing order, if it is time for that.

    What it is, is decided under the lock: an order that was cancelled is not carried out any more, and of two workers
    that look at once the second finds a later moment.
    """
    with trusted_rows(game_id, now), locked(game_id) as game:
        if game.status != Game.Status.RUNNING or game.orders_due is None or game.orders_due > now:
            return
        snapshot = snapshots.of(game)
        decisions = ordered.decisions(snapshot.sitters, snapshot.state, clocks.pace_of(game))
        if not decisions:
            write_game(game, {"orders_due": None})
        elif _is_for_its_owner(game, decision := decisions[min(decisions)], now):
            write_game(game, {"orders_due": now + LOOKED_AT_AGAIN})
        else:
            _carry_out(game, snapshot, decision, now)


def _is_for_its_owner(game: Game, decision: Decision, now: datetime) -> bool:
    """Whoever looks at the game may have something to offer yet: their turn is not ended under their hands."""
    is_end = isinstance(decision.move, EndTurn)
    return is_end and bool(selectors.looked_at([Seat.key(game.pk, decision.move.seat)], now))


def _carry_out(game: Game, snapshot: Snapshot, decision: Decision, now: datetime) -> None:
    """An order that is refused is set aside, so that it is not tried for ever."""
    seat = decision.move.seat
    book = snapshot.sitters[seat].orders
    sitters = snapshot.sitters_with(seat, orders=book.after(decision, player_view(snapshot.state, seat)))
    try:
        _play(game, snapshot, decision.move, _chance(snapshot), by=By.ORDER, now=now, sitters=sitters)
    except Refusal as refusal:
        # What it says is for its owner alone: not for the log either.
        log.error("order_refused", game=game.pk, seat=seat, refusal=refusal.code)
        write_orders(game, snapshot, seat, book.without(decision.number, orders.REFUSED), now)


def withdraw_promises(game_id: int, seat: int, now: datetime) -> None:
    """Take back what somebody who lost the connection offered or agreed to, as the rules of online play ask."""
    while True:
        with trusted_rows(game_id, now), locked(game_id) as game:
            if game.status != Game.Status.RUNNING:
                return
            snapshot = snapshots.of(game)
            promised = [offer for offer in snapshot.state.offers if offer.maker == seat or seat in offer.accepted]
            # Whoever has resigned is not missed: a bot keeps the promises of their seat.
            if not promised or snapshot.sitters[seat].player == Seat.Player.BOT:
                return
            _play(game, snapshot, WithdrawOffer(seat, promised[0].number), _chance(snapshot), by=By.CONNECTION, now=now)


def put_bots_off(game_id: int, until: datetime, *, version: int, revision: int) -> None:
    """No bot may act yet: look again then, unless somebody does something before."""
    seen = Game.objects.filter(pk=game_id, version=version, revision=revision, status=Game.Status.RUNNING)
    seen.update(bots_due=until)


def _play_default(
    game: Game,
    snapshot: Snapshot,
    seat: int,
    offer: int | None,
    now: datetime,
    by: By,
    sitters: tuple[Sitter, ...] | None = None,
) -> Played:
    """What the rules do for a seat that does not act."""
    chance = _chance(snapshot)
    move = default_move(snapshot.state, seat, chance, offer)
    if move is None:
        raise NothingToDo("The game does not wait for this seat.")
    return _play(game, snapshot, move, chance, by=by, now=now, sitters=sitters)


def _play(
    game: Game,
    snapshot: Snapshot,
    move: RulesMove,
    chance: SeededChance,
    *,
    by: By,
    now: datetime,
    client_id: str | None = None,
    sitters: tuple[Sitter, ...] | None = None,
) -> Played:
    """The one path of a move, under the game's lock: rules, rows, log, and after commit the news.

    The sitters are those of the snapshot, unless they change with this move.
    """
    after = snapshot.state.copy()
    events = play(after, move, chance)
    version = game.version + 1
    if sitters is None:
        sitters = _after_own(snapshot, move) if by is By.PLAYER else snapshot.sitters
    sitters = ordered.kept(awaited.seated(sitters, after, now), after)
    write_sitters(game, snapshot.sitters, sitters)
    now_shown = clocks.after_move(game, replace(snapshot, sitters=sitters), after, now)
    changes = store.save(game.pk, snapshot.state, after, now_shown.offers)
    changes |= {"version": version, "revision": game.revision, **now_shown.columns}
    known_offers = {offer.number for offer in snapshot.state.offers}
    store.set_offer_clocks(
        game.pk,
        {
            number: clock
            for number, clock in now_shown.offers.items()
            if number in known_offers and clock != snapshot.offer_clocks[number]
        },
    )
    if after.phase is Phase.OVER:
        changes |= {"status": Game.Status.OVER, "ended_at": now}
    known, known_short = clocks.moments(game), clocks.short_from(game, snapshot)
    write_game(game, changes)
    payload = move.to_json()
    del payload["kind"], payload["seat"]
    Move.objects.create(
        game=game,
        number=version,
        seat_id=Seat.key(game.pk, move.seat),
        kind=move.kind,
        payload=payload,
        draws=chance.drawn,
        events=[event.to_json() for event in events],
        by=by,
        client_id=client_id,
        played_at=now,
    )
    played = Snapshot(version, game.revision, after, sitters, snapshot.key, now_shown.offers, snapshot.orders_revision)
    transaction.on_commit(lambda: snapshots.put(game.pk, played))
    tell_offers(game, snapshot, played)
    tell_clocks(game, played, known_short, now)
    news = _news(game, snapshot, played, happened(version, move.seat, by, events), now)
    announce(news)
    wake(game, clocks.moments(game) - known, now, news)
    if after.phase is Phase.OVER:
        tell_end(game)
    elif _have_a_say(sitters) != _have_a_say(snapshot.sitters):
        recount(game, now)
    return Played(version, events, played, news)


def _after_own(snapshot: Snapshot, move: RulesMove) -> tuple[Sitter, ...]:
    """Whoever moves is not late, and their orders leave alone what they have answered."""
    book = ordered.after_answer(snapshot.sitters[move.seat], snapshot.state, move)
    return snapshot.sitters_with(move.seat, late=0, orders=book)


def _have_a_say(sitters: Sequence[Sitter]) -> list[bool]:
    return [sitter.has_a_say for sitter in sitters]


def _news(game: Game, before: Snapshot, played: Snapshot, move: Happened, now: datetime) -> News:
    after: Mark = {"version": before.version, "revision": before.revision}
    if played.revision != before.revision:
        # More has happened than this move: the log knows what.
        return News(lambda: selectors.scene(game.pk, after=after, now=now))
    return News(lambda: selectors.scene_after(game, played, [move], after, now))


# Punctuality


def _note_late(game: Game, snapshot: Snapshot, seat: int, now: datetime) -> tuple[Sitter, ...]:
    """One more timeout in a row; after too many, whom the person wanted plays on. The move that follows writes it."""
    sitter = snapshot.sitters[seat]
    late = sitter.late + 1
    player = _who_plays_on(sitter, late)
    if player == sitter.player:
        return snapshot.sitters_with(seat, late=late)
    # The move that follows writes the game's row too, and tells of both.
    game.revision += 1
    seat_id, number = Seat.key(game.pk, seat), game.version + 1
    log_intervention(game, _HANDED_OVER[player], now=now, seat_id=seat_id, after_move=number)
    return snapshot.handed_over(seat, player, late=late)


def _resigns(sitter: Sitter) -> bool:
    """With one more timeout."""
    return sitter.player == Seat.Player.PERSON and _who_plays_on(sitter, sitter.late + 1) == Seat.Player.BOT


def _changes_hands(sitter: Sitter) -> bool:
    """With one more timeout."""
    return _who_plays_on(sitter, sitter.late + 1) != sitter.player


def _who_plays_on(sitter: Sitter, late: int) -> str:
    wish = sitter.if_absent
    if sitter.player != Seat.Player.PERSON or late == 0 or wish == IfAbsent.WAIT:
        return sitter.player
    if wish == IfAbsent.AT_ONCE or (wish == IfAbsent.STAND_IN and late >= ABSENT_AFTER):
        return Seat.Player.STAND_IN
    return Seat.Player.BOT if wish == IfAbsent.RESIGN and late >= ABSENT_AFTER else sitter.player


# What a move must fit


def _require_version(game: Game, version: int) -> None:
    if version != game.version:
        raise StaleVersion(game.version)


def _may_be_late(game: Game, move: RulesMove, version: int, by: By) -> bool:
    """A choice that others make at the same time. Of two workers that ask one bot, the second is late, though."""
    return by is By.PLAYER and type(move) in OUT_OF_TURN and version < game.version


def _require_sitter(snapshot: Snapshot, seat: int, by: By) -> None:
    """A stand-in and its person must not both play: between a look and a move the seat may have changed hands."""
    player = snapshot.sitters[seat].player if seat < len(snapshot.sitters) else Seat.Player.PERSON
    if by is By.PLAYER and player == Seat.Player.STAND_IN:
        raise NotYourSeat("A stand-in plays your seat: take it back first.")
    if by in (By.BOT, By.STAND_IN) and player == Seat.Player.PERSON:
        raise NotYourSeat("The person of this seat is back.")


def _chance(snapshot: Snapshot) -> SeededChance:
    """The stream of the next move."""
    return SeededChance(snapshot.key, snapshot.version + 1)


def _find_played(game: Game, move: RulesMove, client_id: str | None, now: datetime) -> Played | None:
    """The move that this client id stands for, with the answer it had."""
    if client_id is None:
        return None
    found = Move.objects.filter(game=game, client_id=client_id).first()
    if found is None:
        return None
    if found.to_json() != move.to_json():
        raise ClientIdTaken("This id was used for another move: give each move an id of its own.")
    events = [Event.from_json(event) for event in found.events]
    snapshot = snapshots.of(game)
    after: Mark = {"version": found.number - 1, "revision": snapshot.revision}
    return Played(found.number, events, snapshot, News(lambda: selectors.scene(game.pk, after=after, now=now)))
