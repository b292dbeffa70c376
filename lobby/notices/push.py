"""Messages to browsers, by the push service of whoever made them.

The service learns neither what a message says, which is encrypted for that browser alone, nor whom it is for; it does
learn that it comes from us, by a signature (VAPID).
"""

import base64
import binascii
import hashlib
import json
import time
from collections.abc import Sequence
from typing import Any, Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from py_vapid import Vapid02
from pywebpush import WebPusher
from yarl import URL

from lobby.models import PushSubscription
from lobby.notices import outside
from lobby.notices.message import Gone, Message, TryLater

#: Seconds. A browser that is off for longer learns what waits when it opens the site.
KEPT: Final = 24 * 3600
SIGNED_FOR: Final = 12 * 3600

#: What a push service takes is four kilobytes in all; so many characters fit, whichever they are.
LONGEST_TITLE: Final = 100
LONGEST_BODY: Final = 500


def is_offered() -> bool:
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """By which a browser's push service knows our signature."""
    point = _keys().public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def deliver(subscription: PushSubscription, message: Message) -> None:
    """Raises `Gone` if the browser has left, `TryLater` if its push service has not taken the message."""
    [trouble] = deliver_to_all([subscription], message)
    if trouble is not None:
        raise trouble


def deliver_to_all(subscriptions: Sequence[PushSubscription], message: Message) -> list[Gone | TryLater | None]:
    """What became of it at each of them: they are told side by side."""
    troubles = outside.post_all([_letter(subscription, message) for subscription in subscriptions])
    for subscription, trouble in zip(subscriptions, troubles, strict=True):
        subscription.note_trouble(str(trouble or ""))
    return troubles


def _letter(subscription: PushSubscription, message: Message) -> outside.Letter:
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    body = WebPusher({"endpoint": subscription.endpoint, "keys": keys}).encode(_payload(message))["body"]
    headers = {
        **_signature(subscription.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Topic": topic_of(message),
        "Urgency": "high",
    }
    return outside.Letter(subscription.endpoint, body, headers)


def topic_of(message: Message) -> str:
    """Of two messages that lead to the same place, the newer one takes the older one's place, at the service and on the
    screen: it tells what is so now. Whatever follows the path, such as a signature, differs from one to the next."""
    return base64.urlsafe_b64encode(hashlib.sha256(URL(message.url).path.encode()).digest()[:24]).decode()


def _payload(message: Message) -> bytes:
    """What `service-worker.js` reads."""
    told = {
        "title": _cut(message.title, LONGEST_TITLE),
        "body": _cut("\n".join(message.lines), LONGEST_BODY),
        "url": message.url,
        "tag": topic_of(message),
        "key": message.key,
    }
    return json.dumps(told, ensure_ascii=False).encode()


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _signature(endpoint: str) -> dict[str, str]:
    claims: dict[str, Any] = {
        "aud": str(URL(endpoint).origin()),
        "exp": int(time.time()) + SIGNED_FOR,
        "sub": settings.VAPID_CONTACT,
    }
    headers: dict[str, str] = _keys().sign(claims)
    return headers


def _keys() -> Any:
    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


# What a browser says of itself


def is_key(p256dh: str) -> bool:
    """A point of the curve P-256."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
    except ValueError:
        return False
    return True


def is_secret(auth: str) -> bool:
    try:
        return len(_decoded(auth)) == 16
    except ValueError:
        return False


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError("no base64") from None
