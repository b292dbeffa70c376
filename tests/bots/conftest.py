"""Adds up what the soak has seen of the bots, whichever process played which games."""

from collections import Counter

import pytest

from tools.arena import quantile


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    games, mistakes, endless = 0, 0, []
    times: dict[str, Counter[float]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if not isinstance(report, pytest.TestReport) or report.when != "call":
                continue
            for name, value in report.user_properties:
                if name == "games of bots":
                    games += value
                elif name == "mistakes of bots":
                    mistakes += value
                elif name == "endless games of bots":
                    endless += value
                elif name == "times of bots":
                    for bot, counts in value.items():
                        of_bot = times.setdefault(bot, Counter())
                        of_bot.update({float(milliseconds): count for milliseconds, count in counts.items()})
    if games:
        terminalreporter.write_line(f"Soak of bots: {games:,} games, {len(endless)} without end, {mistakes} mistakes")
        for game in endless:
            terminalreporter.write_line(f"  without end: {game}")
        for bot, counts in times.items():
            if counts:
                terminalreporter.write_line(f"  {bot}: {told_times(counts)}")


def told_times(counts: Counter[float]) -> str:
    """Times are rounded to two digits, so that few numbers stand for all."""
    ordered = sorted(counts.elements())
    shares = ", ".join(f"{share:.0%} in {quantile(ordered, share):g} ms" for share in (0.5, 0.95, 0.99))
    return f"{len(ordered):,} moves, {shares}, all in {ordered[-1]:g} ms"
