"""Games that several files begin with; the soak's figures are added up."""

from collections import Counter

import pytest

from games.models import Game
from lobby.models import User
from tests.clock import Clock
from tests.games.agreeing import come, go
from tests.games.playing import ALICE, BOB, CHARLIE, new_game

__all__ = ["Clock"]


@pytest.fixture
def live(clock: Clock, alice: User, bob: User, charlie: User) -> Game:
    return new_game(seed="agreed", users=[alice, bob, charlie], pace="normal")


@pytest.fixture
def over_days(clock: Clock, alice: User, bob: User, charlie: User) -> Game:
    return new_game("standard turn_order=seat_order", seed="days", users=[alice, bob, charlie], pace="1 day")


@pytest.fixture
def left(live: Game, clock: Clock) -> Game:
    """Everybody came, and left."""
    for act in (come, go):
        for seat in (ALICE, BOB, CHARLIE):
            act(live, seat, clock)
    return live


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the soak has seen, whichever process saw it."""
    total: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                total.update(dict(report.user_properties))
    if total["stored_games"]:
        terminalreporter.write_line(
            f"Soak: {total['stored_games']:,} stored games, {total['games_over']:,} of them over, "
            f"{total['stored_moves']:,} moves, no difference"
        )
    if total["storm_games"]:
        terminalreporter.write_line(
            f"Storms: {total['storm_games']:,} games, {total['storm_moves']:,} moves in {total['storm_steps']:,} "
            f"steps, {total['the_site_goes_down']:,} outages, {total['the_game_is_paused']:,} pauses, "
            f"{total['somebody_comes_or_goes']:,} times somebody came or went, "
            f"{total['promise_broken']:,} broken promises found out, "
            f"{total['cannot_be_won']:,} games that nobody could win"
        )
    if total["kills"]:
        terminalreporter.write_line(f"Soak: {total['kills']:,} kills, {total['kept_moves']:,} moves, none lost")
