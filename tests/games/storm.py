"""A game in bad weather: everything that can happen to it happens, in any order, on a clock that the storm moves.

People make whatever moves they like, on what they saw a while ago too; bots and stand-ins play; clocks run
out singly and together; connections are lost and found; the site goes down; the game is paused, and moderators step in
otherwise; standing orders are given, cancelled and carried out; people go on holiday, agree on another pace, on its end
or on whom they wait for no longer, or leave it, all of them or all but those who play without a page; workers look
late, twice, and in two places. After every step the game must still have a way on.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from unittest.mock import patch

import pytest
from django.db import connection
from structlog.testing import capture_logs

from games import clocks, ordered, selectors, services, snapshots, tasks
from games.bots import builder
from games.clocks import unanswered
from games.models import Connection, Game, Presence, Proposal, Pulse, Seat
from games.orders import Accept, Build, Decline, KeepFirst, Order
from games.paces import LIVE, PACES
from games.rules import (
    IllegalMove,
    Move,
    Phase,
    RandomChance,
    Refusal,
    State,
    default_move,
    is_legal,
    legal_moves,
    player_view,
    points,
    to_act,
)
from games.rules.cards import BRICK, GRAIN, LUMBER, ORE, WOOL
from games.rules.phases import OUT_OF_TURN
from games.rules.phases.building import has_city_left, has_road_left, has_settlement_left, settlement_sites
from games.rules.phases.trading import has_built, may_trade
from games.rules.refusals import TooFast
from games.rules.topology import VERTEX_HEXES, members
from games.rules.views import choices
from games.services import NothingToDo, NotNow, NotRunning, presence
from games.services.presence import LOST_AFTER
from games.services.uptime import DOWN_AFTER, note_pulse
from games.store import Snapshot
from games.verification import differences
from lobby.models import User
from tests.rules.agreement import is_allowed, is_promise_broken, playable_moves, some_offer

from .conftest import Clock
from .ordering import some_order
from .playing import new_game
from .waiting import awaited, check_kept_sitters

#: Steps after which people stop fooling about and play to win; after which the weather clears, since a table of
#: stand-ins that trade with nobody may build for ever; after which people say yes to everything; and after which a
#: game counts as stopped.
PATIENCE = 120
CLEARS_AFTER = 800
GENEROUS_AFTER = 2_000
MOST_STEPS = 8_000
#: A log is replayed and compared with all rows every so many steps, and at the end.
VERIFY_EVERY = 60
#: Whom a game waits for is computed from scratch, which takes longer than a move, every so many steps.
AWAITED_EVERY = 5
#: So often the keepers may have to look until nothing is due.
LOOKS = 4

#: What people like to do in a storm.
LIKED = {
    **dict.fromkeys(("play_knight", "play_road_building", "play_monopoly", "play_year_of_plenty"), 40),
    **dict.fromkeys(("build_settlement", "build_city", "play_victory_point"), 40),
    **dict.fromkeys(("accept_offer", "confirm_trade", "buy_card", "skip_roll"), 12),
    **dict.fromkeys(("roll", "build_road", "reject_offer"), 4),
    "trade_with_bank": 0.3,
}


@dataclass(frozen=True)
class Weather:
    """All that decides how a storm begins: print it, and the same storm can be called up again."""

    rules: str
    seats: int
    pace: str
    bots: int
    bot_speed: str
    seed: int


class Storm:
    def __init__(self, weather: Weather, clock: Clock, users: Sequence[User]) -> None:
        self.weather = weather
        self.clock = clock
        self.source = Random(f"{weather}")
        self.users = users[: weather.seats]
        self.seen: deque[tuple[int, State]] = deque(maxlen=4)
        self.history: deque[str] = deque(maxlen=12)
        self.done: Counter[str] = Counter()
        self.steps = 0
        note_pulse(clock.now)
        self.game = new_game(
            weather.rules,
            seats=weather.seats,
            pace=weather.pace,
            bot_speed=weather.bot_speed,
            users=self.users,
            seed=f"{weather}",
        )
        for seat in self.source.sample(range(weather.seats), weather.bots):
            services.withdraw(self.game.pk, seat, now=self.clock.now)
        self.has_swept = False
        self.row, self.snapshot = snapshots.read(self.game.pk)
        self.marks, self.awaited = (self.row.version, self.row.revision), awaited(self.game.pk)

    # From the first step to the last

    def rage(self) -> None:
        """Until the game is over; but for the rare one that nobody can win any more."""
        try:
            # With the storm's own chance for bots, the same weather brings the same storm again.
            with capture_logs() as said, patch.object(tasks, "SystemRandom", lambda: self.source):
                while self.state.phase is not Phase.OVER and not self.is_broken_off:
                    assert self.steps < MOST_STEPS, "the game does not end"
                    self.step()
                    self.look()
                    self.check(said)
                    if self.steps > CLEARS_AFTER and not can_be_won(self.state):
                        self.done["cannot_be_won"] += 1
                        break
                self.done["deserted"] += self.is_deserted
                self.done["stopped"] += self.is_stopped
                assert differences(self.row) == []
        except Exception as error:
            error.add_note(f"in {self.weather}, at step {self.steps}, version {self.row.version}")
            error.add_note("before: " + "; ".join(self.history))
            raise

    def step(self) -> None:
        self.steps += 1
        if self.steps == CLEARS_AFTER:
            self._everybody_comes_back()
        happenings = HAPPENINGS if self.steps < CLEARS_AFTER else FAIR_WEATHER
        if self.row.status == Game.Status.RESTING:
            happenings = AT_REST
        happening = self.source.choices(list(happenings), list(happenings.values()))[0]
        self.history.append(happening.__name__)
        self.done[happening.__name__] += 1
        self.has_swept = False
        happening(self)

    def _everybody_comes_back(self) -> None:
        for seat, sitter in enumerate(self.snapshot.sitters):
            services.choose_if_absent(self.game.pk, seat, Seat.IfAbsent.WAIT, now=self.clock.now)
            if sitter.player == Seat.Player.STAND_IN:
                services.give_back(self.game.pk, seat, now=self.clock.now)
        for user in self.users:
            services.set_holiday(user.pk, None, self.clock.now)
        self.look()

    def look(self) -> None:
        """The game as it is now, for the next step and for the checks after this one."""
        before = self.snapshot
        self.row, self.snapshot = snapshots.read(self.game.pk)
        if self.row.version > before.version:
            self._check_orders_played(before)

    @property
    def state(self) -> State:
        return self.snapshot.state

    @property
    def is_deserted(self) -> bool:
        """The last person has resigned, by a wish for when they are absent."""
        return all(sitter.player == Seat.Player.BOT for sitter in self.snapshot.sitters)

    @property
    def is_stopped(self) -> bool:
        """Everybody has agreed to stop it."""
        agreed = Proposal.objects.filter(game=self.game, kind=Proposal.Kind.STOP, outcome=Proposal.Outcome.AGREED)
        return agreed.exists()

    @property
    def is_broken_off(self) -> bool:
        return self.row.status == Game.Status.ABORTED

    # What people do

    def somebody_moves(self) -> None:
        snapshot = self.snapshot
        people = [seat for seat in waited_for(snapshot.state) if seat not in snapshot.bots]
        if people:
            self.seen.append((snapshot.version, snapshot.state))
            self._send(self._wish_of(self.source.choice(people), snapshot.state), snapshot.version)
        else:
            self.a_little_time_passes()

    def somebody_speaks_out_of_turn(self) -> None:
        """Anybody with something to say about an offer, whether they were asked or not."""
        snapshot = self.snapshot
        seat = self.source.randrange(self.weather.seats)
        if seat in snapshot.bots:
            return
        offer = some_offer(snapshot.state, seat, self.source)
        answers = [move for move in playable_moves(snapshot.state, seat) if type(move) in OUT_OF_TURN]
        if is_allowed(snapshot.state, offer) and self.source.random() < 0.6:
            self._send(offer, snapshot.version)
        elif answers:
            self._send(self.source.choice(answers), snapshot.version)

    def somebody_chooses_what_was_possible_a_while_ago(self) -> None:
        """Discards and answers on an old page: legal or not, they are never stale."""
        if not self.seen:
            return
        version, state = self.source.choice(self.seen)
        seat = self.source.randrange(self.weather.seats)
        answers = [move for move in playable_moves(state, seat) if type(move) in OUT_OF_TURN]
        if answers and seat not in self.snapshot.bots:
            try:
                services.play_move(self.game.pk, self.source.choice(answers), version=version, now=self.clock.now)
            except IllegalMove:
                self.done["refused"] += 1

    def _wish_of(self, seat: int, state: State) -> Move:
        trouble = self._trouble(seat, state)
        if trouble:
            return trouble
        if self.steps > GENEROUS_AFTER and (kindness := self._kindness(seat, state)):
            return kindness
        if self.steps > PATIENCE or self.source.random() < 0.35:
            move = builder.choose(player_view(state, seat), self.source)
            if move:
                return move
        if self.source.random() < 0.4:
            offer = some_offer(state, seat, self.source)
            if is_allowed(state, offer):
                return offer
        by_kind: dict[str, list[Move]] = {}
        for listed in legal_moves(state, seat):
            by_kind.setdefault(listed.kind, []).append(listed)
        kinds = self.source.choices(list(by_kind.values()), [LIKED.get(kind, 1) for kind in by_kind])[0]
        return self.source.choice(kinds)

    def _trouble(self, seat: int, state: State) -> Move | None:
        """A card that interrupts the turn while an offer waits for its answer: people do it on purpose."""
        cards = [move for move in legal_moves(state, seat) if move.kind in ("play_knight", "play_road_building")]
        if not cards or state.phase is not Phase.MAIN or self.source.random() < 0.2:
            return None
        if any(map(unanswered, state.offers)):
            return self.source.choice(cards)
        offers = (some_offer(state, seat, self.source) for _ in range(5))
        return next((offer for offer in offers if is_allowed(state, offer)), None)

    def _kindness(self, seat: int, state: State) -> Move | None:
        """A yes to whatever was offered, and any offer: where the bank does not trade, people must."""
        yes = [move for move in playable_moves(state, seat) if move.kind in ("accept_offer", "confirm_trade")]
        offer = some_offer(state, seat, self.source)
        if yes:
            return self.source.choice(yes)
        return offer if self.source.random() < 0.3 and is_allowed(state, offer) else None

    def _send(self, move: Move, version: int) -> None:
        self.history.append(f"{move}")
        # Nobody can see a broken promise before they confirm the trade; anything else that was possible is.
        expected = pytest.raises(IllegalMove, match="promise_broken") if self._is_broken(move) else nullcontext()
        with expected:
            services.play_move(self.game.pk, move, version=version, client_id=f"{self.steps}", now=self.clock.now)

    def _is_broken(self, move: Move) -> bool:
        if not is_promise_broken(self.state, move):
            return False
        self.done["promise_broken"] += 1
        return True

    def somebody_comes_or_goes(self) -> None:
        seat = self.source.randrange(self.weather.seats)
        open_pages = Connection.objects.filter(seat=Seat.key(self.game.pk, seat))
        if open_pages and self.source.random() < 0.6:
            presence.leave(open_pages[0].channel, self.clock.now, for_restart=self.source.random() < 0.1)
        else:
            presence.arrive(self.game.pk, self.users[seat].pk, f"{self.game.pk} {self.steps}", self.clock.now)
        for page in open_pages:
            presence.note_visible(page.channel, self.source.random() < 0.5)

    def somebody_promises_and_is_gone(self) -> None:
        """Whoever has made an offer, or said yes to one, closes every page of theirs and does not come back in time."""
        promised = [seat for offer in self.state.offers for seat in (offer.maker, *offer.accepted)]
        people = [seat for seat in promised if seat not in self.snapshot.bots]
        if people:
            self._lose(self.source.choice(people))

    def somebody_says_yes_and_is_gone(self) -> None:
        """Before the trade is confirmed, which few wait long with."""
        people = [seat for seat in self.state.seats if seat not in self.snapshot.bots]
        moves = (move for seat in people for move in playable_moves(self.state, seat))
        accepting = [move for move in moves if move.kind == "accept_offer"]
        if accepting:
            move = self.source.choice(accepting)
            self._send(move, self.snapshot.version)
            self._lose(move.seat)

    def _lose(self, seat: int) -> None:
        presence.arrive(self.game.pk, self.users[seat].pk, f"{self.game.pk} {self.steps}", self.clock.now)
        for page in Connection.objects.filter(seat=Seat.key(self.game.pk, seat)):
            presence.leave(page.channel, self.clock.now)
        self._pass(LOST_AFTER.total_seconds())
        self._look()

    def somebody_hands_over_their_seat(self) -> None:
        seat = self.source.randrange(self.weather.seats)
        choice = self.source.choice((services.replace_by_bot, services.give_back, services.give_back))
        if self.source.random() < 0.05 and len(self.snapshot.bots) < self.weather.seats - 1:
            choice = services.withdraw
        with suppress(NothingToDo):
            choice(self.game.pk, seat, self.clock.now)

    def somebody_changes_their_wish(self) -> None:
        seat, wish = self.source.randrange(self.weather.seats), self.source.choice(list(Seat.IfAbsent))
        services.choose_if_absent(self.game.pk, seat, wish, now=self.clock.now)

    def somebody_leaves_orders(self) -> None:
        seat = self.source.randrange(self.weather.seats)
        for _ in range(self.source.randint(1, 4)):
            self.look()
            book = self.snapshot.sitters[seat].orders
            order = some_order(player_view(self.state, seat), book, self.source)
            # Too many, or the contrary of another, or one that was given before, or a seat that was given up.
            with suppress(Refusal):
                services.give_order(self.game.pk, seat, order, now=self.clock.now)

    def somebody_cancels_an_order(self) -> None:
        """From then on nothing is done by it, whatever was due; now and then a worker looks in the same moment."""
        seats = [seat for seat, sitter in enumerate(self.snapshot.sitters) if sitter.orders.orders]
        if not seats:
            return
        seat = self.source.choice(seats)
        number = self.source.choice(self.snapshot.sitters[seat].orders.orders).number

        def cancel() -> None:
            # It may just have been carried out, and be gone, with the game if that was won by it.
            with suppress(NothingToDo, NotRunning):
                services.cancel_order(self.game.pk, seat, number, now=self.clock.now)

        if self.source.random() < 0.2:
            self._pass(clocks.ORDERS_PAUSE.total_seconds())
            both_at_once(cancel, lambda: tasks.act_when_due(self.game.pk))
        else:
            cancel()
        _, snapshot = snapshots.read(self.game.pk)
        assert snapshot.sitters[seat].orders.find(number) is None

    def everybody_goes_to_bed(self) -> None:
        """What was ordered is carried out, one thing after the other."""
        for _ in range(self.source.randint(1, 8)):
            self._pass(clocks.ORDERS_PAUSE.total_seconds())
            self._look()

    def somebody_proposes(self) -> None:
        """Whoever likes, about anything; much of it is not possible, or was asked for just now."""
        seat, others = self.source.randrange(self.weather.seats), range(self.weather.seats)
        away = [other for other, sitter in enumerate(self.snapshot.sitters) if sitter.is_away]
        with self._refusals():
            match self.source.choice(("pace", "pace", "stop", "remove", "remove")):
                case "pace":
                    services.propose_pace(self.game.pk, seat, self.source.choice(list(PACES)), self.clock.now)
                case "stop":
                    services.propose_stop(self.game.pk, seat, self.clock.now)
                case _:
                    whom = self.source.choice(away or others)
                    services.propose_removal(self.game.pk, seat, whom, self.clock.now)
            self.done["proposed"] += 1

    def somebody_answers(self) -> None:
        """Few want a game to be stopped."""
        proposals = list(Proposal.objects.filter(game=self.game, outcome=Proposal.Outcome.OPEN))
        if proposals:
            proposal = self.source.choice(proposals)
            agrees = self.source.random() < (0.2 if proposal.kind == Proposal.Kind.STOP else 0.8)
            with self._refusals():
                seat = self.source.randrange(self.weather.seats)
                services.answer(self.game.pk, seat, proposal.pk, agrees, self.clock.now)
                self.done["answered"] += 1

    def everybody_leaves(self) -> None:
        """Everybody who has a page open, that is, and none comes back for a while. Others never needed one."""
        seats = self.state.seats
        for seat in self.source.choice((seats, self.source.sample(seats, self.source.randint(1, len(seats))))):
            presence.arrive(self.game.pk, self.users[seat].pk, f"{self.game.pk} {self.steps} {seat}", self.clock.now)
        for page in Connection.objects.filter(seat__game=self.game):
            presence.leave(page.channel, self.clock.now)
        for _ in range(self.source.choice((1, 4, 12))):
            self._pass(40)
            self._look()

    def somebody_goes_on(self) -> None:
        people = [seat for seat, sitter in enumerate(self.snapshot.sitters) if sitter.player != Seat.Player.BOT]
        seat = self.source.choice(people)
        with self._refusals():
            services.go_on(self.game.pk, seat, self.clock.now)
            self.done["went_on"] += 1
            self._check_goes_on(Seat.objects.select_related("presence").get(pk=Seat.key(self.game.pk, seat)))

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """What cannot be done now is refused in a sentence, and nothing has changed."""
        before = selectors.mark_and_viewer(self.game.pk, None), proposals_of(self.game)
        try:
            yield
        except (NotNow, TooFast, services.BadExtension):
            self.done["not_agreed"] += 1
            assert (selectors.mark_and_viewer(self.game.pk, None), proposals_of(self.game)) == before

    def somebody_goes_on_holiday_or_comes_back(self) -> None:
        """For a while, for longer than they said, or back at once; often somebody whom the game waits for."""
        waiting = [seat for seat in waited_for(self.state) if seat not in self.snapshot.bots]
        seat = self.source.choice(waiting or list(self.state.seats))
        days = self.source.choice((0, 0, 0.0001, 1, 1, 5, 20))
        left = self._left()
        services.set_holiday(self.users[seat].pk, self.clock.now + timedelta(days=days), self.clock.now)
        self.look()
        if left is not None and left > timedelta():
            assert self._left() == left, "a holiday took or gave time"

    def _left(self) -> timedelta | None:
        """Of the time of those to act."""
        holidays = clocks.on_holiday(self.row, self.snapshot.sitters)
        still = [holidays[seat] for seat in to_act(self.state) if seat in holidays]
        return self.row.deadline and self.row.deadline - max([self.clock.now, *still])

    # What time does

    def a_little_time_passes(self) -> None:
        self._pass(self.source.uniform(0.1, 3))
        self._look()

    def a_clock_runs_out(self) -> None:
        """Whatever is due next becomes due, and a bit more."""
        due = [at for at in (self.row.deadline, self.row.answers_due, self.row.bots_due, self.row.orders_due) if at]
        if due:
            at = self.source.choice(due)
            self._pass(max(0.0, (at - self.clock.now).total_seconds()) + self.source.choice((0, 0.01, 1.5)))
        self._look()

    def somebody_dawdles(self) -> None:
        """Whatever else is due meanwhile, those to act let their time run out."""
        if self.row.deadline:
            self._pass(max(0.0, (self.row.deadline - self.clock.now).total_seconds()) + 1)
        self._look()

    def all_clocks_run_out(self) -> None:
        """The workers come late: everything there is has become due meanwhile."""
        self._pass(self.source.choice((60, 600, 15 * 24 * 3600)))
        self._look()

    def the_site_goes_down(self) -> None:
        self.clock.move(self.source.uniform(0, 2 * DOWN_AFTER.total_seconds()))
        if self.source.random() < 0.5:
            # Workers that are back before the first web process.
            self._look()
        note_pulse(self.clock.now)
        self._look()

    def _pass(self, seconds: float) -> None:
        """Web processes are alive all the while, and say so every second, of which the last one counts."""
        self.clock.move(seconds)
        Pulse.objects.update(at=self.clock.now)
        presence.keep_connections(self.clock.now)

    def _look(self) -> None:
        """The keepers of the clocks: in time, twice, in two places, or only the sweep."""
        how = self.source.random()
        if how < 0.6:
            tasks.sweep()
        elif how < 0.95:
            for _ in range(self.source.choice((1, 1, 2))):
                tasks.act_when_due(self.game.pk)
            tasks.sweep()
        else:
            both_at_once(lambda: tasks.act_when_due(self.game.pk), tasks.sweep)
            tasks.sweep()
        self.has_swept = True

    # What the server does

    def the_game_is_paused(self) -> None:
        services.pause(self.game.pk, now=self.clock.now)
        self._pass(self.source.choice((1, 30, 4000)))
        self._look()
        if self.source.random() < 0.3:
            self.somebody_comes_or_goes()
            self._pass(30)
            self._look()
        services.resume(self.game.pk, now=self.clock.now)

    def a_moderator_steps_in(self) -> None:
        """Not always with something that fits; on a page that may be a move old."""
        how = self.source.choice(("extend", "extend", "timeout", "timeout", "stand_in"))
        version = self.row.version - (self.source.random() < 0.1)
        with self._refusals():
            if how == "extend":
                more = timedelta(hours=self.source.choice((0.01, 1, 24, 72)))
                before = self.row.deadline
                services.extend(self.game.pk, more, now=self.clock.now, why="storm")
                self.look()
                assert before
                assert self.row.deadline == max(before, self.clock.now) + more
            elif how == "timeout":
                services.play_timeout_now(self.game.pk, version=version, now=self.clock.now)
            else:
                seat = self.source.randrange(self.weather.seats)
                services.stand_in(self.game.pk, seat, now=self.clock.now, why="storm")
            self.done[f"moderator_{how}"] += 1

    def a_process_forgets_the_game(self) -> None:
        snapshots.drop(self.game.pk)

    # What must hold

    def check(self, said: list[dict[str, object]]) -> None:
        assert [line for line in said if line["log_level"] in ("error", "critical")] == []
        said.clear()
        assert self.row.failures == 0
        assert self.row.proposals_open == sum(outcome == "" for outcome in proposals_of(self.game).values())
        is_over = self.state.phase is Phase.OVER
        status = Game.Status.ABORTED if self.is_deserted or self.is_stopped else Game.Status.RUNNING
        if self.row.status == Game.Status.RESTING:
            self._check_rest()
        else:
            assert self.row.status == (Game.Status.OVER if is_over else status)
        if self.row.status == Game.Status.RUNNING:
            self._check_way_on()
            self._check_clocks()
            if self.has_swept:
                self._check_nothing_is_overdue()
        if self.steps % AWAITED_EVERY == 0:
            self._check_awaited()
        if self.steps % VERIFY_EVERY == 0:
            assert differences(self.row) == []

    def _check_rest(self) -> None:
        """Nothing runs, nobody is waited for, and somebody may go on."""
        self.done["rested"] += 1
        assert (self.row.deadline, self.row.answers_due, self.row.bots_due) == (None, None, None)
        assert not any(sitter.asked for sitter in self.snapshot.sitters)
        assert not all(sitter.player == Seat.Player.BOT for sitter in self.snapshot.sitters)

    def _check_goes_on(self, seat: Seat) -> None:
        """Whoever goes on without a page is there: the game does not rest again because somebody else is late."""
        if seat.presence.is_here or seat.if_absent == Seat.IfAbsent.AT_ONCE:
            return
        self.done["went_on_without_a_page"] += 1
        self.look()
        self.somebody_dawdles()
        assert Game.objects.get(pk=self.game.pk).status != Game.Status.RESTING

    def _check_orders_played(self, before: Snapshot) -> None:
        """What was done by order, an order wanted that was there before: none that had been cancelled."""
        for move in self.row.moves.filter(number__gt=before.version, by="order"):
            self.done["ordered"] += 1
            book = before.sitters[Seat.number_of(move.seat_id)].orders
            assert any(wants(given.order, move.kind, move.payload) for given in book.orders), f"{move}: {book}"

    def _check_way_on(self) -> None:
        """Whoever is waited for can do something, and something can be done for them."""
        state = self.state
        waiting = waited_for(state)
        assert waiting, "the game waits for nobody"
        for seat in waiting:
            assert choices(state, seat), f"seat {seat} has nothing to press in {state.phase}"
            offers = [offer.number for offer in state.offers if seat in unanswered(offer)]
            # Nothing tells a bot without an idea about which offer it is asked.
            for offer in (*offers, None):
                move = default_move(state, seat, RandomChance(self.source), offer)
                assert move is not None, f"nothing is done for seat {seat} in {state.phase}"
                assert is_legal(state, move), f"{move} for seat {seat} in {state.phase}"

    def _check_clocks(self) -> None:
        """Whatever is waited for is waited for until a moment that is written down."""
        waiting = waited_for(self.state)
        assert (self.row.bots_due is not None) == bool(self.snapshot.bots.intersection(waiting)), "bots"
        decided = ordered.decisions(self.snapshot.sitters, self.state, clocks.pace_of(self.row))
        assert (self.row.orders_due is not None) == bool(decided), "orders"
        if self.row.pace:
            assert self.row.deadline is not None
            holidays = clocks.on_holiday(self.row, self.snapshot.sitters)
            asked = any(clocks.expected(offer, holidays) for offer in self.state.offers)
            assert (self.row.answers_due is not None) == asked, "answers"
            people_to_act = [until for seat, until in holidays.items() if seat in to_act(self.state)]
            is_late = self.row.deadline <= self.clock.now
            assert is_late or all(until <= self.row.deadline for until in people_to_act), "late on holiday"

    def _check_awaited(self) -> None:
        """The seats' columns are what the rows lead to, and what this process remembers of them."""
        current = awaited(self.game.pk)
        assert all(since <= self.clock.now for _, since in current.values())
        check_kept_sitters(self.game)
        marks = self.row.version, self.row.revision
        if marks == self.marks:
            assert current == self.awaited, "nothing was done, and somebody is asked anew"
        self.marks, self.awaited = marks, current

    def _check_nothing_is_overdue(self) -> None:
        """Right after the keepers have looked: nobody's time is up, and the lost have no promises left."""
        self._check_no_bot_is_stuck()
        self._check_no_order_is_stuck()
        alive_at = self.clock.now
        for _ in range(LOOKS):
            if not clocks.late_seat(self.row, self.snapshot, alive_at):
                break
            # A bot may just have come back from the robber to a turn that has no time left.
            tasks.sweep()
            self.look()
        if self.row.status == Game.Status.RUNNING:
            late = clocks.late_seat(self.row, self.snapshot, alive_at)
            assert late is None, f"{late} should have been played for"
            if self.row.pace is None or self.row.pace["name"] in LIVE:
                self._check_nobody_trades_with_the_lost()

    def _check_no_bot_is_stuck(self) -> None:
        """A bot whose moment has come does something at the next look, or is put off to a later moment."""
        if self.row.bots_due and self.row.bots_due <= self.clock.now:
            seen = self.row.version, self.row.bots_due
            tasks.sweep()
            self.look()
            assert (self.row.version, self.row.bots_due) != seen, f"no bot moves in {self.state.phase}"

    def _check_no_order_is_stuck(self) -> None:
        """It is carried out at the next look, or is put off before its owner's eyes."""
        if self.row.orders_due and self.row.orders_due <= self.clock.now:
            seen = self.row.version, self.row.orders_due
            tasks.sweep()
            self.look()
            assert (self.row.version, self.row.orders_due) != seen, f"no order is carried out in {self.state.phase}"

    def _check_nobody_trades_with_the_lost(self) -> None:
        if not self.state.offers:
            return
        for gone in Presence.objects.filter(
            seat__game=self.game.pk, is_here=False, lost_due=None, gone_at__isnull=False
        ):
            seat = Seat.number_of(gone.pk)
            promised = any(offer.maker == seat or seat in offer.accepted for offer in self.state.offers)
            is_kept_by_bot = self.snapshot.sitters[seat].player == Seat.Player.BOT
            assert not promised or is_kept_by_bot or self._spoke_since(gone), f"seat {seat} is gone"

    def _spoke_since(self, gone: Presence) -> bool:
        """Somebody without a page may still send moves: a program, or a page without scripts."""
        return self.row.moves.filter(seat=gone.pk, by="player", played_at__gt=gone.gone_at).exists()


def wants(order: Order, kind: str, told: Mapping[str, object]) -> bool:
    """Whether a move of this kind can come of an order."""
    match order:
        case Build():
            return kind == f"build_{order.piece}" and told["edge" if order.piece == "road" else "vertex"] == order.place
        case KeepFirst():
            return kind == "discard"
        case Accept():
            return kind == "accept_offer"
        case Decline():
            return kind == "reject_offer"
    return kind == order.kind


def proposals_of(game: Game) -> dict[int, str]:
    return dict(Proposal.objects.filter(game=game).values_list("pk", "outcome"))


def waited_for(state: State) -> list[int]:
    """Those to act, and those who have not answered an offer."""
    asked = {*to_act(state)}.union(*map(unanswered, state.offers))
    return sorted(asked)


def can_be_won(state: State) -> bool:
    """Whether anybody at the table can still come by the points to win.

    If not, it is their own choice of corners and house rules: where the bank does not trade, what nobody's hexes
    yield stays in the bank; and where nobody trades before all have built, somebody who never can keeps all from it.
    """
    if state.rules.maritime_trade != "none":
        return True
    yielded = [_yielded(state, seat) for seat in state.seats]
    if may_trade(state) or all(has_built(state, seat) or _can_build(yielded[seat]) for seat in state.seats):
        yielded = [set().union(*yielded)] * len(yielded)
    return any(_can_win(state, seat, yielded[seat]) for seat in state.seats)


def _yielded(state: State, seat: int) -> set[int]:
    corners = members(state.settlements[seat] | state.cities[seat])
    return {state.board.terrains[h] for corner in corners for h in VERTEX_HEXES[corner]}


def _can_build(yielded: set[int]) -> bool:
    """A road, or a city on the settlement that is there."""
    return yielded >= {BRICK, LUMBER} or yielded >= {GRAIN, ORE}


def _can_win(state: State, seat: int, yielded: set[int]) -> bool:
    """By cards or settlements, for all one knows; else by cities and the longest road, which can be counted."""
    if yielded >= {WOOL, GRAIN, ORE} and state.dealt < len(state.deck):
        return True
    if yielded >= {BRICK, LUMBER, WOOL, GRAIN} and _can_settle(state, seat):
        return True
    most = points(state, seat)
    if yielded >= {GRAIN, ORE} and has_city_left(state, seat):
        most += len(members(state.settlements[seat]))
    if yielded >= {BRICK, LUMBER} and state.longest_road != seat:
        most += 2
    return most >= state.rules.points_to_win


def _can_settle(state: State, seat: int) -> bool:
    """At the end of a road that is there, or of one that can still be built."""
    sites = state.open_vertices if has_road_left(state, seat) else settlement_sites(state, seat)
    return has_settlement_left(state, seat) and bool(sites)


def both_at_once(*calls: Callable[[], object]) -> None:
    """Each in a thread of its own, as in two workers."""
    failures: list[BaseException] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:  # Told below, in the test's own thread.
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


#: What happens, and how often.
HAPPENINGS: dict[Callable[[Storm], None], float] = {
    Storm.somebody_moves: 60,
    Storm.somebody_speaks_out_of_turn: 8,
    Storm.somebody_chooses_what_was_possible_a_while_ago: 6,
    Storm.a_little_time_passes: 12,
    Storm.a_clock_runs_out: 12,
    Storm.somebody_dawdles: 4,
    Storm.all_clocks_run_out: 0.5,
    Storm.somebody_comes_or_goes: 3,
    Storm.somebody_promises_and_is_gone: 3,
    Storm.somebody_says_yes_and_is_gone: 3,
    Storm.somebody_hands_over_their_seat: 1,
    Storm.somebody_changes_their_wish: 0.5,
    Storm.somebody_leaves_orders: 2,
    Storm.somebody_cancels_an_order: 2,
    Storm.everybody_goes_to_bed: 2,
    Storm.somebody_proposes: 2,
    Storm.somebody_answers: 4,
    Storm.everybody_leaves: 1,
    Storm.somebody_goes_on_holiday_or_comes_back: 2,
    Storm.the_site_goes_down: 0.6,
    Storm.the_game_is_paused: 0.6,
    Storm.a_moderator_steps_in: 2,
    Storm.a_process_forgets_the_game: 1,
}
#: In a game that everybody has left; whoever comes back may wait for the others, and go on at last.
AT_REST: dict[Callable[[Storm], None], float] = {
    Storm.somebody_goes_on: 3,
    Storm.somebody_proposes: 2,
    Storm.somebody_answers: 4,
    Storm.somebody_comes_or_goes: 2,
    Storm.somebody_hands_over_their_seat: 1,
    Storm.somebody_changes_their_wish: 1,
    Storm.a_little_time_passes: 1,
    Storm.all_clocks_run_out: 1,
    Storm.the_site_goes_down: 1,
}
FAIR_WEATHER: dict[Callable[[Storm], None], float] = {Storm.somebody_moves: 5, Storm.a_little_time_passes: 1}
