"""Adds up what the soak has seen, whichever process played which games."""

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    total: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                total.update({name: value for name, value in report.user_properties if isinstance(value, int)})
    if total["games"]:
        terminalreporter.write_line(
            f"Soak: {total['games']:,} games, {total['ended']:,} of them played to the end, "
            f"{total['moves']:,} moves, {total['violations']:,} violations"
        )
