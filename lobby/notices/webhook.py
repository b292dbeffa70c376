"""Messages to an address of a person's own, in the form of Discord or of Slack, which others understand too."""

import json
import re
from typing import Any, Final

from yarl import URL

from lobby.models import Webhook
from lobby.notices import outside
from lobby.notices.message import Gone, Message, TryLater

#: Discord takes 2000 characters, and each of these may be escaped.
LONGEST: Final = 800

_DISCORD: Final = ("discord.com", "discordapp.com")


def form_of(address: str) -> Webhook.Form:
    """Discord's own addresses understand Slack's form as well, if they end so. Whoever else there is copies Slack."""
    host = outside.host_of(address)
    is_discord = any(host == name or host.endswith(f".{name}") for name in _DISCORD)
    return Webhook.Form.DISCORD if is_discord and not URL(address).path.endswith("/slack") else Webhook.Form.SLACK


def shortened(address: str) -> str:
    """Enough for its owner to know it by, and nothing that anybody could post with."""
    return f"{outside.host_of(address)}/…{address[-4:]}"


def deliver(webhook: Webhook, message: Message) -> None:
    """Raises `Gone` if nobody is there any more, `TryLater` if the message was not taken."""
    told = _to_discord(message) if webhook.form == Webhook.Form.DISCORD else _to_slack(message)
    body = json.dumps(told, ensure_ascii=False).encode()
    try:
        outside.post(webhook.url, body, {"Content-Type": "application/json"})
    except (Gone, TryLater) as trouble:
        webhook.note_trouble(str(trouble))
        raise
    webhook.note_trouble("")


def _to_discord(message: Message) -> dict[str, Any]:
    """Marks are escaped, so that a name is shown as it is. < and > around the link spare us a picture of it."""
    text = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", _text(message))
    return {"content": f"{text}\n<{message.url}>", "allowed_mentions": {"parse": []}}


def _to_slack(message: Message) -> dict[str, Any]:
    text = _text(message).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # Others who read this form ping whoever is named after an @, and make a link of [Bob](https://…): a space of no
    # width keeps the two apart.
    text = re.sub(r"@|\](?=\()", "\\g<0>\N{ZERO WIDTH SPACE}", text)
    return {"text": f"{text}\n{message.url}", "mrkdwn": False}


def _text(message: Message) -> str:
    text = "\n".join((message.title, *message.lines))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
