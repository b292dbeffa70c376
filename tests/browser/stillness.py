"""Pages without scripts look again by themselves; on a slow machine, in the middle of a press."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from playwright.sync_api import Page


def hold_still(page: Page) -> None:
    """From now on the page gets what the server sends, but for the order to look again."""
    line = page.context.new_cdp_session(page)

    def pass_on(paused: dict[str, Any]) -> None:
        request = {"requestId": paused["requestId"]}
        if paused["responseStatusCode"] != 200:
            line.send("Fetch.continueRequest", request)
            return
        body = b64decode(line.send("Fetch.getResponseBody", request)["body"]).replace(b'http-equiv="refresh"', b"")
        headers = [header for header in paused["responseHeaders"] if header["name"].lower() != "content-encoding"]
        answer = {"responseCode": 200, "responseHeaders": headers, "body": b64encode(body).decode()}
        line.send("Fetch.fulfillRequest", request | answer)

    line.on("Fetch.requestPaused", pass_on)
    # Not by Playwright's `route`, which does not see where a form leads, and switches the cache off.
    line.send("Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Response"}]})
