"""What a browser receives and asks for, noted for a whole game and looked through for what it should not hold."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from playwright.sync_api import Page, Response


@dataclass
class Watch:
    """Everything one page hears, says and complains of."""

    address: str
    heard: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    _answers: list[Response] = field(default_factory=list)

    def over(self, page: Page) -> Watch:
        own = ("about:blank", self.address, self.address.replace("http", "ws", 1))
        page.on("request", lambda request: None if request.url.startswith(own) else self.foreign.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(f"{error}"))
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.heard.append(f"{frame}")))
        page.on("response", lambda answer: self._answers.append(answer) if _tells_of_games(answer.url) else None)
        return self

    def forget(self) -> None:
        for noted in (self.heard, self.foreign, self.complaints, self._answers):
            noted.clear()

    def note(self) -> None:
        """Read what came since the last note; the browser forgets it when it leaves the page."""
        while self._answers:
            answer = self._answers.pop(0)
            if answer.status == 200:
                self.heard.append(answer.text())

    def secrets_seen(self, seat: int, seed: bytes) -> list[str]:
        """What was heard before the end and is not this seat's to know."""
        found = [f"the seed in {text[:80]}" for text in self.heard if seed.hex() in text]
        for text in self.heard:
            for data in _json_in(text):
                if not _is_over(data):
                    found += _secrets(data, seat)
        return found


def _tells_of_games(url: str) -> bool:
    return "/games/" in url and "/static/" not in url


def _json_in(text: str) -> list[Any]:
    if text.startswith("{"):
        return [json.loads(text)]
    return [json.loads(unescape(part)) for part in re.findall(r'id="page-data"[^>]*>(.*?)</script>', text)]


def _is_over(data: Any) -> bool:
    return isinstance(data, dict) and data.get("page", data).get("phase") == "over"


def _secrets(data: Any, seat: int) -> list[str]:
    """Cards of other seats, anywhere in what was sent: in a view's seats or in an event."""
    if isinstance(data, list):
        return [secret for part in data for secret in _secrets(part, seat)]
    if not isinstance(data, dict):
        return []
    found = [secret for part in data.values() for secret in _secrets(part, seat)]
    owner = data.get("seat")
    if owner is not None and owner != seat and {"hand", "cards", "rates"} & data.keys():
        found.append(f"cards of seat {owner}: {data}")
    if data.get("kind") == "bought_card" and owner != seat and "card" in data:
        found.append(f"a bought card: {data}")
    if data.get("kind") == "stole" and seat not in (owner, data["victim"]) and "resource" in data:
        found.append(f"a stolen card: {data}")
    if isinstance(data.get("deck"), list) or "seed" in data or "draws" in data:
        found.append(f"the deck or the seed: {data}")
    return found
