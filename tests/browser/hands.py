"""Four ways to hold a seat: with the mouse, with the keys alone, with a finger, and without scripts.

Each can make any move of the game, and only by what its page shows: a place that is not marked or a
button that is not there fails the test.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar, Self

from playwright.sync_api import Browser, Page, expect

from tests.browser.making import Made
from tests.browser.stillness import hold_still
from tests.browser.watching import Watch
from tests.chromium import PATIENCE

#: What is put together in the tray is sent with one press.
SEND = "#tray-send[aria-disabled=false]"

PLACES = {"build_settlement": "vertex", "build_city": "vertex", "build_road": "edge", "move_robber": "hex"}


def until_drawn(page: Page) -> None:
    """The scripts draw a frame after the page has loaded; from then on Tab leads to the board."""
    page.locator("html.live #board .place[tabindex='0']").wait_for(state="attached", timeout=PATIENCE)


def open_game(page: Page, made: Made, address: str) -> None:
    """The page of a game, for whom the game waits."""
    page.context.add_cookies([made.cookie(made.seat, address)])  # type: ignore[list-item]
    page.goto(f"{address}/games/{made.game}/")
    until_drawn(page)


def open_menu(page: Page) -> None:
    """The drawer with what can be looked up and set; it opens with what is to be known about the game."""
    page.locator("#menu-open").click()


class Hands:
    """Someone at the page of a game. What is pressed how is left to the kinds of hands."""

    #: How the browser is set up for such hands.
    options: ClassVar[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.presses = 0
        self.context = browser.new_context(reduced_motion="reduce", **self.options)
        self.page = self.context.new_page()
        self.watch = Watch(address).over(self.page)

    def sit_down(self, made: Made, seat: int) -> Self:
        """Take a seat and open its page, whatever these hands did before."""
        self.context.clear_cookies()
        self.context.add_cookies([made.cookie(seat, self.address)])  # type: ignore[list-item]
        self.url = f"{self.address}/games/{made.game}/"
        self.api = f"{self.address}/api/v1/games/{made.game}/"
        self.watch.forget()
        self.open()
        return self

    def open(self) -> None:
        """Load the page; once more, if it was there before."""
        self.page.goto(self.url)
        until_drawn(self.page)

    def look(self) -> dict[str, Any]:
        """What the page is told of the game."""
        return self.ask()

    def ask(self, path: str = "") -> dict[str, Any]:
        """What the game's address tells whoever sits here."""
        # The server closes a connection that rested, perhaps at the moment it is used again; browsers ask again too.
        answer: dict[str, Any] = self.context.request.get(f"{self.api}{path}", max_retries=2).json()
        return answer

    def look_until(self, version: int) -> dict[str, Any]:
        """What the page is told, once its move has got there."""
        self.wait_for(version)
        return self.look()

    def wait_for(self, version: int) -> None:
        """Until the page shows the game at this version."""
        # Not by `expect`, which looks ever more seldom: a whole game waits here hundreds of times.
        self.page.locator(f"#game[data-version='{version}']").wait_for(timeout=PATIENCE)

    def make(self, move: dict[str, Any]) -> None:
        kind = move["kind"]
        if kind in PLACES:
            self._place(f"{PLACES[kind]}-{move[PLACES[kind]]}", is_paid=self.look()["phase"] == "main")
        elif hasattr(self, f"_{kind}"):
            getattr(self, f"_{kind}")(move)
        elif kind == "buy_card":
            self._twice(".action[data-kind=buy_card]:not([aria-disabled=true])")
        elif kind.startswith("play_"):
            self._twice(f".development-card[data-kind={kind}]:not([aria-disabled=true])")
        elif "offer" in move:
            partner = f"[data-partner='{move['partner']}']" if "partner" in move else ""
            self.press(f"[data-offer='{move['offer']}'] button[data-kind={kind}]{partner}")
        else:
            self.press(f".action[data-kind={kind}]:not([aria-disabled=true])")

    def press(self, selector: str) -> None:
        self.presses += 1
        self._press(selector)

    def _press(self, selector: str) -> None:
        raise NotImplementedError

    def _place(self, place: str, *, is_paid: bool) -> None:
        (self._twice if is_paid else self.press)(f"#{place}.legal")

    def _twice(self, selector: str) -> None:
        """What costs cards: the first press chooses, the second one means it."""
        self.press(selector)
        expect(self.page.locator("#confirm-yes")).to_be_visible()
        self.press(selector)

    def _chosen(self, side: str) -> dict[str, int]:
        """The cards that lie in the tray, on the side that is given or the one that is got."""
        counts: dict[str, int] = self.page.locator(f"#tray [data-row={side}] .chip").evaluate_all(
            "chips => Object.fromEntries(chips.map((chip) => [chip.dataset.name, +chip.textContent]))"
        )
        return counts

    def _choose(self, side: str, counts: dict[str, int]) -> None:
        """Bring one side of the open tray to these counts: first take back what is too much."""
        expect(self.page.locator("#tray-send")).to_be_visible()
        chosen = self._chosen(side)
        chip = f"#tray [data-row={side}] .chip[data-name=%s]"
        card = {"gives": "#hand [data-give=%s]", "gets": "#tray [data-get=%s]"}[side]
        for name in chosen.keys() | counts.keys():
            wanted, shown = counts.get(name, 0), chosen.get(name, 0)
            for _ in range(abs(wanted - shown)):
                self.press((chip if wanted < shown else card) % name)
            self._see(chip % name, wanted)

    def _see(self, chip: str, count: int) -> None:
        if count:
            expect(self.page.locator(f"{chip} b")).to_have_text(f"{count}")
        else:
            expect(self.page.locator(chip)).to_have_count(0)

    def _set_terms(self, move: dict[str, Any]) -> None:
        # What stands on one side cannot be asked for on the other: first clear both.
        for terms in ({"gives": {}, "gets": {}}, move):
            for side in ("gives", "gets"):
                self._choose(side, terms[side])

    def _discard(self, move: dict[str, Any]) -> None:
        self._choose("gives", move["resources"])
        self.press(SEND)

    def _play_year_of_plenty(self, move: dict[str, Any]) -> None:
        self.press(".development-card[data-kind=play_year_of_plenty]")
        self._choose("gets", move["resources"])
        self.press(SEND)

    def _play_monopoly(self, move: dict[str, Any]) -> None:
        self.press(".development-card[data-kind=play_monopoly]")
        self.press(f"#monopoly-sheet [data-resource={move['resource']}]")

    def _steal(self, move: dict[str, Any]) -> None:
        self.press(f"#steal-sheet [data-victim='{move['victim']}']")

    def _trade_with_bank(self, move: dict[str, Any]) -> None:
        self.press(f"#hand [data-give={move['give']}]")
        self.press(f"#tray [data-get={move['take']}]")
        self.press("#tray-bank[aria-disabled=false]")

    def _offer_trade(self, move: dict[str, Any]) -> None:
        self.press(f"#hand [data-give={next(name for name in move['gives'])}]")
        for side in ("gives", "gets"):
            self._choose(side, move[side])
        for box in self.page.locator("#tray-to input").all():
            asked = int(box.input_value()) in move["to"]
            if box.is_checked() != asked:
                self._toggle(box.input_value())
                expect(box).to_be_checked(checked=asked)
        self.press(SEND)

    def _toggle(self, seat: str) -> None:
        """Leave a seat out of an offer, or ask it after all."""
        self.press(f"#tray-to label:has([value='{seat}'])")

    def _counter_offer(self, move: dict[str, Any]) -> None:
        self.press(f"[data-offer='{move['offer']}'] button[data-kind=counter_offer]")
        self._set_terms(move)
        self.press(SEND)


class Mouse(Hands):
    def _press(self, selector: str) -> None:
        self.page.locator(selector).click()


class Wide(Mouse):
    """At a large screen."""

    options: ClassVar = {"viewport": {"width": 1920, "height": 1080}}


class Finger(Hands):
    options: ClassVar = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}

    def _press(self, selector: str) -> None:
        self.page.locator(selector).tap()


class Across(Finger):
    """On a phone that is held across."""

    options: ClassVar = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}


class Keys(Hands):
    """Tab, Shift+Tab, the arrows, Enter and Space; nothing else."""

    def _press(self, selector: str) -> None:
        self.page.locator(selector).first.wait_for()
        self._tab_to(".place" if selector.startswith("#") and selector.endswith(".legal") else selector)
        if selector.endswith(".legal"):
            self._walk_to(selector)
        self.page.keyboard.press("Enter")

    def _toggle(self, seat: str) -> None:
        self._tab_to(f"#tray-to [value='{seat}']")
        self.page.keyboard.press("Space")

    def _tab_to(self, selector: str) -> None:
        for _ in range(250):
            way = self.page.evaluate(
                """(selector) => {
                    const [here, there] = [document.activeElement, document.querySelector(selector)];
                    if (here.matches(selector)) return null;
                    const stop = selector === ".place" ? document.querySelector(".place[tabindex='0']") : there;
                    const back = here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING;
                    return here !== document.body && back ? "Shift+Tab" : "Tab";
                }""",
                selector,
            )
            if way is None:
                return
            self.page.keyboard.press(way)
        raise AssertionError(f"No key leads to {selector}.")

    def _walk_to(self, selector: str) -> None:
        been: set[tuple[str, str]] = set()
        for _ in range(60):
            here, *arrows = self.page.evaluate(
                """(selector) => {
                    const here = document.activeElement;
                    if (here.matches(selector)) return [here.id];
                    const at = (place) => place.transform.baseVal.consolidate().matrix;
                    const [a, b] = [at(here), at(document.querySelector(selector))];
                    const across = b.e > a.e ? "ArrowRight" : "ArrowLeft";
                    const along = b.f > a.f ? "ArrowDown" : "ArrowUp";
                    const arrows = Math.abs(b.e - a.e) > Math.abs(b.f - a.f) ? [across, along] : [along, across];
                    return [here.id, ...arrows, "ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
                }""",
                selector,
            )
            if not arrows:
                return
            arrow = next(arrow for arrow in arrows if (here, arrow) not in been)
            been.add((here, arrow))
            self.page.keyboard.press(arrow)
        raise AssertionError(f"No arrow leads to {selector}.")


class Plain(Hands):
    """A browser without scripts: the page's forms, and reloading it."""

    options: ClassVar = {"viewport": {"width": 1280, "height": 800}, "java_script_enabled": False}

    def __init__(self, browser: Browser, address: str) -> None:
        super().__init__(browser, address)
        hold_still(self.page)

    def open(self) -> None:
        self.page.goto(self.url)
        self.watch.note()

    def wait_for(self, version: int) -> None:
        if self._shown() != version:
            self.open()
        assert self._shown() == version

    def _shown(self) -> int:
        return int(str(self.page.locator("#game").get_attribute("data-version")))

    def make(self, move: dict[str, Any]) -> None:
        form = self.page.locator(f".plain-form:has(input[name=kind][value={move['kind']}])")
        choice = {key: move[key] for key in move if key not in ("kind", "gives", "gets", "to")}
        if move["kind"] == "discard":
            choice = {}
            self._fill(form, "resources", move["resources"])
        if choice:
            values = form.locator("option").evaluate_all("options => options.map((option) => option.value)")
            form.locator("select").select_option(next(value for value in values if json.loads(value) == choice))
        for row in ("gives", "gets"):
            if row in move:
                self._fill(form, row, move[row])
        for box in form.locator("input[name=to]").all():
            box.set_checked(int(box.input_value()) in move["to"])
        version = self._shown()
        form.locator("button").click()
        super().wait_for(version + 1)
        self.page.wait_for_load_state()
        self.watch.note()

    def _fill(self, form: Any, row: str, counts: dict[str, int]) -> None:
        for name, count in counts.items():
            form.locator(f"[name={row}-{name}]").fill(f"{count}")


WAYS: dict[str, type[Hands]] = {"mouse": Mouse, "keys": Keys, "finger": Finger, "plain": Plain}
