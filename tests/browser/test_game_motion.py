"""What happens is seen to move and heard, and a still page misses none of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Self

import pytest
from playwright.sync_api import Browser, expect

from games.rules.topology import HEX_VERTICES
from tests.browser.hands import Mouse
from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

#: Notes what is set in motion, what is shown for a while, every sound and whatever could make one. Motion can be held:
#: it then goes on so slowly that it stands.
NOTING = """
Object.assign(window, { moved: [], shown: [], sounds: 0, audios: 0, isHeld: false });
const { animate } = Element.prototype;
Element.prototype.animate = function (...motion) {
  window.moved.push(this.getAttribute("class"));
  const started = animate.apply(this, motion);
  if (window.isHeld) started.playbackRate = 1e-6;
  return started;
};
for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
  const { start } = prototype;
  prototype.start = function (...when) {
    window.sounds += 1;
    return start.apply(this, when);
  };
}
window.AudioContext = class extends AudioContext {
  constructor(...options) {
    super(...options);
    window.audios += 1;
  }
};
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) {
      if (!(node instanceof Element && node.matches(".banner, .stolen, .flier"))) continue;
      const cards = [...node.querySelectorAll(".resource")].map((card) => card.className);
      window.shown.push([node.className, node.textContent, ...cards]);
    }
  }
}).observe(document, { childList: true, subtree: true });
"""

ROLL: dict[str, Any] = {"rules": "online", "seed": 14, "until": "roll", "after": 60}
END: dict[str, Any] = ROLL | {"until": "end_turn"}
ROBBER: dict[str, Any] = {"rules": "online", "seed": 14, "until": "move_robber"}
#: Each is played by one test alone.
WISHES: dict[str, dict[str, Any]] = {
    "dice": ROLL,
    "cards": ROLL,
    "dice that nobody waits for": ROLL,
    "still dice": ROLL,
    "sounds": ROLL,
    "hidden": ROLL,
    "robber": ROBBER,
    "sizes": ROBBER,
    "still robber": ROBBER,
    "turn": END,
    "still turn": END,
    "setup": {"seed": 14, "until": "build_road"},
    "offer": {"rules": "online", "seed": 14, "until": "offer_trade", "after": 60},
}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    return dict(zip(WISHES, make_games(embedded_site.data, *WISHES.values()), strict=True))


class Observer(Mouse):
    """Somebody whose page notes what it shows, moves and sounds."""

    def open(self) -> None:
        self.context.add_init_script(NOTING)
        super().open()

    def with_motion(self) -> Self:
        self.page.emulate_media(reduced_motion="no-preference")
        return self

    def holding(self) -> Self:
        self.page.evaluate("window.isHeld = true")
        return self.with_motion()

    def hide(self) -> None:
        """As if another window lay before it."""
        self.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")

    def press_nothing(self) -> None:
        self.page.locator("#prompt").click()

    def moved(self) -> list[str]:
        return [f"{each}" for each in self.page.evaluate("window.moved")]

    def shown(self) -> list[list[str]]:
        shown: list[list[str]] = self.page.evaluate("window.shown")
        return shown

    def sounds(self) -> int:
        return int(self.page.evaluate("window.sounds"))

    def audios(self) -> int:
        return int(self.page.evaluate("window.audios"))

    def after_frame(self) -> None:
        """Until what a page tells is drawn, and has begun to move."""
        self.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


class Table:
    def __init__(self, browser: Browser, site: Site, games: dict[str, Made]) -> None:
        self.browser, self.site, self.games = browser, site, games
        self.observers: list[Observer] = []

    def seat(self, which: str, seat: int | None = None) -> Observer:
        """Whoever is to act, or another seat."""
        made = self.games[which]
        observer = Observer(self.browser, self.site.address).sit_down(made, made.seat if seat is None else seat)
        self.observers.append(observer)
        return observer

    def play(self, mover: Observer, move: dict[str, Any]) -> dict[str, Any]:
        """The move, seen by everybody."""
        version = mover.look()["version"]
        mover.make(move)
        for observer in self.observers:
            observer.wait_for(version + 1)
            observer.after_frame()
        return mover.look()


@pytest.fixture
def table(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> Iterator[Table]:
    table = Table(browser, embedded_site, games)
    yield table
    for observer in table.observers:
        assert observer.watch.complaints == []
        observer.context.close()


# Dice, and what they bring

#: The motions of the dice and of their pips.
ROLLING = 'document.getAnimations().filter((each) => each.effect.target.closest(".die"))'
#: The motions of the cards on their way.
FLYING = 'document.getAnimations().filter((each) => each.effect.target.matches(".flier"))'
#: How many pips are seen of each die.
PIPS = """[...document.querySelectorAll(".die")].map((die) =>
    [...die.querySelectorAll("circle")].filter((pip) => getComputedStyle(pip).visibility === "visible").length)"""


def test_dice_show_many_faces_and_end_on_the_true_ones(table: Table) -> None:
    player = table.seat("dice").holding()
    page = player.page
    rolled = table.play(player, {"kind": "roll"})["dice"]
    # Whoever listens hears the truth at once.
    expect(page.locator("#dice-text")).to_have_text(f"Last roll: {rolled[0]} and {rolled[1]}")
    faces = page.evaluate(
        f"""(moments) => moments.map((at) => {{
            for (const each of {ROLLING}) each.currentTime = at;
            return {PIPS};
        }})""",
        [*range(0, 500, 50)],
    )
    assert len({*map(tuple, faces)}) >= 4
    assert page.evaluate(f"{ROLLING}.every((each) => each.effect.getComputedTiming().endTime <= 700)")
    page.evaluate(f"{ROLLING}.forEach((each) => each.finish())")
    assert page.evaluate(PIPS) == rolled


def test_cards_fly_to_the_hand_that_gets_them(table: Table) -> None:
    player = table.seat("cards").holding()
    view = table.play(player, {"kind": "roll"})
    targets = [
        f".hand-card[data-resource={name}]" if gain["seat"] == view["viewer"] else f"#seat-{gain['seat']}"
        for gain in view["log"][-1]["gains"]
        for name, count in gain["resources"].items()
        for _ in range(count)
    ]
    reached: list[str] = player.page.evaluate(
        f"""(targets) => {FLYING}.map((each) => {{
            each.currentTime = each.effect.getComputedTiming().endTime - 1;
            const {{ left, top, width, height }} = each.effect.target.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            return targets.find((target) => {{
                const box = document.querySelector(target).getBoundingClientRect();
                return box.left < x && x < box.right && box.top < y && y < box.bottom;
            }});
        }})""",
        targets,
    )
    assert any(target.startswith(".hand-card") for target in targets)
    assert any(target.startswith("#seat") for target in targets)
    assert sorted(reached) == sorted(targets)


def test_whoever_does_not_wait_for_the_dice_finds_them_lying_and_the_cards_on_their_way(table: Table) -> None:
    player = table.seat("dice that nobody waits for").holding()
    rolled = table.play(player, {"kind": "roll"})["dice"]
    assert player.page.evaluate(f"{ROLLING}.length") > 0
    table.play(player, {"kind": "end_turn"})
    assert player.page.evaluate(f"{ROLLING}.length") == 0
    assert player.page.evaluate(PIPS) == rolled
    assert min(player.page.evaluate(f"{FLYING}.map((each) => each.currentTime)")) >= 650


def test_dice_of_a_still_page_are_heard_and_do_not_move(table: Table) -> None:
    player = table.seat("still dice")
    rolled = table.play(player, {"kind": "roll"})["dice"]
    assert player.moved() == []
    assert player.page.evaluate("document.getAnimations().length") == 0
    assert player.page.evaluate(PIPS) == rolled
    assert player.sounds() > 0


# The robber


def robbed_alone(view: dict[str, Any]) -> tuple[int, int]:
    """A hex at which only one other player has built, who holds cards, and that player."""
    for way in view["choices"]["move_robber"]:
        corners = {*HEX_VERTICES[way["hex"]]}
        there = [seat for seat in view["seats"] if corners & {*seat["settlements"], *seat["cities"]}]
        others = [seat for seat in there if seat["seat"] != view["viewer"]]
        if len(others) == 1 and others[0]["hand_size"]:
            return way["hex"], others[0]["seat"]
    raise AssertionError("The robber can be moved nowhere of use.")


@pytest.mark.parametrize("which", ["robber", "still robber"])
def test_the_two_concerned_see_which_card_was_stolen_and_nobody_else_does(table: Table, which: str) -> None:
    is_still = which.startswith("still")
    thief = table.seat(which)
    view = thief.look()
    hex_, victim = robbed_alone(view)
    outsider = next(seat for seat in range(4) if seat not in (view["viewer"], victim))
    robbed, third = table.seat(which, victim), table.seat(which, outsider)
    if not is_still:
        for observer in table.observers:
            observer.with_motion()
    stolen = table.play(thief, {"kind": "move_robber", "hex": hex_})["log"][-1]
    card = f"resource resource-{stolen['event']['resource']}"
    assert ["stolen", stolen["text"], card] in thief.shown()
    assert ["stolen", robbed.look()["log"][-1]["text"], card] in robbed.shown()
    assert third.shown() == ([] if is_still else [["flier", "", "resource card-back"]])
    assert third.watch.secrets_seen(outsider, hashlib.sha256(b"14").digest()) == []
    assert "resource" not in third.look()["log"][-1]["event"]
    for observer in table.observers:
        if is_still:
            assert observer.moved() == []
            assert observer.page.evaluate("document.getAnimations().length") == 0
        else:
            assert any("seat-card" in each for each in observer.moved())
            assert "land" in observer.moved()
        expect(observer.page.locator(".stolen, .flier")).to_have_count(0)


def test_a_stolen_card_lies_over_the_sea_and_in_the_way_of_nothing(table: Table) -> None:
    player = table.seat("sizes")
    for width, height in ((1280, 800), (1024, 768), (844, 390), (390, 844), (360, 640)):
        player.page.set_viewport_size({"width": width, "height": height})
        covered: list[str] = player.page.evaluate(
            """() => {
                const shown = document.createElement("div");
                shown.className = "stolen";
                shown.innerHTML = "<p>Charlie stole lumber from you.</p><span class='resource resource-lumber'></span>";
                document.querySelector(".island").append(shown);
                const boxes = [...shown.children].map((part) => part.getBoundingClientRect());
                const isUnder = ({ left, top, width, height }) => boxes.some((box) =>
                    box.left < left + width / 2 && left + width / 2 < box.right &&
                    box.top < top + height / 2 && top + height / 2 < box.bottom);
                const pressed = [...document.querySelectorAll(".place, .now, .action, .hand-card, header button")];
                const covered = pressed.filter((each) => isUnder(each.getBoundingClientRect()));
                shown.remove();
                return covered.map((each) => each.id || each.className);
            }"""
        )
        assert covered == [], width


# Whose turn it is, and who is asked


def next_seat(view: dict[str, Any]) -> int:
    order = view["order"]
    following: int = order[(order.index(view["viewer"]) + 1) % len(order)]
    return following


@pytest.mark.parametrize("which", ["turn", "still turn", "setup"])
def test_a_turn_that_begins_is_told_over_the_sea_to_whom_it_belongs(table: Table, which: str) -> None:
    player = table.seat(which)
    view = player.look()
    follower = table.seat(which, next_seat(view))
    is_still = which.startswith("still")
    if not is_still:
        for observer in table.observers:
            observer.with_motion()
    roads = view["choices"].get("build_road", [])
    table.play(player, {"kind": "build_road", **roads[0]} if which == "setup" else {"kind": "end_turn"})
    assert follower.shown() == [["banner", "Your turn"]]
    assert player.shown() == []
    for observer in table.observers:
        lit = [each for each in observer.moved() if "seat-card" in each]
        assert len(lit) == (0 if is_still else 1)
        assert is_still or "is-active" in lit[0]
    expect(follower.page.locator(".banner")).to_have_count(0)


def test_an_offer_is_noticed_by_whom_it_is_for(table: Table) -> None:
    maker = table.seat("offer")
    view = maker.look()
    asked, other, _ = (seat for seat in range(4) if seat != view["viewer"])
    hand = view["seats"][view["viewer"]]["hand"]
    given = next(name for name, count in hand.items() if count)
    wanted = next(name for name in hand if name != given)
    listener, bystander = table.seat("offer", asked).with_motion(), table.seat("offer", other).with_motion()
    for observer in (listener, bystander):
        observer.press_nothing()
    table.play(maker, {"kind": "offer_trade", "gives": {given: 1}, "gets": {wanted: 1}, "to": [asked]})
    assert len([each for each in listener.moved() if each.startswith("offer ")]) == 1
    assert bystander.moved() == []
    expect(listener.page).to_have_title(re.compile(r"^\(1\) An offer for you · "))
    assert (listener.sounds() > 0, bystander.sounds()) == (True, 0)


# Sounds


def test_sounds_begin_with_the_first_press_and_one_press_ends_them_for_good(table: Table) -> None:
    player = table.seat("sounds")
    page = player.page
    switch = page.get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert player.audios() == 0
    player.press_nothing()
    assert player.audios() == 1
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    table.play(player, {"kind": "roll"})
    assert player.sounds() == 0
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    player.press_nothing()
    page.keyboard.press("Tab")
    assert player.audios() == 0
    switch.click()
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert player.audios() == 0
    page.keyboard.press("Tab")
    assert player.audios() == 1


def test_a_hidden_page_sounds_for_ones_turn_and_nothing_else(table: Table) -> None:
    player = table.seat("hidden")
    follower = table.seat("hidden", next_seat(player.look())).with_motion()
    follower.press_nothing()
    follower.hide()
    table.play(player, {"kind": "roll"})
    assert (player.sounds() > 0, follower.sounds()) == (True, 0)
    table.play(player, {"kind": "end_turn"})
    assert follower.sounds() == 2
    # Nor does anything move that nobody sees.
    assert (follower.moved(), follower.shown()) == ([], [])
