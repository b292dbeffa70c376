"""Who has an address can send there: none is written where anybody but its owner reads, whatever goes wrong."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings, settings
from django.core.cache import cache
from django.core.signals import got_request_exception
from django.test import Client
from django.utils import timezone
from django.views.debug import ExceptionReporter

from catan_site import logs
from lobby import tasks
from lobby.models import Delivery, PushSubscription, User, Webhook
from lobby.notices import outside, telling, ways
from tests.clock import Clock
from tests.lobby.noticing import A_MINUTE, days_game, deliver_due
from tests.lobby.people import link_in, sign_up
from tests.notices.listening import Browser, StandIn

pytestmark = pytest.mark.django_db

SECRET = "a-secret-of-many-letters"


@pytest.fixture
def written() -> Iterator[Callable[[], str]]:
    """All that the site writes into its log while the test runs, down to what is of use to nobody."""
    logs.configure(logs.configuration("DEBUG", as_json=True))
    lines = io.StringIO()
    logging.getLogger().handlers[0].setStream(lines)  # type: ignore[attr-defined]
    yield lines.getvalue
    logs.configure(settings.LOGGING)


def fail(*_: Any) -> None:
    raise RuntimeError("a mistake of ours")


TROUBLES = ["refused", "redirected", "gone", "silent", "unreachable", "inside", "a mistake of ours"]


def break_down(trouble: str, stand_in: StandIn, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in.status = {"refused": 403, "redirected": 302, "gone": 410}.get(trouble, 201)
    stand_in.location = stand_in.address(f"/elsewhere/{SECRET}") if trouble == "redirected" else ""
    stand_in.is_silent, settings.NOTICE_SECONDS = trouble == "silent", 0.3
    if trouble == "unreachable":
        stand_in.port = 1
    elif trouble == "inside":
        monkeypatch.setattr(outside, "_is_outside", lambda _: False)
    elif trouble == "a mistake of ours":
        monkeypatch.setattr(outside, "_judged", fail)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_line_of_the_log_has_an_address(
    clock: Clock,
    alice: User,
    stand_in: StandIn,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    written: Callable[[], str],
    trouble: str,
) -> None:
    break_down(trouble, stand_in, settings, monkeypatch)
    address = stand_in.address(f"/{SECRET}")
    Browser().subscription(address, person=alice, device="Firefox", added_at=clock.now).save()
    Webhook.objects.create(person=alice, url=address, form=Webhook.Form.SLACK, added_at=clock.now)
    days_game(alice)
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    deliver_due()
    assert Delivery.objects.exclude(trouble="").exists() or trouble == "gone"
    for way in ways.TESTS:
        ways.begin_test(alice)
        try:
            tasks.send_test(alice.pk, way, "http://testserver/")
        except RuntimeError:
            logging.getLogger("celery").exception("the worker writes down what a task could not do")
    assert SECRET not in written()
    kept = [*Delivery.objects.values_list("trouble"), *Webhook.objects.values_list("trouble")]
    assert SECRET not in f"{kept}{PushSubscription.objects.values_list('trouble')}"


@pytest.mark.parametrize(
    ("address", "said", "kind"),
    [
        ("/account/webhook/", {"url": f"https://hooks.example/{SECRET}"}, "multipart"),
        ("/account/push/", Browser().said(f"https://push.example/{SECRET}"), "application/json"),
        ("/account/push/renewal/", Browser().said(f"https://push.example/{SECRET}"), "application/json"),
    ],
)
def test_no_report_of_a_mistake_of_ours_has_an_address(
    client: Client,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    written: Callable[[], str],
    address: str,
    said: dict[str, Any],
    kind: str,
) -> None:
    """Neither the log nor what Django tells of a request that failed: who looks after the site may be mailed that."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    sign_up(client)
    told: list[str] = []

    def report(request: Any, **_: Any) -> None:
        reporter = ExceptionReporter(request, *sys.exc_info())
        told.extend((reporter.get_traceback_html(), reporter.get_traceback_text()))

    monkeypatch.setattr("lobby.limits.count_way", fail)
    client.raise_request_exception = False
    if address.endswith("renewal/"):
        device = Browser().subscription(f"https://push.example/{SECRET}", person=User.objects.get(), device="Firefox")
        device.added_at = timezone.now()
        device.save()
        said = said | {"instead_of": f"https://push.example/{SECRET}"}
    how = {} if kind == "multipart" else {"content_type": kind}
    got_request_exception.connect(report)
    assert client.post(address, said, **how).status_code == 500
    assert len(told) == 2
    assert "a mistake of ours" in told[0]
    assert SECRET not in "".join(told)
    assert SECRET not in written()


def test_links_that_let_somebody_in_stand_in_no_log(client: Client, written: Callable[[], str]) -> None:
    sign_up(client, email="alice@catan.example")
    Client().get(link_in())
    secret = link_in().split("/")[-2]
    assert "GET /account/link/…" in {json.loads(line).get("request") for line in written().splitlines()}
    assert secret not in written()


@pytest.mark.parametrize("place", ["notice", "no-more", "guest", "email"])
def test_no_line_of_the_log_has_a_link_whatever_becomes_of_it(
    db: None, monkeypatch: pytest.MonkeyPatch, written: Callable[[], str], place: str
) -> None:
    """Nor where Django itself tells of what it refuses, or could not answer."""
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.post(f"/account/link/{place}/{SECRET}/")
    monkeypatch.setattr("django.core.signing.loads", fail)
    monkeypatch.setattr("lobby.recovery.guest_of", fail)
    strict.get(f"/account/link/{place}/{SECRET}/")
    logging.getLogger("celery").warning(
        "Referer https://catan.example/account/link/%s/%s/?a=b is not ours", place, SECRET
    )
    assert written().count("Internal Server Error: /account/link/") == 1
    assert SECRET not in written()
