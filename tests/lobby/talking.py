"""What is said in a chat, as pages with scripts and programs say and read it, and as plain pages do."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

#: By the address of a chat's plain page, where programs find it.
_FOR_PROGRAMS = ((r"^/t/(.*)/chat/$", r"/api/v1/tables/\1/chat/"), (r"^/games/(.*)$", r"/api/v1/games/\1"))


def for_programs(address: str) -> str:
    for plain, theirs in _FOR_PROGRAMS:
        if re.match(plain, address):
            return re.sub(plain, theirs, address)
    raise AssertionError(f"{address} is no chat's.")


def say(client: Client, address: str, text: str, *, page: bool = False, **form: str) -> Any:
    """Send a line to the chat whose plain page is at this address."""
    if page:
        return client.post(address, {"text": text} | form)
    return client.post(for_programs(address), {"text": text} | form, content_type="application/json")


def lines(client: Client, address: str, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(for_programs(address), query)
    assert answer.status_code == 200, answer.content
    said: list[dict[str, Any]] = answer.json()["lines"]
    return said


def refusal(answer: Any, *, page: bool = False) -> tuple[int, str]:
    """What somebody is told, and with which number."""
    if not page:
        return answer.status_code, answer.json()["detail"]
    alert = re.search(r'role="alert">([^<]+)<', answer.content.decode())
    assert alert is not None
    return answer.status_code, alert[1]
