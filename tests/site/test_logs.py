"""Log lines that a program can read, each with the id of its request."""

import io
import json
import logging
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from catan_site import logs


@pytest.fixture
def lines() -> Any:
    """The logs of a server while the test runs, as the objects they hold."""
    logs.configure(logs.configuration("INFO", as_json=True))
    written = io.StringIO()
    logging.getLogger().handlers[0].setStream(written)  # type: ignore[attr-defined]
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logs.configure(settings.LOGGING)


def test_every_request_has_a_line_with_its_own_id(client: Client, lines: Any) -> None:
    client.get("/healthz")
    client.get("/healthz")
    first, second = lines()
    assert first["request"] == second["request"] == "GET /healthz"
    assert first["code"] == 200
    assert first["request_id"] != second["request_id"]


def test_a_plain_log_line_is_structured_too(lines: Any) -> None:
    logging.getLogger("games").warning("the robber is at %s", "the desert")
    (line,) = lines()
    assert (line["event"], line["level"]) == ("the robber is at the desert", "warning")
