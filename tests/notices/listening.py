"""A stand-in on this machine for whoever takes messages: a push service, Discord, Slack.

It is a real server at a real port. What it was sent is kept, and what it answers is the test's choice.
"""

from __future__ import annotations

import base64
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from django.db import connections

from lobby.models import PushSubscription


@dataclass(frozen=True)
class Sent:
    """What came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class StandIn:
    """Answers with `status`, or does not answer as long as it is told to be silent or slow."""

    port: int = 0
    status: int = 201
    location: str = ""
    is_silent: bool = False
    drips: bool = False
    is_endless: bool = False
    scheme: str = "http"
    #: What happens elsewhere meanwhile.
    on_post: Callable[[], object] = lambda: None
    sent: list[Sent] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def address(self, path: str = "/", host: str = "localhost") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"


@contextmanager
def listening(certificate: ssl.SSLContext | None = None) -> Iterator[StandIn]:
    stand_in = StandIn(scheme="https" if certificate else "http")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            stand_in.sent.append(Sent(self.path, {name.lower(): said for name, said in self.headers.items()}, body))
            stand_in.arrived.set()
            stand_in.on_post()
            connections.close_all()
            if stand_in.is_silent:
                stand_in.over.wait(60)
            elif stand_in.drips:
                self.drip()
            else:
                self.answer()

        def answer(self) -> None:
            self.send_response(stand_in.status)
            if stand_in.location:
                self.send_header("Location", stand_in.location)
            self.send_header("Content-Length", str(10**12 if stand_in.is_endless else 0))
            self.end_headers()
            while stand_in.is_endless and not stand_in.over.is_set():
                self.wfile.write(b"x" * 65536)

        def drip(self) -> None:
            """A byte now and then: no single wait is long, and all together never end."""
            for byte in b"HTTP/1.1 201 Created\r\nX-Slow: " + b"x" * 10_000:
                if stand_in.over.wait(0.05):
                    return
                self.wfile.write(bytes([byte]))

        def log_message(self, *said: Any) -> None:
            """Tests read what was sent."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever gives up waiting hangs up."""

    server = Server(("127.0.0.1", 0), Handler)
    if certificate:
        server.socket = certificate.wrap_socket(server.socket, server_side=True)
    stand_in.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def coded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(frozen=True)
class Browser:
    """A browser's half of a subscription: with its keys it reads what was encrypted for it."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen letters!"

    @property
    def p256dh(self) -> str:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return coded(point)

    def subscription(self, endpoint: str, **columns: Any) -> PushSubscription:
        return PushSubscription(endpoint=endpoint, p256dh=self.p256dh, auth=coded(self.auth), **columns)

    def said(self, endpoint: str) -> dict[str, Any]:
        """What the script sends to the site."""
        return {"endpoint": endpoint, "keys": {"p256dh": self.p256dh, "auth": coded(self.auth)}}

    def read(self, sent: Sent) -> Any:
        assert sent.headers["content-encoding"] == "aes128gcm"
        return json.loads(http_ece.decrypt(sent.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


def signed_claims(sent: Sent) -> tuple[dict[str, Any], str]:
    """What a push service does before it takes a message: the claims, if the signature is that of the key beside it."""
    scheme, _, parts = sent.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    said = dict(part.strip().split("=", 1) for part in parts.split(","))
    head, claims, signature = said["t"].split(".")
    assert json.loads(decoded(head))["alg"] == "ES256"
    raw = decoded(signature)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(said["k"]))
    key.verify(utils.encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(decoded(claims))
    assert time.time() < told["exp"] <= time.time() + 24 * 3600
    return told, said["k"]
