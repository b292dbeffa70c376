"""Programs that talk to the site over HTTP, and what they are told."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from lobby.models import User


class Program:
    """Somebody who asks for things, and sends some, without looking at a page."""

    def __init__(self, person: User | None = None) -> None:
        self.client = Client(raise_request_exception=False)
        if person is not None:
            self.client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(f"/api/v1/{path}", query)

    def post(self, path: str, body: Any = None, method: str = "post", **sent: Any) -> Any:
        text = body if isinstance(body, str | bytes) else json.dumps(sent if body is None else body)
        return getattr(self.client, method)(f"/api/v1/{path}", text, content_type="application/json")

    def done(self, path: str, **sent: Any) -> dict[str, Any]:
        answer = self.post(path, **sent)
        assert answer.status_code in (200, 201), answer.content
        told: dict[str, Any] = answer.json()
        return told


def refusal(answer: Any) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json", answer.content
    body = answer.json()
    assert body["detail"].endswith("."), body
    assert (body["status"], body["type"]) == (answer.status_code, f"/api/docs/#problem-{body['code']}")
    return answer.status_code, body["code"]


def wrong_fields(answer: Any) -> list[str]:
    assert answer.status_code == 400, answer.content
    return [error["field"] for error in answer.json()["errors"]]
