"""Accounts for tests, and what they are asked for."""

import base64
import hashlib
import hmac
import re
import struct
import time
from typing import Any

from django.core import mail
from django.test import Client

from lobby.models import User

PASSWORD = "three sheep for a brick"


def sign_up(browser: Client, name: str = "Alice", **said: str) -> Any:
    form = {"username": name, "email": "", "password1": PASSWORD, "password2": PASSWORD} | said
    return browser.post("/sign-up/", form)


def sign_in(browser: Client, name: str = "Alice", password: str = PASSWORD, **said: str) -> Any:
    return browser.post("/sign-in/", {"username": name, "password": password} | said)


def who(browser: Client) -> User | None:
    """Whom the session says."""
    user_id = browser.session.get("_auth_user_id")
    return None if user_id is None else User.objects.get(pk=user_id)


def is_signed_in(browser: Client) -> bool:
    return 'class="signed-in"' in browser.get("/").content.decode()


def link_in(number: int = -1) -> str:
    """The path that a mail leads to."""
    [path] = re.findall(r"http://testserver(\S+)", str(mail.outbox[number].body))
    return str(path)


def code_of(key: str, steps: int = 0) -> str:
    """What an authenticator app shows for a key now, or so many half minutes later."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(key), counter, hashlib.sha1).digest()
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"
