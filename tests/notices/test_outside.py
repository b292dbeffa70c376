"""Nothing is sent into networks that only our server can reach, whatever address somebody gives."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import LazySettings

from lobby.notices import outside
from lobby.notices.message import Gone, TryLater
from tests.notices.listening import StandIn, listening

PUBLIC = "93.184.215.14"

Names = Callable[..., list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Lets a name have the addresses that a test gives it: one answer for each look-up, the last one for all others.

    Returns the names that were looked up.
    """
    asked: list[str] = []

    def answer(*answers: tuple[str, ...]) -> list[str]:
        asked.clear()

        def look_up(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
            asked.append(host)
            found = answers[min(len(asked), len(answers)) - 1]
            return [
                (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
                for one in found
            ]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    answer((PUBLIC,))
    return answer


BAD_FORMS = [
    "",
    "hooks.example",
    "http://hooks.example/",
    "HTTP://hooks.example/",
    "ftp://hooks.example/",
    "file:///etc/passwd",
    "gopher://hooks.example/",
    "//hooks.example/",
    "https:///path",
    "https://",
    "https://user@hooks.example/",
    "https://user:password@hooks.example/",
    "https://@hooks.example/",
    "https://hooks.example@127.0.0.1/",
    "https://hooks.example:80/",
    "https://hooks.example:22/",
    "https://hooks.example:6379/",
    "https://hooks.example:0/",
    "https://hooks.example:65536/",
    "https://hooks.example:port/",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST/",
    "https://catan/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.0.0.0x1/",
    "https://0/",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://93.184.215.14/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "http://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[fe80::1%25eth0]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2606:4700::1]/",
    "https://hooks.example\\@127.0.0.1/",
    "https://hooks.example/ HTTP/1.1\r\nHost: 127.0.0.1",
    "https://hooks.example/\n",
    " https://hooks.example/",
    "https://hooks.example\t/",
    "https://hooks..example/",
    "https://hooks.example./",
    "https://-hooks.example/",
    "https://" + "a" * 64 + ".example/",
    "https://hooks.example/" + "a" * 500,
    "https://xn--0.example/",
    "https://xn--a.example/",
    "https://xn--9.hooks.example/",
    "javascript:alert(1)",
]


@pytest.mark.parametrize("address", BAD_FORMS)
def test_an_address_of_another_form_is_refused_with_a_sentence(names: Names, address: str) -> None:
    asked = names((PUBLIC,))
    with pytest.raises(outside.NotOutside) as refusal:
        outside.require_address(address)
    assert refusal.value.sentence.endswith((".", "?"))
    assert not address or address not in refusal.value.sentence, "it may be a secret"
    assert asked == [], "nobody is asked for such a name"
    with pytest.raises(TryLater):
        outside.post(address, b"", {})


@pytest.mark.parametrize(
    "address",
    [
        "https://hooks.example/",
        "https://hooks.example",
        "https://HOOKS.example:443/a?b=c",
        "https://hooks.example:8443/a@b",
        "https://xn--bcher-kva.example/",
        "https://a_b.hooks.example/",
    ],
)
def test_an_address_of_the_right_form_is_taken_and_nobody_is_asked_for_its_name(names: Names, address: str) -> None:
    asked = names((PUBLIC,))
    outside.require_address(address)
    assert asked == []


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://HOOKS.example:8443/a@b", "hooks.example"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("https://xn--fa-hia.de/", "xn--fa-hia.de"),
        ("https://hooks.example?@127.0.0.1/", "hooks.example"),
        ("https://hooks.example#@127.0.0.1/", "hooks.example"),
    ],
)
def test_a_name_is_read_in_one_way(stand_in: StandIn, names: Names, address: str, host: str) -> None:
    """It is compared, shown and looked up as it is written."""
    assert outside.host_of(address) == host
    asked = names(("10.0.0.1",))
    with pytest.raises(TryLater):
        outside.post(address, b"", {})
    assert asked == [host]


INSIDE = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.254",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.254",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    f"::ffff:{PUBLIC}",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a00:1::",
    "4000::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_refused(names: Names, address: str) -> None:
    names((address,))
    with pytest.raises(TryLater, match="not on the open internet"):
        outside.post("https://hooks.example/", b"", {})


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_address_inside_spoils_all(names: Names, place: int) -> None:
    found = [PUBLIC, "2606:4700::1"]
    found.insert(place, "10.0.0.1")
    names(tuple(found))
    with pytest.raises(TryLater, match="not on the open internet"):
        outside.post("https://hooks.example/", b"", {})


def test_addresses_of_the_open_internet_are_taken() -> None:
    assert all(outside._is_outside(one) for one in (PUBLIC, "8.8.8.8", "2606:4700::1", "2a00:1450:4001::5"))


@pytest.mark.parametrize(
    ("network", "address", "neighbour"),
    [
        ("93.184.215.0/28", PUBLIC, "93.184.215.16"),
        ("2606:4700:64::/96", "2606:4700:64::a00:1", "2606:4700:65::a00:1"),
    ],
)
def test_a_network_of_ones_own_gets_nothing_though_its_addresses_are_public(
    names: Names, settings: LazySettings, network: str, address: str, neighbour: str
) -> None:
    """Machines in one's own cloud that trust this one; a translator's prefix that leads to what is private."""
    settings.OWN_NETWORKS = [ip_network("198.51.100.0/24"), ip_network(network)]
    names((address,))
    with pytest.raises(TryLater, match="not on the open internet"):
        outside.post("https://hooks.example/", b"", {})
    assert outside._is_outside(neighbour)


def test_every_delivery_looks_where_its_name_leads_now(stand_in: StandIn, names: Names) -> None:
    """It leads here when the first message is sent, and inside when the second is."""
    asked = names(("127.0.0.1",), ("10.0.0.1",))
    outside.post(stand_in.address("/hook", "hooks.example"), b"a message", {})
    with pytest.raises(TryLater, match="not on the open internet"):
        outside.post(stand_in.address("/hook", "hooks.example"), b"a message", {})
    assert len(asked) == 2
    assert len(stand_in.sent) == 1


def test_the_connection_goes_to_what_was_checked(stand_in: StandIn, names: Names) -> None:
    """A second look-up, between the check and the connection, would be answered with somewhere else."""
    asked = names(("127.0.0.1",), ("10.0.0.1",))
    outside.post(stand_in.address("/hook", "hooks.example"), b"a message", {"X-Mark": "1"})
    assert asked == ["hooks.example"]
    [sent] = stand_in.sent
    assert (sent.path, sent.body, sent.headers["x-mark"]) == ("/hook", b"a message", "1")
    assert sent.headers["host"] == f"hooks.example:{stand_in.port}"


def test_leave_to_send_to_this_machine_is_no_leave_for_the_networks_behind_it(
    settings: LazySettings, names: Names
) -> None:
    settings.NOTICES_TO_LOOPBACK = True
    names(("10.0.0.1",))
    with pytest.raises(TryLater, match="not on the open internet"):
        outside.post("http://hooks.example:8000/", b"", {})


def test_a_redirect_is_not_followed(stand_in: StandIn) -> None:
    stand_in.status, stand_in.location = 307, stand_in.address("/inside")
    with pytest.raises(TryLater, match="sends us elsewhere"):
        outside.post(stand_in.address("/hook"), b"a message", {})
    assert [sent.path for sent in stand_in.sent] == ["/hook"]


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_a_message_that_was_taken_is_delivered(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    outside.post(stand_in.address(), b"a message", {})
    assert len(stand_in.sent) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_whoever_is_gone_is_told_apart(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    with pytest.raises(Gone, match=f"nothing at this address any more .status {status}"):
        outside.post(stand_in.address(), b"a message", {})


@pytest.mark.parametrize("status", [301, 400, 401, 403, 413, 429, 500, 503])
def test_all_else_is_tried_later_and_says_why(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    with pytest.raises(TryLater, match=str(status)):
        outside.post(stand_in.address("/a-secret"), b"a message", {})


@pytest.mark.slow
def test_whoever_never_answers_costs_the_limit_of_time(stand_in: StandIn, settings: LazySettings) -> None:
    settings.NOTICE_SECONDS = 0.5
    stand_in.is_silent = True
    begun = time.monotonic()
    with pytest.raises(TryLater, match=r"within 0\.5 seconds"):
        outside.post(stand_in.address(), b"a message", {})
    assert time.monotonic() - begun < 5


@pytest.mark.slow
def test_whoever_answers_byte_by_byte_costs_the_limit_of_time(stand_in: StandIn, settings: LazySettings) -> None:
    settings.NOTICE_SECONDS = 0.5
    stand_in.drips = True
    begun = time.monotonic()
    with pytest.raises(TryLater, match=r"within 0\.5 seconds"):
        outside.post(stand_in.address(), b"a message", {})
    assert time.monotonic() - begun < 5


def test_a_look_up_that_hangs_costs_the_limit_of_time(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.NOTICE_SECONDS = 0.3
    hang = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: hang.wait(60))
    try:
        begun = time.monotonic()
        with pytest.raises(TryLater, match="within"):
            outside.post("https://hooks.example/", b"", {})
        assert time.monotonic() - begun < 5
    finally:
        hang.set()


@pytest.fixture
def hanging(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names that are asked for and whose name server, evil.example's, does not answer; all others lead here."""
    settings.NOTICE_SECONDS = 0.3
    hang, asked = threading.Event(), list[str]()

    def look_up(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        if host.endswith("evil.example"):
            asked.append(host)
            hang.wait(60)
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield asked
    hang.set()


def test_names_that_hang_hold_up_nobody_elses_however_many_they_are(stand_in: StandIn, hanging: list[str]) -> None:
    evil = [outside.Letter(f"https://a{n}.evil.example/", b"", {}) for n in range(40)]
    assert all(isinstance(trouble, TryLater) for trouble in outside.post_all(evil))
    outside.post(stand_in.address("/bobs", "hooks.example"), b"a message", {})
    assert [sent.path for sent in stand_in.sent] == ["/bobs"]


@pytest.mark.slow
def test_a_name_that_hangs_takes_one_thread_however_often_it_is_asked_for(hanging: list[str]) -> None:
    for _ in range(3):
        outside.post_all([outside.Letter("https://evil.example/", b"", {})] * 3)
    assert hanging == ["evil.example"]


@pytest.mark.slow
def test_several_messages_take_no_longer_than_one(stand_in: StandIn, settings: LazySettings) -> None:
    settings.NOTICE_SECONDS = 1
    stand_in.is_silent = True
    begun = time.monotonic()
    troubles = outside.post_all([outside.Letter(stand_in.address(f"/{n}"), b"a message", {}) for n in range(10)])
    assert time.monotonic() - begun < 5
    assert [str(trouble) for trouble in troubles] == ["There was no answer within 1 seconds."] * 10


def test_each_of_several_messages_has_an_outcome_of_its_own(stand_in: StandIn, names: Names) -> None:
    names(("127.0.0.1",))
    letters = [
        outside.Letter(address, b"a message", {})
        for address in (stand_in.address("/hook", "hooks.example"), "https://127.0.0.1/", "http://hooks.example:1/")
    ]
    arrived, refused, unreachable = outside.post_all(letters)
    assert arrived is None
    assert "must have the name of a host" in str(refused)
    assert "could not be reached" in str(unreachable)


def test_a_proxy_of_this_machines_account_learns_nothing(
    stand_in: StandIn, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would look names up itself, and connect to whatever it finds."""
    names(("127.0.0.1",))
    with listening() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.address())
            monkeypatch.setenv(name.upper(), proxy.address())
        outside.post(stand_in.address("/hook", "hooks.example"), b"a message", {})
        assert [sent.path for sent in stand_in.sent] == ["/hook"]
        assert proxy.sent == []


def test_an_answer_without_end_is_not_read(stand_in: StandIn) -> None:
    stand_in.is_endless = True
    begun = time.monotonic()
    outside.post(stand_in.address(), b"a message", {})
    assert time.monotonic() - begun < 4


def test_a_name_that_nobody_has_is_told(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    with pytest.raises(TryLater, match="No host was found under that name"):
        outside.post("https://hooks.example/", b"", {})


def test_a_port_where_nobody_listens_is_told(stand_in: StandIn) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(TryLater, match="could not be reached"):
        outside.post(f"http://localhost:{port}/", b"", {})


def test_a_reason_never_repeats_the_address(stand_in: StandIn) -> None:
    for status in (301, 429, 500):
        stand_in.status = status
        with pytest.raises(TryLater) as reason:
            outside.post(stand_in.address("/a-secret"), b"", {})
        assert "a-secret" not in str(reason.value)
        assert reason.value.__suppress_context__ or reason.value.__context__ is None


# Certificates


@pytest.mark.slow
def test_a_host_that_stalls_in_the_handshake_costs_the_limit_of_time(names: Names, settings: LazySettings) -> None:
    """It takes the connection and says nothing, before there is any request."""
    settings.NOTICES_TO_LOOPBACK, settings.NOTICE_SECONDS = True, 0.5
    names(("127.0.0.1",))
    with socket.create_server(("127.0.0.1", 0)) as stalling:
        begun = time.monotonic()
        with pytest.raises(TryLater, match=r"within 0\.5 seconds"):
            outside.post(f"https://hooks.example:{stalling.getsockname()[1]}/", b"a message", {})
        assert time.monotonic() - begun < 5


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ssl.SSLContext]]:
    """Makes certificates that this process trusts, for one name each."""
    key = ec.generate_private_key(ec.SECP256R1())

    def make(name: str) -> ssl.SSLContext:
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .sign(key, hashes.SHA256())
        )
        pem = tmp_path / "certificate.pem"
        pem.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        outside._trusted.cache_clear()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        return context

    yield make
    monkeypatch.undo()
    outside._trusted.cache_clear()


def test_the_certificate_is_asked_for_the_name_and_not_for_the_address(
    certified: Callable[[str], ssl.SSLContext], names: Names, settings: LazySettings
) -> None:
    settings.NOTICES_TO_LOOPBACK = True
    names(("127.0.0.1",))
    with listening(certified("hooks.example")) as stand_in:
        outside.post(stand_in.address("/hook", "hooks.example"), b"a message", {})
        assert [sent.path for sent in stand_in.sent] == ["/hook"]
        with pytest.raises(TryLater, match="certificate"):
            outside.post(stand_in.address("/hook", "other.example"), b"a message", {})
        assert len(stand_in.sent) == 1


def test_a_certificate_that_nobody_vouches_for_is_refused(
    certified: Callable[[str], ssl.SSLContext],
    names: Names,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.NOTICES_TO_LOOPBACK = True
    names(("127.0.0.1",))
    certificate = certified("hooks.example")
    monkeypatch.delenv("SSL_CERT_FILE")
    outside._trusted.cache_clear()
    with listening(certificate) as stand_in:
        with pytest.raises(TryLater, match="certificate"):
            outside.post(stand_in.address("/hook", "hooks.example"), b"a message", {})
        assert stand_in.sent == []
