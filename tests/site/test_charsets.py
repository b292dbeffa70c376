"""What is sent to the site is UTF-8; any other charset is refused in words."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator

from catan_site.asgi import application

FORM, JSON, FILES = "application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x"
OTHERS = ["utf-7", "UTF-16", "latin-1", "rot13", "hex", "idna", "nonsense", '"a b"', "é"]


@async_to_sync
async def answer(method: str, path: str, content_type: str) -> tuple[int, dict[str, str], str]:
    """As a browser gets it, through everything that stands before Django's views."""
    headers = {"host": "localhost", "content-type": content_type}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"after=0",
        "headers": [(name.encode(), value.encode("latin1")) for name, value in headers.items()],
    }
    line = ApplicationCommunicator(application, scope)
    await line.send_input({"type": "http.request", "body": b'--x\r\n\r\n{"name": "Alice"}&name=Alice\r\n--x--'})
    start: Any = await line.receive_output(10)
    body = await line.receive_output(10)
    await line.wait()
    told = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return start["status"], told, body["body"].decode()


@pytest.mark.parametrize("charset", [*(f"charset={name}" for name in OTHERS), "charset*=nonsense''utf-8"])
@pytest.mark.parametrize("kind", [FORM, JSON, FILES])
@pytest.mark.parametrize("path", ["/sign-in/", "/play-now/", "/t/new/", "/"])
def test_a_page_says_what_is_wrong_with_another_charset(path: str, kind: str, charset: str) -> None:
    for method in ("POST", "GET"):
        status, headers, page = answer(method, path, f"{kind}; {charset}")
        assert status == 400
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "Send it as UTF-8" in page


@pytest.mark.parametrize("charset", [*(f"charset={name}" for name in OTHERS), "charset*=nonsense''utf-8"])
@pytest.mark.parametrize("kind", [FORM, JSON])
@pytest.mark.parametrize("path", ["/api/v1/games/1/moves/", "/api/nowhere/"])
def test_a_program_gets_a_code_and_a_sentence(path: str, kind: str, charset: str) -> None:
    for method in ("POST", "GET"):
        status, headers, body = answer(method, path, f"{kind}; {charset}")
        assert (status, headers["content-type"]) == (400, "application/problem+json")
        assert json.loads(body)["code"] == "not_utf8"


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", "; charset=UTF-8", '; charset="utf-8"', "; charset=utf8"])
@pytest.mark.parametrize("kind", [FORM, FILES])
def test_utf_8_is_taken_by_any_of_its_names(db: None, kind: str, charset: str) -> None:
    # Forms without their token are refused only after they have been read.
    assert answer("POST", "/sign-in/", kind + charset)[0] == 403
    assert answer("POST", "/api/v1/games/1/moves/", JSON + charset)[0] == 401
