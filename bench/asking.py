"""Requests as clients send them, and how long each takes."""

from __future__ import annotations

import json
import random
import string
from http.client import HTTPConnection
from time import perf_counter
from typing import Any, Final

from django.test import Client

from lobby.models import User

CSRF: Final = "".join(random.choices(string.ascii_letters, k=32))  # noqa: S311 - our own server's

JSON: Final = {"Content-Type": "application/json"}


def as_signed_in(user: User) -> dict[str, str]:
    """The headers of a browser where somebody has a session."""
    signing_in = Client()
    signing_in.force_login(user)
    session = signing_in.cookies["sessionid"].value
    return JSON | {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}


def as_program(token: str) -> dict[str, str]:
    return JSON | {"Authorization": f"Bearer {token}"}


def post(line: HTTPConnection, path: str, headers: dict[str, str], body: Any) -> float:
    """Milliseconds from the request to the end of the response."""
    text = json.dumps(body).encode()
    started = perf_counter()
    line.request("POST", path, text, headers)
    response = line.getresponse()
    answer = response.read()
    taken = perf_counter() - started
    if response.status not in (200, 201):
        raise SystemExit(f"{path} answered {response.status}: {answer[:300]!r}")
    return 1000 * taken
