"""Bob and Charlie join Alice and Dana, and the soak's figures are added up."""

from collections import Counter

import pytest

from games import tables
from lobby.models import User


@pytest.fixture(autouse=True)
def _forget_games() -> None:
    """A test that is rolled back frees its game's number for the next test's game."""
    tables._kept.clear()


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return User.objects.create_user("charlie")


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
    if total["kills"]:
        terminalreporter.write_line(f"Soak: {total['kills']:,} kills, {total['kept_moves']:,} moves, none lost")
