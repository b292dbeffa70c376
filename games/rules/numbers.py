"""Numbers that somebody has written."""

from __future__ import annotations


def whole_number(text: str, *, digits: int) -> int | None:
    """A number of so many digits at most; ``None`` for any other text.

    Python itself reads more than that: signs, spaces, underscores and the digits of every script.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
