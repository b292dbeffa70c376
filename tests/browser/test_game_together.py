"""People act at the same moment: nobody's choice is lost by what another does, and no press is swallowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.hands import SEND, Mouse
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
    "refused discard": SEVEN,
    "trade": TURN,
    "counter": TURN,
    "place": TURN,
    "stale place": TURN,
    "stale offer": TURN,
    "answers": TURN,
    "focus": TURN,
    "robbed": {"rules": "online", "seed": 14, "until": "play_monopoly offer_trade"},
    "bank": BANK,
    "offer": TURN,
    "at the seats": TURN,
    "to refuse all": TURN,
    "beyond means": TURN,
    "cards": {
        "rules": "online cards_in_trades=true",
        "seed": 14,
        "until": "offer_trade",
        "after": 40,
        "every_card": True,
        "hand": 1,
    },
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


# The tray


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
    second._choose("gives", some)
    first.make(
        {
            "kind": "discard",
            "resources": some_of(seen["seats"][made.seat]["hand"], seen["choices"]["discard"]["count"]),
        }
    )
    second.wait_for(seen["version"] + 1)
    assert second._chosen("gives") == some
    expect(second.page.locator("#tray-note")).to_have_text(f"Choose cards to discard: {owed - 1} of {owed} chosen.")
    second._choose("gives", chosen)
    second.press(SEND)
    second.wait_for(seen["version"] + 2)
    expect(second.page.locator("#tray-send")).to_be_hidden()


def test_a_refused_discard_comes_back_with_the_cards_that_were_chosen(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["refused discard"]
    hands = sit_down(made, made.seat)
    seen = hands.look()
    chosen = some_of(seen["seats"][made.seat]["hand"], seen["choices"]["discard"]["count"])
    sent: list[Route] = []

    def hold(route: Route) -> None:
        sent.append(route)

    hands.page.route("**/moves/", hold, times=1)
    hands.make({"kind": "discard", "resources": chosen})
    expect(hands.page.locator("#game.is-sending")).to_be_visible()
    expect(hands.page.locator("#tray-send")).to_be_hidden()
    sent[0].fulfill(status=409, json={"code": "stale_version", "detail": "The game has moved on."})
    expect(hands.page.locator("#tray-send")).to_be_visible()
    expect(hands.page.locator("#tray .refusal")).to_have_text("The game has moved on.")
    assert hands._chosen("gives") == chosen
    hands.press(SEND)
    hands.wait_for(seen["version"] + 1)


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
    boxes = [maker.page.locator(f"#tray-to input[value='{(made.seat + place) % 4}']") for place in (1, 2, 3)]
    for place in (1, 3):
        maker._toggle(f"{(made.seat + place) % 4}")
    reject(other, number)
    maker.wait_for(seen["version"] + 1)
    assert maker._chosen("gives") == {given: 1}
    assert maker._chosen("gets") == {wanted: 2}
    for box, is_asked in zip(boxes, (False, True, False), strict=True):
        expect(box).to_be_checked(checked=is_asked)
    maker.press(SEND)
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
    expect(one.page.locator("#tray-title")).to_have_text("Counter-offer")
    assert one._chosen("gives") == terms["gives"]
    assert one._chosen("gets") == terms["gets"]
    one.press(SEND)
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
    assert one._chosen("gives") == {kept: 1}
    assert one._chosen("gets") == {wanted: 1}


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


def test_an_offer_sent_in_the_moment_of_an_answer_comes_back_with_what_was_chosen(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["stale offer"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    number = offer(maker, made.seat + 1)
    seen = maker.look()
    hand = seen["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    terms = {"gives": {given: 1}, "gets": {next(name for name in hand if name != given): 3}}
    maker.page.route("**/moves/", answered_first(number, other, seen["version"]), times=1)
    maker.make({"kind": "offer_trade", "to": [(made.seat + 2) % 4], **terms})
    tray = maker.page.locator("#tray-send")
    expect(tray).to_be_visible()
    expect(maker.page.locator("#refusal")).to_contain_text("moved on")
    assert maker._chosen("gets") == terms["gets"]
    maker.press(SEND)
    maker.wait_for(seen["version"] + 2)
    expect(tray).to_be_hidden()


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
    played = other.ask(f"moves/?after={version}")["moves"]
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


# What the tray says


def test_the_tray_says_why_the_bank_does_not_serve_a_choice(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["bank"]
    hands = sit_down(made, made.seat)
    view = hands.look()
    deal = view["choices"]["trade_with_bank"][0]
    give, take, paid = deal["give"], deal["take"], deal["paid"]
    held = view["seats"][made.seat]["hand"]
    bank, note = hands.page.locator("#tray-bank"), hands.page.locator("#tray-note")
    hands.press(".action[data-kind=trade]")
    expect(hands.page.locator(f"[data-give={give}] .rate")).to_have_text(f"{paid}:1")
    for terms, said in refused_terms(held, give, take):
        hands._set_terms(terms)
        expect(bank).to_have_attribute("aria-disabled", "true")
        bank.click(force=True)
        expect(note).to_have_text(said)
    hands._set_terms({"gives": {give: 1}, "gets": {take: 1}})
    expect(bank).to_have_accessible_name(f"Trade {paid} {give} for 1 {take} with the bank")
    bank.click()
    after = hands.look_until(view["version"] + 1)["seats"][made.seat]["hand"]
    assert (after[give], after[take]) == (held[give] - paid, held[take] + 1)
    expect(bank).to_be_hidden()


def refused_terms(held: dict[str, int], give: str, take: str) -> Iterator[tuple[dict[str, Any], str]]:
    """What may be chosen, and what the bank says to it."""
    one_for_one = "The bank trades one resource for another: choose one to give and one to get."
    yield {"gives": {give: 1}, "gets": {take: 2}}, f"The bank gives 1 card at a time: choose 1 {take}."
    yield {"gives": {give: 1}, "gets": {name: 1 for name in held if name != give}}, one_for_one
    yield {"gives": {}, "gets": {give: 1}}, one_for_one


def test_a_resource_stands_on_both_sides_of_the_tray_where_anything_is_exchanged_for_anything(
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
    barred.press(f"#hand [data-give={given}]")
    barred.press(f"#tray [data-get={given}]")
    expect(barred.page.locator("#tray-note")).to_have_text(
        f"A resource can’t be on both sides: take back the {given} first."
    )
    assert barred._chosen("gets") == {}


def test_the_tray_says_what_an_offer_still_lacks_and_what_one_does_not_hold(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["offer"]
    hands = sit_down(made, made.seat)
    hand = hands.look()["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    note = hands.page.locator("#tray-note")
    hands.press(".action[data-kind=trade]")
    expect(note).to_have_text("Choose cards to give and to get.")
    hands._choose("gives", {given: hand[given]})
    expect(hands.page.locator(f"[data-give={given}] b")).to_have_text("0")
    hands.press(f"#hand [data-give={given}]")
    expect(note).to_have_text(f"You have only {hand[given]} {given}.")
    lacked = next(name for name in hand if not hand[name])
    hands.press(f"#hand [data-give={lacked}]")
    expect(note).to_have_text(f"You have no {lacked}.")
    hands._choose("gets", {next(name for name in hand if name != given): 1})
    expect(note).to_be_empty()
    for box in hands.page.locator("#tray-to input").all():
        hands._toggle(box.input_value())
    expect(note).to_have_text("Choose who to offer it to.")
    expect(hands.page.locator("#tray-send")).to_have_attribute("aria-disabled", "true")


# Offers


def test_answers_appear_at_the_seats(sit_down: Callable[..., Mouse], games: dict[str, Made]) -> None:
    made = games["at the seats"]
    maker, one = (sit_down(made, made.seat + place) for place in range(2))
    number = offer(maker, made.seat + 1, made.seat + 2)
    signs = [maker.page.locator(f"#seat-{(made.seat + place) % 4} .seat-answers") for place in range(4)]
    for seat, sign in zip(signs, ("", "…", "…", ""), strict=True):
        expect(seat).to_have_text(sign)
    reject(one, number)
    expect(signs[1]).to_have_text("✗")


def test_no_to_everything_refuses_all_offers_of_this_turn(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["to refuse all"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    numbers = [offer(maker, made.seat + 1, wanted=count) for count in (1, 2)]
    seen = maker.look()
    other.press("#refuse-all")
    maker.wait_for(seen["version"] + 2)
    hand = seen["seats"][made.seat]["hand"]
    given = max(hand, key=hand.__getitem__)
    wanted = next(name for name in hand if name != given)
    for count in (3, 4):
        terms = {"gives": {given: 1}, "gets": {wanted: count}}
        maker.make({"kind": "offer_trade", "to": [(made.seat + 1) % 4], **terms})
        maker.wait_for(seen["version"] + 2 * count - 2)
    expect(other.page.locator("#refuse-all")).to_be_hidden()
    played = other.ask(f"moves/?after={seen['version']}")["moves"]
    refused = [event["offer"] for move in played for event in move["events"] if event["kind"] == "rejected"]
    assert sorted(refused)[:2] == numbers
    assert len(refused) == 4


def test_an_offer_beyond_ones_means_says_what_is_missing(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["beyond means"]
    maker, other = sit_down(made, made.seat), sit_down(made, made.seat + 1)
    seen = maker.look()
    hand, theirs = (
        each.look()["seats"][seat % 4]["hand"] for each, seat in ((maker, made.seat), (other, made.seat + 1))
    )
    given = max(hand, key=hand.__getitem__)
    wanted = next(name for name in hand if name != given)
    lacking = theirs[wanted] + 2
    maker.make({"kind": "offer_trade", "to": [(made.seat + 1) % 4], "gives": {given: 1}, "gets": {wanted: lacking}})
    other.wait_for(seen["version"] + 1)
    card = other.page.locator(".offer.is-beyond-means")
    expect(card.locator(".offer-missing")).to_have_text(f"You need 2 more {wanted}.")
    expect(card.locator("[data-kind=accept_offer]")).to_have_count(0)


def test_a_development_card_is_given_for_another_while_the_tray_is_open_and_played_otherwise(
    sit_down: Callable[..., Mouse], games: dict[str, Made]
) -> None:
    made = games["cards"]
    hands = sit_down(made, made.seat)
    version = hands.look()["version"]
    hands.press("#hand [data-give=lumber]")
    hands.press(".development-card[data-give=knight]")
    assert hands._chosen("gives") == {"lumber": 1, "knight": 1}
    # There is one knight to give.
    hands.press(".development-card[data-give=knight]")
    assert hands._chosen("gives") == {"lumber": 1, "knight": 1}
    hands.press("#tray [data-get=monopoly]")
    hands.press(SEND)
    hands.wait_for(version + 1)
    (offer,) = hands.look()["offers"]
    assert (offer["gives"], offer["gets"]) == ({"lumber": 1, "knight": 1}, {"monopoly": 1})
