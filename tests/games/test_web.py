"""What every edge over HTTP shares."""

import pytest

from games.rules import Forbidden, IllegalMove, Malformed, MalformedMove, Refusal
from games.rules.refusals import TooFast
from games.services import StaleVersion
from games.web import read_number, status_of
from lobby import chat, refusals


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (MalformedMove("This is no move."), 400),
        (chat.BadLine("There is nothing to read."), 400),
        (Forbidden("You have no seat."), 403),
        (refusals.NotSeated("You have no seat."), 403),
        (IllegalMove("not_your_turn"), 409),
        (StaleVersion(7), 409),
        (Refusal("This chair is taken."), 409),
        (TooFast("Slow down.", 10), 429),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_refusal_has_the_status_of_its_kind(refusal: Refusal, status: int) -> None:
    assert status_of(refusal) == status


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("999999999", 999_999_999)])
def test_a_number_is_read_from_its_digits(text: str, number: int) -> None:
    assert read_number(text, Malformed("")) == number


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1_0", "1.0", "1e3", "٣", "²", "1234567890", "9" * 5000])
def test_whatever_else_python_reads_as_a_number_is_refused_with_the_callers_sentence(text: str) -> None:
    with pytest.raises(Malformed, match=r"^This is no version\.$"):
        read_number(text, Malformed("This is no version."))
