"""People act at the same moment: nobody's choice is lost by what another does, and no press is swallowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.hands import Mouse
from tests.browser.making import Made, make_games
from tests.browser.test_game_moves import some_of
from tests.sites import Site

pytestmark = pytest.mark.browser

#: Somebody is in the middle of a turn, and can place a road or trade.
TURN = {"rules": "online", "seed": 14, "until": "build_road offer_trade", "after": 20}
#: A seven costs two players cards.
SEVEN = {"rules": "online", "seed": 14, "until": "discard", "several": True}
BANK = {"rules": "online maritime_trade=limited", "seed": 14, "until": "trade_with_bank", "after": 20}
WISHES = {
    "discards": SEVEN,
    "look": SEVEN,
    "trade": TURN,
    "counter": TURN,
    "place": TURN,
    "stale place": TURN,
    "stale sheet": TURN,
    "answers": TURN,
    "focus": TURN,
    "robbed": {"rules": "online", "seed": 14, "until": "play_monopoly offer_trade"},
    "bank": BANK,
    "offer": TURN,
    "anything": {"rules": "three-player", "seats": 3, "seed": 14, "until": "offer_trade", "after": 30},
}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    return dict(zip(WISHES, make_games(embedded_site.data, *WISHES.values()), strict=True))


@pytest.fixture
def sit_down(browser: Browser, embedded_site: Site) -> Iterator[Callable[[Made, int], Mouse]]:
    """Somebody at a seat, in a window of their own until the end of the test."""
    with ExitStack() as at_the_end:

        def sit_down(made: Made, seat: int) -> Mouse:
            hands = Mouse(browser, embedded_site.address)
            at_the_end.callback(hands.context.close)
            return hands.sit_down(made, seat % len(made.sessions))

        yield sit_down


def counts(hands: Mouse, within: str) -> dict[str, int]:
    return {name: count for name, count in hands._shown_counts(within).items() if count}


def offer(maker: Mouse, *to: int, wanted: int = 1) -> int:
    """Offer one card that the maker holds for some of another kind; the offer's number."""
    seen = maker.look()
    hand = seen["seats"][seen["viewer"]]["hand"]
    given = max(hand, key=hand.__getitem__)
    terms = {"gives": {given: 1}, "gets": {next(name for name in hand if name != given): wanted}}
    maker.make({"kind": "offer_trade", "to": sorted(seat % 4 for seat in to), **terms})
    offers = maker.look_until(seen["version"] + 1)["offers"]
    return int(offers[-1]["number"])


def reject(hands: Mouse, number: int) -> None:
    hands.make({"kind": "reject_offer", "offer": number})


def road(hands: Mouse) -> str:
    return f"#edge-{hands.look()['choices']['build_road'][0]['edge']}"


# Sheets


def test_cards_chosen_to_discard_stay_chosen_while_another_discards(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["discards"]
    first = sit_down(made, made.seat)
    seen = first.look()
    second = sit_down(made, next(seat for seat in seen["to_act"] if seat != made.seat))
    own = second.look()
    owed = own["choices"]["discard"]["count"]
    chosen = some_of(own["seats"][own["viewer"]]["hand"], owed)
    some = some_of(chosen, owed - 1)
    second._count("#discard-sheet", some)
    first.make(
        {
            "kind": "discard",
            "resources": some_of(seen["seats"][made.seat]["hand"], seen["choices"]["discard"]["count"]),
        }
    )
    second.wait_for(seen["version"] + 1)
    expect(second.page.locator("#discard-sheet")).to_be_visible()
    assert counts(second, "#discard-sheet") == some
    expect(second.page.locator("#discard-note")).to_have_text(f"{owed - 1} of {owed} chosen")
    second._count("#discard-sheet", chosen)
    second.press("#discard-yes")
    second.wait_for(seen["version"] + 2)
    expect(second.page.locator("#discard-sheet")).to_be_hidden()


def test_cards_chosen_to_discard_stay_chosen_while_one_looks_at_the_board(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["look"]
    hands = sit_down(made, made.seat)
    seen = hands.look()
    some = some_of(seen["seats"][made.seat]["hand"], 2)
    hands._count("#discard-sheet", some)
    hands.press("#discard-sheet [data-close]")
    expect(hands.page.locator("#discard-sheet")).to_be_hidden()
    hands.press(".action[data-kind=discard]")
    expect(hands.page.locator("#discard-sheet")).to_be_visible()
    assert counts(hands, "#discard-sheet") == some


def test_a_trade_that_is_being_put_together_stays_while_another_offer_is_answered(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["trade"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    number = offer(maker, made.seat + 1)
    seen = maker.look()
    hand = seen["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    wanted = next(name for name in hand if name != given)
    maker.press(".action[data-kind=trade]")
    maker._set_terms({"gives": {given: 1}, "gets": {wanted: 2}})
    boxes = [maker.page.locator(f"#trade-to input[value='{(made.seat + place) % 4}']") for place in (1, 2, 3)]
    for box, is_asked in zip(boxes, (False, True, False), strict=True):
        box.set_checked(is_asked)
    reject(other, number)
    maker.wait_for(seen["version"] + 1)
    expect(maker.page.locator("#trade-sheet")).to_be_visible()
    assert counts(maker, "#trade-sheet [data-row=gives]") == {given: 1}
    assert counts(maker, "#trade-sheet [data-row=gets]") == {wanted: 2}
    for box, is_asked in zip(boxes, (False, True, False), strict=True):
        expect(box).to_be_checked(checked=is_asked)
    maker.press("#trade-offer[aria-disabled=false]")
    offers = maker.look_until(seen["version"] + 2)["offers"]
    assert (offers[-1]["to"], offers[-1]["gets"]) == ([(made.seat + 2) % 4], {wanted: 2})


def test_a_counter_offer_that_is_being_put_together_stays_while_another_answers(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["counter"]
    maker, one, other = (sit_down(made, made.seat + place) for place in range(3))
    number = offer(maker, made.seat + 1, made.seat + 2)
    seen = one.look_until(maker.look()["version"])
    hand = seen["seats"][seen["viewer"]]["hand"]
    given = max(hand, key=hand.__getitem__)
    terms = {"gives": {given: 1}, "gets": {next(name for name in hand if name != given): 2}}
    one.press(f"[data-offer='{number}'] button[data-kind=counter_offer]")
    one._set_terms(terms)
    reject(other, number)
    one.wait_for(seen["version"] + 1)
    expect(one.page.locator("#trade-title")).to_have_text("Counter-offer")
    assert counts(one, "#trade-sheet [data-row=gives]") == terms["gives"]
    assert counts(one, "#trade-sheet [data-row=gets]") == terms["gets"]
    one.press("#trade-offer[aria-disabled=false]")
    assert one.look_until(seen["version"] + 2)["offers"][-1]["gets"] == terms["gets"]


def test_of_what_was_chosen_only_what_was_taken_away_is_gone(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["robbed"]
    maker, one = (sit_down(made, made.seat + place) for place in range(2))
    number = offer(maker, made.seat + 1)
    seen = one.look_until(maker.look()["version"])
    hand = seen["seats"][seen["viewer"]]["hand"]
    lost, kept = sorted(hand, key=hand.__getitem__)[-2:]
    wanted = next(name for name in hand if name not in (lost, kept))
    one.press(f"[data-offer='{number}'] button[data-kind=counter_offer]")
    one._set_terms({"gives": {lost: 1, kept: 1}, "gets": {wanted: 1}})
    maker.make({"kind": "play_monopoly", "resource": lost})
    one.wait_for(seen["version"] + 1)
    expect(one.page.locator("#trade-sheet")).to_be_visible()
    assert counts(one, "#trade-sheet [data-row=gives]") == {kept: 1}
    assert counts(one, "#trade-sheet [data-row=gets]") == {wanted: 1}


# The board


def test_a_chosen_place_stays_chosen_while_an_offer_is_answered(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["place"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    number = offer(maker, made.seat + 1)
    version = maker.look()["version"]
    place = road(maker)
    maker.press(".action[data-kind=build_road]")
    maker.press(f"{place}.legal")
    expect(maker.page.locator("#confirm-yes")).to_be_visible()
    reject(other, number)
    maker.wait_for(version + 1)
    expect(maker.page.locator(f"{place}.selected")).to_be_visible()
    expect(maker.page.locator("#prompt")).to_contain_text("Press again to build a road")
    maker.press("#confirm-yes")
    built = maker.look_until(version + 2)["seats"][made.seat]["roads"]
    assert int(place.split("-")[1]) in built
    expect(maker.page.locator("#confirm")).to_be_hidden()


def answered_first(number: int, other: Mouse, version: int) -> Callable[[Route], None]:
    """Let another's answer reach the server while a move is on its way."""

    def hold(route: Route) -> None:
        reject(other, number)
        other.wait_for(version + 1)
        route.continue_()

    return hold


def test_a_place_pressed_in_the_moment_of_an_answer_stays_chosen_for_another_press(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["stale place"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    number = offer(maker, made.seat + 1)
    version, place = maker.look()["version"], road(maker)
    maker.page.route("**/moves/", answered_first(number, other, version), times=1)
    maker.make({"kind": "build_road", "edge": int(place.split("-")[1])})
    maker.wait_for(version + 1)
    expect(maker.page.locator("#refusal")).to_contain_text("moved on")
    expect(maker.page.locator(f"{place}.selected")).to_be_visible()
    maker.press("#confirm-yes")
    maker.wait_for(version + 2)
    expect(maker.page.locator("#refusal")).to_be_empty()


def test_a_sheet_sent_in_the_moment_of_an_answer_comes_back_with_what_was_chosen(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["stale sheet"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    number = offer(maker, made.seat + 1)
    seen = maker.look()
    hand = seen["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    terms = {"gives": {given: 1}, "gets": {next(name for name in hand if name != given): 3}}
    maker.page.route("**/moves/", answered_first(number, other, seen["version"]), times=1)
    maker.make({"kind": "offer_trade", "to": [(made.seat + 2) % 4], **terms})
    sheet = maker.page.locator("#trade-sheet")
    expect(sheet).to_be_visible()
    expect(sheet.locator(".refusal")).to_contain_text("moved on")
    assert counts(maker, "#trade-sheet [data-row=gets]") == terms["gets"]
    maker.press("#trade-offer[aria-disabled=false]")
    maker.wait_for(seen["version"] + 2)
    expect(sheet).to_be_hidden()


# Answers


def test_two_offers_answered_at_once_are_both_answered(sit_down: Callable[..., Mouse], games: dict[str, Made]) -> None:
    made = games["answers"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    numbers = [offer(maker, made.seat + 1, wanted=count) for count in (1, 2)]
    version = maker.look()["version"]
    other.wait_for(version)
    waiting: list[Route] = []

    def hold_the_first(route: Route) -> None:
        waiting.append(route)
        if len(waiting) == 2:
            for each in waiting:
                each.continue_()

    other.page.route("**/moves/", hold_the_first, times=2)
    for number in numbers:
        reject(other, number)
        # A second press of the same button is none.
        other.page.locator(f"[data-offer='{number}'] button[data-kind=reject_offer]").dispatch_event("click")
    other.wait_for(version + 2)
    played = other.context.request.get(f"{other.api}moves/?after={version}").json()["moves"]
    rejected = [event["offer"] for move in played for event in move["events"] if event["kind"] == "rejected"]
    assert sorted(rejected) == numbers
    expect(other.page.locator("#refusal")).to_be_empty()


def test_a_button_of_an_offer_keeps_the_focus_while_another_answers_it(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["focus"]
    maker, one, other = (sit_down(made, made.seat + place) for place in range(3))
    number = offer(maker, made.seat + 1, made.seat + 2)
    version = maker.look()["version"]
    one.wait_for(version)
    button = one.page.locator(f"[data-offer='{number}'] button[data-kind=reject_offer]")
    button.focus()
    reject(other, number)
    one.wait_for(version + 1)
    expect(one.page.locator(f"[data-offer='{number}'] .answers")).to_contain_text("said no")
    expect(button).to_be_focused()


# What the trade sheet says


def test_the_trade_sheet_says_why_the_bank_does_not_serve_a_choice(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["bank"]
    hands = sit_down(made, made.seat)
    view = hands.look()
    deal = view["choices"]["trade_with_bank"][0]
    give, take, paid = deal["give"], deal["take"], deal["paid"]
    held = view["seats"][made.seat]["hand"]
    note = hands.page.locator("#bank-reason")
    hands.press(".action[data-kind=trade]")
    expect(note).to_be_empty()
    for terms, said in cases(held, give, take, paid):
        hands._set_terms(terms)
        expect(note).to_have_text(said)
    hands.press(f".deal[data-give={give}][data-take={take}]")
    expect(hands.page.locator("#trade-sheet")).to_be_hidden()


def cases(held: dict[str, int], give: str, take: str, paid: int) -> Iterator[tuple[dict[str, Any], str]]:
    """What may be chosen, and what the bank says to it; at last a deal."""
    yield (
        {"gives": {give: paid - 1}, "gets": {take: 1}},
        f"The bank gives 1 card for {paid} {give}: choose {paid} {give}.",
    )
    yield {"gives": {give: paid}, "gets": {take: 2}}, f"The bank gives 1 card at a time: choose 1 {take}."
    both = {name: 1 for name in held if name != give}
    yield (
        {"gives": {give: paid}, "gets": both},
        "The bank trades one resource for one other: choose one to give and one to get.",
    )
    yield (
        {"gives": {}, "gets": {give: 1}},
        "The bank trades one resource for one other: choose one to give and one to get.",
    )
    yield {"gives": {give: paid}, "gets": {take: 1}}, ""


def test_a_resource_stands_on_both_sides_of_the_sheet_where_anything_is_exchanged_for_anything(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["anything"]
    hands = sit_down(made, made.seat)
    seen = hands.look()
    hand = seen["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    other = next(seat for seat in range(3) if seat != made.seat)
    hands.make({"kind": "offer_trade", "to": [other], "gives": {given: 1}, "gets": {given: 2}})
    offers = hands.look_until(seen["version"] + 1)["offers"]
    assert [(offer["gives"], offer["gets"]) for offer in offers] == [({given: 1}, {given: 2})]
    barred = sit_down(games["offer"], games["offer"].seat)
    hand = barred.look()["seats"][games["offer"].seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    barred.press(".action[data-kind=trade]")
    barred._set_terms({"gives": {given: 1}, "gets": {}})
    more = barred.page.locator(f"#trade-sheet [data-row=gets] [data-name={given}] [aria-label^=More]")
    expect(more).to_have_attribute("aria-disabled", "true")


def test_the_trade_sheet_says_what_an_offer_still_lacks(sit_down: Callable[..., Mouse], games: dict[str, Made]) -> None:
    made = games["offer"]
    hands = sit_down(made, made.seat)
    hand = hands.look()["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    note = hands.page.locator("#trade-note")
    hands.press(".action[data-kind=trade]")
    expect(note).to_have_text("Choose what to give and what to get.")
    hands._set_terms({"gives": {given: 1}, "gets": {next(name for name in hand if name != given): 1}})
    expect(note).to_be_empty()
    for box in hands.page.locator("#trade-to input").all():
        box.uncheck()
    expect(note).to_have_text("Choose who to offer it to.")
    expect(hands.page.locator("#trade-offer")).to_have_attribute("aria-disabled", "true")
