"""A whole game over HTTP, every answer searched for what its reader must not know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from django.test import Client

from games import broadcast
from games.bots import builder
from games.models import Game, Presence
from games.rules import Move
from games.rules.cards import CARD_NAMES, RESOURCE_NAMES
from lobby.models import User

from .playing import new_game, seed_of

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def parts(answer: Any) -> Iterator[dict[str, Any]]:
    """Every object in an answer, however deep."""
    if isinstance(answer, dict):
        yield answer
    for value in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
        yield from parts(value)


def check(answer: Any, viewer: int | None, seed: bytes) -> None:
    text = json.dumps(answer)
    assert seed.hex() not in text
    assert '"seed"' not in text
    for part in parts(answer):
        if "hand_size" in part and part["seat"] != viewer:
            assert not {"hand", "cards", "rates"} & part.keys()
        if "deck" in part:
            assert type(part["deck"]) is int
        assert "dice_deck" not in part
        if part.get("kind") == "stole" and viewer not in (part["seat"], part["victim"]):
            assert "resource" not in part
        if part.get("kind") == "bought_card" and viewer != part["seat"]:
            assert "card" not in part
        check_sentence(part, viewer)


def check_sentence(part: dict[str, Any], viewer: int | None) -> None:
    """Beside an event stands the sentence that tells it."""
    event = part.get("event", {})
    told = part.get("text", "").lower()
    if event.get("kind") == "stole" and viewer not in (event["seat"], event["victim"]):
        assert not [name for name in RESOURCE_NAMES if name in told]
    if event.get("kind") == "bought_card" and viewer != event["seat"]:
        assert not [name for name in CARD_NAMES if name.replace("_", " ") in told]


#: What else a program can ask of a game, and where games are listed.
EVERYTHING: Final = (
    *("games/{}/", "games/{}/moves/", "games/{}/choices/", "games/{}/offers/", "games/{}/orders/", "games/{}/record/"),
    *("games/{}/chat/", "games/{}/watchers/", "games/", "games/?mine=true", "me/"),
)


class Reader:
    """Somebody at a browser, who looks closely at everything they receive."""

    is_over = False

    def __init__(self, user: User, viewer: int | None, game: Game) -> None:
        self.viewer, self.game = viewer, Game.objects.get(pk=game.pk)
        self.client = Client()
        self.client.force_login(user)

    def get(self, path: str) -> Any:
        return self.searched(self.client.get(f"/api/v1/games/{self.game.pk}/{path}"))

    def get_everything(self) -> None:
        for path in EVERYTHING:
            self.searched(self.client.get(f"/api/v1/{path.format(self.game.pk)}"))

    def post(self, move: Move, version: int) -> Any:
        body = move.to_json()
        del body["seat"]
        request = {"move": body, "version": version}
        return self.searched(
            self.client.post(f"/api/v1/games/{self.game.pk}/moves/", request, content_type="application/json")
        )

    def searched(self, response: Any) -> Any:
        answer = response.json()
        if not self.is_over:
            self.is_over = answer.get("page", answer).get("phase") == "over"
        if not self.is_over:
            check(answer, self.viewer, seed_of(self.game))
        return answer


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What goes out to the sockets; it goes out all the same."""
    messages: list[dict[str, Any]] = []
    send = broadcast.send

    def note_and_send(group: str, message: dict[str, Any]) -> None:
        messages.append(message)
        send(group, message)

    monkeypatch.setattr(broadcast, "send", note_and_send)
    return messages


def check_pushed(messages: list[dict[str, Any]], seats: int, seed: bytes) -> None:
    """Each page holds what its own viewer may know, and nobody is left out."""
    for message in messages:
        pages = {key: json.loads(text)["page"] for key, text in message["pages"].items()}
        assert pages.keys() == {*map(str, range(seats)), "watcher"}
        for key, page in pages.items():
            viewer = None if key == "watcher" else int(key)
            assert page["viewer"] == viewer
            if page["phase"] != "over":
                check(page, viewer, seed)
    messages.clear()


def test_nobody_receives_a_secret_in_a_whole_game(
    alice: User, bob: User, charlie: User, dana: User, pushed: list[dict[str, Any]]
) -> None:
    game = new_game("standard points_to_win=8", users=[alice, bob, charlie], seed="secrets")
    Presence.objects.filter(seat__game=game).update(is_here=True)
    seats = [Reader(user, seat, game) for seat, user in enumerate((alice, bob, charlie))]
    readers = [*seats, Reader(dana, None, game)]
    source, seen = Random(1), set()
    shown = readers[-1].get("")
    while shown["phase"] != "over":
        version = shown["version"]
        player = seats[source.choice(shown["to_act"])]
        move = builder.choose(player.get(f"?after={version}"), source)
        assert move
        shown = player.post(move, version)["page"]
        # Front pages hear whom the game waits for, and no more.
        for message in [message for message in pushed if message["type"] != "game.pages"]:
            assert message.keys() <= {"type", "game", "seats"}
            pushed.remove(message)
        assert len(pushed) == 1
        check_pushed(pushed, len(seats), seed_of(game))
        seen |= {entry["event"]["kind"] for entry in shown["log"]}
        reader = source.choice(readers)
        caught_up = reader.get(f"moves/?after={version}")
        assert caught_up["version"] == shown["version"]
        if source.random() < 0.1:
            reader.get_everything()
            assert source.choice(seats).post(move, version)["code"] == "stale_version"
    assert {"stole", "bought_card", "must_discard"} <= seen, "there was no secret to keep"
    assert shown["seats"][0].keys() >= {"hand", "cards"}, "and at the end all is open"
