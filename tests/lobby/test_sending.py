"""Deliveries on their way out, to a real mail server: each arrives once."""

from __future__ import annotations

import asyncio
import email
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from email import policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.utils import timezone

from deploy.children import free_port
from games.models import Game
from lobby.models import Delivery, User
from lobby.notice_models import Way
from lobby.notices import mail as mails
from lobby.notices import sending, telling
from tests.clock import Clock

from .noticing import A_MINUTE, confirmed, days_game, deliver_due, pass_turn

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

Outcome = Delivery.Outcome


class MailServer:
    """A server that can be stopped, started again, and told what to answer."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: list[EmailMessage] = []
        #: By the step, or by the step and the address.
        self.answers: dict[str, str] = {}
        #: Seconds that it thinks about a text.
        self.thinks_for = 0.0
        #: Without a word, once it has a text.
        self.hangs_up = False
        self.texts = 0
        self.controller: Controller | None = None

    def start(self) -> None:
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    def stop(self) -> None:
        if self.controller is not None:
            self.controller.stop()
            self.controller = None

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.answers.get(f"RCPT {address}", self.answers.get("RCPT", "250 OK"))
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.texts += 1
        await asyncio.sleep(self.thinks_for)
        if self.hangs_up:
            server.transport.abort()
        answer = self.answers.get("DATA", "250 OK")
        if answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            parsed = email.message_from_bytes(content, policy=policy.default)
            assert isinstance(parsed, EmailMessage)
            self.mails.append(parsed)
        return answer


@pytest.fixture
def server(settings: LazySettings) -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_TIMEOUT = 5
    yield server
    server.stop()


@pytest.fixture
def game(clock: Clock, alice: User, bob: User, server: MailServer) -> Game:
    """Alice has been asked for long enough, and there is a mail for her."""
    game = days_game(confirmed(alice), bob)
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    assert Delivery.objects.get().way == Way.MAIL
    return game


def outcome() -> str:
    return Delivery.objects.get().outcome


def test_a_mail_arrives_whole(game: Game, server: MailServer) -> None:
    deliver_due()
    [mail] = server.mails
    assert outcome() == Outcome.SENT
    assert (mail["Subject"], mail["To"]) == ("Your turn in a game with Bob and Charlie", "alice@catan.example")
    assert mail["Message-ID"] == f"<{Delivery.objects.get().key}@localhost>"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<http://127.0.0.1:\d+/account/link/no-more/\S+/>", mail["List-Unsubscribe"].strip())
    text = mail.get_body(("plain",))
    assert text
    assert "Place your settlement." in text.get_content()
    assert "You’re getting this because notices by e-mail are turned on in your settings." in text.get_content()
    assert re.search(r"Stop these e-mails: http://\S+/account/link/no-more/\S+/\s", text.get_content())
    deliver_due()
    assert len(server.mails) == 1


def test_a_line_that_begins_with_a_dot_arrives_as_it_was(game: Game, server: MailServer) -> None:
    delivery = Delivery.objects.get()
    mails.hand_over(delivery, [{**delivery.items[0], "sentence": ".\n.."}], lambda: None)
    body = server.mails[0].get_body(("plain",))
    assert body
    assert "\n.\n..\n" in body.get_content().replace("\r\n", "\n")


def test_a_server_that_comes_back_after_a_minute_gets_it_once(clock: Clock, game: Game, server: MailServer) -> None:
    server.stop()
    for _ in range(5):
        deliver_due()
        clock.move(10)
    assert "ConnectionRefused" in Delivery.objects.get().trouble
    server.start()
    clock.move(120)
    deliver_due()
    deliver_due()
    assert (len(server.mails), outcome()) == (1, Outcome.SENT)


@pytest.mark.parametrize("step", ["RCPT", "DATA"])
def test_a_server_that_asks_to_wait_is_asked_again_with_the_same_mail(
    clock: Clock, game: Game, server: MailServer, step: str
) -> None:
    server.answers[step] = "451 come back later"
    deliver_due()
    assert (server.mails, outcome()) == ([], "")
    del server.answers[step]
    clock.move(20)
    deliver_due()
    assert [mail["Message-ID"] for mail in server.mails] == [f"<{Delivery.objects.get().key}@localhost>"]


def test_a_server_that_refuses_it_is_not_asked_again(clock: Clock, game: Game, server: MailServer, alice: User) -> None:
    server.answers["RCPT"] = "550 nobody here"
    deliver_due()
    assert outcome() == Outcome.REFUSED
    assert alice.emailaddress_set.filter(verified=True).exists()  # type: ignore[attr-defined]


def test_a_server_that_takes_no_mails_from_us_for_a_while_is_asked_again(
    clock: Clock, game: Game, server: MailServer
) -> None:
    server.answers["MAIL"] = "550 too many from your address"
    deliver_due()
    assert (outcome(), Delivery.objects.get().trouble) == ("", "The mail server takes no mails from here now (550).")
    del server.answers["MAIL"]
    clock.move(20)
    deliver_due()
    assert (len(server.mails), outcome()) == (1, Outcome.SENT)


def test_an_address_with_letters_of_its_own_country_gets_mails(clock: Clock, server: MailServer, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email="anna@bücher.example", verified=True, primary=True)
    days_game(alice)
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    deliver_due()
    assert [mail["To"] for mail in server.mails] == ["anna@xn--bcher-kva.example"]
    assert outcome() == Outcome.SENT


# A server that thinks


def test_a_server_that_thinks_about_a_text_for_longer_than_about_anything_else_is_waited_for(
    game: Game, server: MailServer, settings: LazySettings
) -> None:
    settings.EMAIL_TIMEOUT = 0.5
    server.thinks_for = 1
    deliver_due()
    assert (server.texts, outcome()) == (1, Outcome.SENT)


def test_a_server_that_has_the_text_and_does_not_say_so_does_not_get_it_again(
    clock: Clock, game: Game, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mails, "LAST_ANSWER", 0.3)
    server.thinks_for = 1
    for _ in range(3):
        deliver_due()
        clock.move(3600)
    assert (server.texts, outcome()) == (1, Outcome.UNHEARD)


def test_the_last_answer_is_waited_for_no_longer_than_the_lease() -> None:
    assert sending.LEASE.total_seconds() > mails.LAST_ANSWER


def test_a_server_that_hangs_up_instead_of_saying_that_it_has_the_text_gets_it_again(
    clock: Clock, game: Game, server: MailServer
) -> None:
    server.answers["DATA"], server.hangs_up = "451 nobody hears this", True
    deliver_due()
    assert (outcome(), Delivery.objects.get().trouble) == ("", "The mail server is not there: SMTPServerDisconnected.")
    server.answers, server.hangs_up = {}, False
    clock.move(20)
    deliver_due()
    assert (len(server.mails), outcome()) == (1, Outcome.SENT)


def test_what_is_over_when_the_server_comes_back_is_not_sent(clock: Clock, game: Game, server: MailServer) -> None:
    server.stop()
    deliver_due()
    pass_turn(game)
    server.start()
    clock.move(20)
    deliver_due()
    assert (server.mails, Delivery.objects.get(person__username="alice").outcome) == ([], Outcome.OVER)


def test_after_two_days_it_is_given_up(clock: Clock, game: Game, server: MailServer) -> None:
    server.stop()
    deliver_due()
    clock.move(timedelta(days=2, hours=2).total_seconds())
    deliver_due()
    assert outcome() == Outcome.GIVEN_UP


# A worker that dies


class Killed(BaseException):
    """The process is gone: nothing after it runs, no handler either."""


def die(*_: Any) -> None:
    raise Killed


def test_a_worker_killed_before_the_hand_over_has_sent_nothing_and_another_does(
    clock: Clock, game: Game, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sending, "_pass_point_of_no_return", die)
        with pytest.raises(Killed):
            deliver_due()
    deliver_due()
    assert server.mails == [], "the dead one has it still"
    clock.move(sending.LEASE.total_seconds())
    deliver_due()
    assert (len(server.mails), outcome()) == (1, Outcome.SENT)


def test_a_worker_killed_after_the_hand_over_has_sent_it_and_nobody_else_does(
    clock: Clock, game: Game, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sending, "_settle", die)
        with pytest.raises(Killed):
            deliver_due()
    assert len(server.mails) == 1
    clock.move(sending.LEASE.total_seconds())
    deliver_due()
    assert (len(server.mails), outcome()) == (1, Outcome.UNHEARD)


def test_who_has_lost_the_lease_hands_nothing_over(clock: Clock, game: Game, server: MailServer) -> None:
    slow = sending.claim(Way.MAIL, sending.Troubles(), timezone.now())
    assert slow
    clock.move(sending.LEASE.total_seconds())
    quick = sending.claim(Way.MAIL, sending.Troubles(), timezone.now())
    assert quick
    sending.attempt(slow, sending.Troubles())
    assert server.mails == []
    assert Delivery.objects.get().try_at == clock.now + sending.LEASE, "it is the other one’s"
    sending.attempt(quick, sending.Troubles())
    assert (len(server.mails), outcome()) == (1, Outcome.SENT)


def test_who_loses_the_lease_to_nobody_makes_a_pause(clock: Clock, game: Game, server: MailServer) -> None:
    """Whoever takes too long takes too long again at once, if nothing keeps them from it."""
    slow = sending.claim(Way.MAIL, sending.Troubles(), timezone.now())
    assert slow
    clock.move(sending.LEASE.total_seconds())
    sending.attempt(slow, sending.Troubles())
    delivery = Delivery.objects.get()
    assert (server.mails, delivery.trouble) == ([], "It took too long.")
    assert delivery.try_at == clock.now + timedelta(seconds=15)
    clock.move(15)
    deliver_due()
    assert (len(server.mails), outcome()) == (1, Outcome.SENT)


# Several


@pytest.fixture
def several(clock: Clock, server: MailServer, alice: User, bob: User, charlie: User) -> list[User]:
    """There is a mail for each of them."""
    people = [confirmed(person) for person in (alice, bob, charlie)]
    for person in people:
        days_game(person)
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    return people


def tries() -> dict[str, int]:
    return dict(Delivery.objects.values_list("person__username", "tries"))


def test_the_first_failure_of_a_lane_is_its_last_try_in_a_round(several: list[User], server: MailServer) -> None:
    Delivery.objects.filter(person__username="charlie").update(lane="elsewhere")
    server.stop()
    deliver_due()
    assert tries() == {"alice": 1, "bob": 0, "charlie": 1}


def test_an_address_that_is_asked_to_wait_keeps_no_other_waiting(several: list[User], server: MailServer) -> None:
    server.answers["RCPT alice@catan.example"] = "450 come back in five minutes"
    deliver_due()
    assert tries() == {"alice": 1, "bob": 1, "charlie": 1}
    assert sorted(mail["To"] for mail in server.mails) == ["bob@catan.example", "charlie@catan.example"]


def test_a_mistake_with_one_keeps_no_other_from_being_sent(several: list[User], server: MailServer) -> None:
    Delivery.objects.filter(person__username="alice").update(items=[{"kind": "turn"}])
    deliver_due()
    assert len(server.mails) == 2
    assert Delivery.objects.get(person__username="alice").trouble == "KeyError"


def test_old_ones_are_forgotten(clock: Clock, game: Game, settings: LazySettings) -> None:
    deliver_due()
    sending.clear(timezone.now() - timedelta(days=settings.NOTICES_KEPT), timezone.now())
    assert Delivery.objects.exists()
    clock.move(timedelta(days=settings.NOTICES_KEPT, hours=1).total_seconds())
    sending.clear(timezone.now() - timedelta(days=settings.NOTICES_KEPT), timezone.now())
    assert not Delivery.objects.exists()


# What a mail says


@pytest.fixture
def mail_to(alice: User, clock: Clock, server: MailServer) -> Callable[[str], EmailMessage]:
    def send(name: str) -> EmailMessage:
        """The mail about a game with somebody of this name."""
        game = days_game(confirmed(alice))
        game.seat_set.filter(number=1).update(name=name)
        clock.move(A_MINUTE)
        telling.tell_due(clock.now)
        deliver_due()
        return server.mails[-1]

    return send


@pytest.mark.parametrize(
    "name", ["Bob\r\nBcc: eve@catan.example", "Bob\nX-Evil: yes", "Bob\u2028now", "Bob\x0b", "\u202ereversed"]
)
def test_no_name_breaks_a_header(mail_to: Callable[[str], EmailMessage], name: str) -> None:
    mail = mail_to(name)
    assert mail["Bcc"] is None
    assert mail["X-Evil"] is None
    assert mail["To"] == "alice@catan.example"
    assert re.fullmatch(r"Your turn in a game with [\w .:@-]+ and Charlie", mail["Subject"])


def test_a_name_is_text_in_html_and_keeps_to_itself(mail_to: Callable[[str], EmailMessage]) -> None:
    mail = mail_to("<b>Bob</b> & co")
    html = mail.get_body(("html",))
    assert html
    assert "<bdi>&lt;b&gt;Bob&lt;/b&gt; &amp; co</bdi>" in html.get_content()
    assert "<b>" not in html.get_content()
