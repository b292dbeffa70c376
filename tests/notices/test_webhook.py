"""Messages to an address of one's own: what Discord and Slack are sent, and that names stay names in it."""

from __future__ import annotations

import re

import pytest

from lobby.models import Webhook
from lobby.notices import webhook
from lobby.notices.message import Gone, Message, TryLater
from tests.notices.listening import StandIn

# What went wrong is noted in the row of the webhook.
pytestmark = pytest.mark.django_db

URL = "https://catan.example/games/17/"


def message(*lines: str) -> Message:
    return Message(key="turn-17", title="Your turn", lines=lines, url=URL)


def told(stand_in: StandIn, form: Webhook.Form, *lines: str) -> str:
    """The text that was sent."""
    webhook.deliver(Webhook(url=stand_in.address("/hook"), form=form), message(*lines))
    sent = stand_in.sent[-1]
    assert sent.headers["content-type"] == "application/json"
    text: str = sent.json["content" if form == Webhook.Form.DISCORD else "text"]
    return text


def test_discord_is_told_in_its_form(stand_in: StandIn) -> None:
    text = told(stand_in, Webhook.Form.DISCORD, "Bob waits")
    assert text == f"Your turn\nBob waits\n<{URL}>"
    assert stand_in.sent[0].json["allowed_mentions"] == {"parse": []}


def test_slack_is_told_in_its_form(stand_in: StandIn) -> None:
    text = told(stand_in, Webhook.Form.SLACK, "Bob waits")
    assert text == f"Your turn\nBob waits\n{URL}"
    assert stand_in.sent[0].json["mrkdwn"] is False


NAMES = [
    "@everyone",
    "<@1234>",
    "<!channel>",
    "[Bob](https://evil.example)",
    "![](//evil.example/1)",
    "https://evil.example",
    "**Bob**",
    "`Bob`",
    "||Bob||",
    "# Bob",
    "> Bob",
    "\\",
    "\\@everyone",
    "<https://evil.example|Bob>",
    "&lt;!channel&gt;",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_name_to_discord(stand_in: StandIn, name: str) -> None:
    line = told(stand_in, Webhook.Form.DISCORD, name).splitlines()[1]
    assert re.sub(r"\\(.)", r"\1", line) == name, "it is read as it is written"
    assert not re.sub(r"\\.", "", line).strip(" " + "abcdefghijklmnopqrstuvwxyzB0123456789"), "no mark is left to act"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_name_to_slack(stand_in: StandIn, name: str) -> None:
    line = told(stand_in, Webhook.Form.SLACK, name).splitlines()[1]
    assert "<" not in line
    assert ">" not in line
    assert not re.search(r"&(?!amp;|lt;|gt;)|@\w|\]\(", line)
    read = line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("\u200b", "")
    assert read == name, "it is read as it is written"


@pytest.mark.parametrize("form", Webhook.Form)
def test_the_longest_message_fits(stand_in: StandIn, form: Webhook.Form) -> None:
    text = told(stand_in, form, *["*" * 500] * 9)
    assert len(text) <= 2000
    assert URL in text


@pytest.mark.parametrize("status", [404, 410])
def test_a_webhook_that_was_removed_there_is_gone(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    with pytest.raises(Gone):
        told(stand_in, Webhook.Form.DISCORD)


@pytest.mark.parametrize("status", [302, 400, 429, 500])
def test_all_else_is_tried_later(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    with pytest.raises(TryLater, match=str(status)):
        told(stand_in, Webhook.Form.SLACK)


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("https://discord.com/api/webhooks/1/abc", "discord"),
        ("https://canary.discord.com/api/webhooks/1/abc", "discord"),
        ("https://discordapp.com/api/webhooks/1/abc", "discord"),
        ("https://discord.com/api/webhooks/1/abc/slack", "slack"),
        ("https://hooks.slack.com/services/T/B/x", "slack"),
        ("https://discord.com.evil.example/api/webhooks/1/abc", "slack"),
        ("https://notdiscord.com/api", "slack"),
        ("https://chat.example/hooks/x", "slack"),
    ],
)
def test_the_address_tells_its_form(address: str, form: str) -> None:
    assert webhook.form_of(address) == form


def test_an_address_is_shown_shortened() -> None:
    shown = webhook.shortened("https://discord.com/api/webhooks/123456/a-long-secret-of-many-letters")
    assert shown == "discord.com/…ters"
