"""What every edge over HTTP shares: numbers read from a request, and how a refusal is told."""

from http import HTTPStatus
from typing import Final

from games.rules.numbers import whole_number
from games.rules.refusals import Forbidden, Malformed, Refusal, TooFast

#: All numbers that people and pages send are small: versions, lines, counts.
MOST_DIGITS: Final = 9

#: Whatever is none of these does not fit things as they stand.
_STATUSES: Final[dict[type[Refusal], HTTPStatus]] = {
    Malformed: HTTPStatus.BAD_REQUEST,
    Forbidden: HTTPStatus.FORBIDDEN,
    TooFast: HTTPStatus.TOO_MANY_REQUESTS,
}


def read_number(text: str, otherwise: Malformed) -> int:
    """The number that a request says; the refusal tells what the number should have been."""
    number = whole_number(text, digits=MOST_DIGITS)
    if number is None:
        raise otherwise
    return number


def status_of(refusal: Refusal) -> HTTPStatus:
    kinds = (status for kind, status in _STATUSES.items() if isinstance(refusal, kind))
    return next(kinds, HTTPStatus.CONFLICT)


#: What programs are told instead of an answer is a problem document (RFC 9457).
PROBLEM: Final = "application/problem+json"


def problem(status: int, code: str, sentence: str, **more: object) -> dict[str, object]:
    """The code is for programs, the sentence for people. Its type is the place where the code is explained."""
    title = code.replace("_", " ").capitalize()
    told = {"type": f"/api/docs/#problem-{code}", "title": title, "status": int(status), "detail": sentence}
    return {**told, "code": code, **more}


def headers_of(refusal: Refusal) -> dict[str, str]:
    return {"Retry-After": str(refusal.retry_after)} if isinstance(refusal, TooFast) else {}
