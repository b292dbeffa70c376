"""The soak's figures are added up."""

from collections import Counter

import pytest

from tests.clock import Clock

__all__ = ["Clock"]


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
