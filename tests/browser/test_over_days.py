"""A game over days from its start to its end, on a clock that the test moves.

Alice and Bob play in their browsers, and Bob goes on holiday; Charlie and Dana come only when a mail leads them there,
and have left standing orders.
"""

from __future__ import annotations

import email
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from email import policy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from playwright.sync_api import Browser, expect

from deploy.children import free_port, wait_until
from tests.browser.hands import Finger, Mouse, Plain, until_drawn
from tests.browser.making import CAST, Made, make_games
from tests.browser.test_game_whole import View, assert_all_see_the_same_end, bots_move
from tests.clockwork import Clockwork, clockwork
from tests.sites import manage

pytestmark = pytest.mark.browser

ALICE, BOB, CHARLIE, DANA = range(4)
#: A short game, if nobody trades with anybody: about 110 moves in 27 turns.
SEED = 301
#: Whoever was told something within a quarter of an hour is left in peace for the rest of it.
UNTIL_TOLD = {"minutes": 16}


class Inbox:
    """A mail server: what it took, by person."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: dict[str, list[str]] = defaultdict(list)
        self.keys: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        mail = email.message_from_bytes(envelope.content or b"", policy=policy.default)
        text = mail.get_body(("plain",))
        assert text is not None
        self.keys.append(str(mail["Message-ID"]))
        self.mails[envelope.rcpt_tos[0]].append(f"{mail['Subject']}\n{text.get_content()}")
        return "250 OK"

    def of(self, seat: int) -> list[str]:
        return self.mails[f"{CAST[seat].lower()}@catan.example"]


class Evening:
    """Who plays, how, and what happens to whom."""

    def __init__(self, browser: Browser, clock: Clockwork, inbox: Inbox, made: Made, closing: ExitStack) -> None:
        self.clock, self.inbox, self.made = clock, inbox, made
        self.source = Random(SEED)
        self.hands = [way(browser, clock.site.address) for way in (Mouse, Finger, Plain, Finger)]
        self.away = {CHARLIE, DANA}
        self.read: dict[int, int] = defaultdict(int)
        for seat, hands in enumerate(self.hands):
            closing.callback(hands.context.close)
            hands.sit_down(made, seat)
        for seat, orders in ((CHARLIE, ["Roll for me", "End my turn for me"]), (DANA, ["Roll for me"])):
            self.order(seat, *orders)
            self.leave(seat)

    # What people do beside their moves

    def order(self, seat: int, *orders: str) -> None:
        page = self.hands[seat].page
        page.goto(f"{self.hands[seat].url}orders/")
        for order in orders:
            page.get_by_role("button", name=order, exact=True).click()
            expect(page.get_by_role("button", name=order, exact=True)).to_have_count(0)

    def leave(self, seat: int) -> None:
        self.away.add(seat)
        self.hands[seat].page.goto("about:blank")
        # The browser has forgotten what it showed before.
        self.hands[seat].watch.forget()

    def come(self, seat: int) -> None:
        self.away.discard(seat)
        self.hands[seat].open()

    def follow_mail(self, seat: int, subject: str, **time: float) -> None:
        """Time passes until a mail comes, and its link leads to the game."""
        self.clock.move(**time)
        wait_until(lambda: len(self.inbox.of(seat)) > self.read[seat], f"{CAST[seat]} was not told: {subject}")
        mail = self.inbox.of(seat)[self.read[seat]]
        self.read[seat] += 1
        assert mail.startswith(subject), mail
        hands = self.hands[seat]
        hands.page.goto(re.findall(r"http\S+", mail)[0])
        assert hands.page.url == hands.url
        if isinstance(hands, Plain):
            hands.watch.note()
        else:
            until_drawn(hands.page)
        self.away.discard(seat)

    def take_holiday(self) -> None:
        """Bob goes away for days while the game waits for him, and nobody plays for him."""
        page, version = self.hands[BOB].page, self.look(BOB)["version"]
        page.goto(f"{self.clock.site.address}/account/holidays/")
        page.get_by_label("Last day").fill(f"{self.clock.now + timedelta(days=6):%Y-%m-%d}")
        page.get_by_role("button", name="Take a holiday").click()
        expect(page.locator("main")).to_contain_text("You are on holiday until")
        self.away.add(BOB)
        expect(self.hands[ALICE].page.locator("#players")).to_contain_text("on holiday until")
        self.clock.move(days=4)
        # A mail tells him all the same, so the site has looked at this game since; it waits.
        wait_until(lambda: len(self.inbox.of(BOB)) == 1, "Bob was not told")
        self.read[BOB] = 1
        assert self.look(BOB)["version"] == version
        page.get_by_role("button", name="End my holiday now").click()
        expect(page.get_by_role("button", name="End my holiday now")).to_have_count(0)
        self.come(BOB)

    # The game

    def look(self, seat: int) -> View:
        return self.hands[seat].look()

    def choose(self, seen: View) -> dict[str, Any] | None:
        """What a bot would do that trades with nobody."""
        choices = {kind: ways for kind, ways in seen["choices"].items() if kind not in ("offer_trade", "counter_offer")}
        return bots_move({**seen, "choices": choices}, self.source)

    def is_ordered(self, seat: int, seen: View) -> bool:
        """Whether the seat's own orders say what is done now."""
        if seat not in (CHARLIE, DANA) or seat != seen["active"]:
            return False
        can_do_nothing = seen["phase"] == "main" and {*seen["choices"]} <= {"end_turn", "offer_trade"}
        may_play_card = not seen["cards_played"] and any(not held["new"] for held in seen["seats"][seat]["cards"])
        return seen["phase"] == "rolling" or (seat == CHARLIE and can_do_nothing and not may_play_card)

    def play(self) -> None:
        happened: set[str] = set()
        while (seen := self.look(ALICE))["phase"] != "over":
            seat = seen["to_act"][0]
            seen = self.look(seat)
            if self.is_ordered(seat, seen):
                # Before their own eyes no turn is ended by order.
                if seat not in self.away:
                    self.leave(seat)
                self.wait_for_orders(seat, seen["version"])
                continue
            if seat == BOB and seen["turn"] > 4 and "holiday" not in happened:
                happened.add("holiday")
                self.take_holiday()
            if seat in self.away:
                asked = "You must discard" if seen["phase"] == "discarding" else "Your turn"
                self.follow_mail(seat, asked, **UNTIL_TOLD)
                if seat == DANA and seen["turn"] > 8 and "reminder" not in happened:
                    happened.add("reminder")
                    self.leave(seat)
                    self.follow_mail(seat, "Time is running out", hours=20)
            self.move(seat, seen)
            if seat in (CHARLIE, DANA) and seat not in self.look(seat)["to_act"]:
                self.leave(seat)
        assert happened == {"holiday", "reminder"}

    def wait_for_orders(self, seat: int, version: int) -> None:
        wait_until(lambda: self.look(seat)["version"] > version, "no order was followed")

    def move(self, seat: int, seen: View) -> None:
        move = self.choose(seen)
        assert move is not None
        hands = self.hands[seat]
        hands.wait_for(seen["version"])
        hands.make(move)
        hands.wait_for(seen["version"] + 1)


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    inbox = Inbox()
    controller = Controller(inbox, hostname="127.0.0.1", port=inbox.port)
    controller.start()
    yield inbox
    controller.stop()


@pytest.mark.timeout(900)
def test_a_game_over_days_reaches_its_end_though_two_only_follow_their_mail(
    browser: Browser, tmp_path: Path, inbox: Inbox
) -> None:
    wish = {"rules": "standard points_to_win=8", "seed": SEED, "pace": "1 day", "accounts": True}
    with clockwork(tmp_path, EMAIL_URL=f"smtp://127.0.0.1:{inbox.port}") as clock, ExitStack() as closing:
        (made,) = make_games(tmp_path, wish)
        evening = Evening(browser, clock, inbox, made, closing)
        evening.play()
        for seat in (CHARLIE, DANA):
            evening.follow_mail(seat, "Your game with", **UNTIL_TOLD)
        assert_all_see_the_same_end(evening.hands)
        # Whoever has the game before their eyes is told nothing, and nobody was late, not on holiday either.
        assert len(inbox.of(ALICE)) == 0
        assert len(inbox.of(BOB)) == 1
        assert len(inbox.keys) == len({*inbox.keys})
        assert "1 games checked, 0 differ." in manage("verify_games", DATA_DIR=str(tmp_path)).stdout
        counted = "from games.models import Move; print(*sorted(set(Move.objects.values_list('by', flat=True))))"
        assert manage("shell", "-v", "0", "-c", counted, DATA_DIR=str(tmp_path)).stdout.split() == ["order", "player"]
