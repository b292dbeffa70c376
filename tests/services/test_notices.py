"""Notices on a real server's processes: each arrives once, whatever dies meanwhile."""

from __future__ import annotations

import email
import threading
from collections.abc import Iterator
from email import policy

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import transaction
from django.utils import timezone

from deploy import throwaway
from deploy.children import free_port, wait_until
from lobby.models import Delivery, Notice, User
from lobby.notices import telling, wishing
from tests.games.playing import new_game
from tests.games.processes import environment
from tests.keepers import WORKERS, Keepers, started
from tests.lobby.noticing import confirmed
from tests.lobby.test_races import all_at_once

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

PEOPLE = 6


class MailServer:
    """It can be away, and it can think for as long as the test likes before it says that it has a mail."""

    def __init__(self) -> None:
        self.port = free_port()
        #: To whom each mail went, and by which id it is known.
        self.mails: list[tuple[str, str]] = []
        self.has_one = threading.Event()
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.controller: Controller | None = None

    def start(self) -> None:
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    def stop(self) -> None:
        if self.controller is not None:
            self.controller.stop()
            self.controller = None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        mail = email.message_from_bytes(envelope.content, policy=policy.default)
        self.mails.append((envelope.rcpt_tos[0], mail["Message-ID"]))
        self.has_one.set()
        while not self.may_answer.is_set():
            await server.loop.run_in_executor(None, self.may_answer.wait, 0.1)
        return "250 OK"


@pytest.fixture
def server() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.may_answer.set()
    server.stop()


@pytest.fixture
def keepers(server: MailServer) -> Iterator[Keepers]:
    settings = environment() | {"EMAIL_URL": f"smtp://127.0.0.1:{server.port}"}
    with throwaway.folder() as home, started(home, settings) as keepers:
        yield keepers


@pytest.fixture
def people() -> list[User]:
    return [confirmed(User.objects.create_user(f"person-{number}")) for number in range(PEOPLE)]


def ask(people: list[User]) -> None:
    """Each is asked something in a game of their own, and has been for long enough."""
    for person in people:
        new_game("standard turn_order=seat_order", users=[person], pace="1 day")
    Notice.objects.update(due_at=timezone.now())


def all_settled() -> bool:
    made = Delivery.objects.count() == PEOPLE
    return made and not Notice.objects.filter(kind="turn").exists() and not Delivery.objects.filter(outcome="").exists()


def check_that_each_got_one(server: MailServer, people: list[User]) -> None:
    assert sorted(to for to, _ in server.mails) == [f"{person.username}@catan.example" for person in people]
    assert len({key for _, key in server.mails}) == PEOPLE


def test_workers_that_were_dead_when_it_was_time_tell_everybody_once(
    keepers: Keepers, server: MailServer, people: list[User]
) -> None:
    keepers.kill(*WORKERS, "beat")
    ask(people)
    keepers.start(*WORKERS, "beat")
    wait_until(all_settled, "not everybody was told")
    check_that_each_got_one(server, people)


def test_workers_killed_while_the_server_thinks_about_a_mail_send_no_mail_twice(
    keepers: Keepers, server: MailServer, people: list[User]
) -> None:
    server.may_answer.clear()
    ask(people)
    assert server.has_one.wait(60), "no mail came"
    keepers.kill(*WORKERS)
    server.may_answer.set()
    # The lease of whoever has died is over.
    Delivery.objects.filter(outcome="").update(try_at=timezone.now())
    keepers.start(*WORKERS)
    wait_until(all_settled, "not everybody was told")
    check_that_each_got_one(server, people)
    assert {*Delivery.objects.values_list("outcome", flat=True)} == {"sent", "unheard"}


def test_a_redis_that_comes_back_empty_costs_nobody_a_mail(
    keepers: Keepers, server: MailServer, people: list[User]
) -> None:
    ask(people)
    keepers.kill_redis()
    keepers.start_redis()
    wait_until(all_settled, "not everybody was told")
    check_that_each_got_one(server, people)


def test_a_mail_server_that_comes_back_gets_everything_once(
    keepers: Keepers, server: MailServer, people: list[User]
) -> None:
    server.stop()
    ask(people)
    wait_until(lambda: Delivery.objects.filter(tries__gt=0).exists(), "nobody tried")
    server.start()
    wait_until(all_settled, "not everybody was told", limit=120)
    check_that_each_got_one(server, people)


def test_whoever_changes_their_wishes_keeps_no_round_waiting(people: list[User]) -> None:
    ask(people)
    busy, *others = people
    with wishing.changing(busy.pk):
        all_at_once([lambda: telling.tell_due(timezone.now())])
        told = set(Delivery.objects.values_list("person", flat=True))
        assert told == {person.pk for person in others}
    telling.tell_due(timezone.now())
    assert Delivery.objects.count() == PEOPLE


def test_a_move_under_way_keeps_no_round_waiting_and_is_told_of_by_the_next(people: list[User]) -> None:
    """It has its notices locked until it is committed."""
    ask(people)
    first = Notice.objects.earliest("pk")
    with transaction.atomic():
        Notice.objects.filter(pk=first.pk).update(due_at=timezone.now())
        all_at_once([lambda: telling.tell_due(timezone.now())])
        assert Delivery.objects.count() == PEOPLE - 1
    telling.tell_due(timezone.now())
    assert Delivery.objects.count() == PEOPLE
