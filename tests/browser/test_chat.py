"""People at a game's page talk to each other, on a desk, on a phone and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}
XSS = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> & sheep"
GAME = {"rules": "online", "seed": 14, "until": "roll"}
#: One for each test: they are made together, which is quicker.
MOST_GAMES = 20


class Tables:
    """A site with games to talk in; each person has a browser of their own."""

    def __init__(self, browser: Browser, site: Site, games: Iterator[Made]) -> None:
        self.browser, self.site, self.games = browser, site, games
        self.complaints: list[str] = []

    def visit(self, made: Made, seat: int | None, path: str = "", size: Any = DESK, **options: Any) -> Page:
        context = self.browser.new_context(viewport=size, reduced_motion="reduce", **options)
        if seat is not None:
            context.add_cookies([made.cookie(seat, self.site.address)])  # type: ignore[list-item]
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(f"{error}"))
        if path or options.get("java_script_enabled") is False:
            page.goto(f"{self.site.address}/games/{made.game}/{path}")
        else:
            self.go(page, made)
        return page

    def go(self, page: Page, made: Made) -> None:
        """To the game's page, until it has looked what was said before: later lines are heard of by the socket."""
        page.goto(f"{self.site.address}/games/{made.game}/")
        expect(page.locator("#chat-lines")).to_have_attribute("aria-live", "polite")

    def forgive(self, remark: str) -> None:
        """What Chromium itself remarks on something that the test did on purpose."""
        assert any(remark in complaint for complaint in self.complaints)
        self.complaints = [complaint for complaint in self.complaints if remark not in complaint]


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> Iterator[Made]:
    return iter(make_games(embedded_site.data, *[GAME] * MOST_GAMES))


@pytest.fixture
def tables(browser: Browser, embedded_site: Site, games: Iterator[Made]) -> Iterator[Tables]:
    tables = Tables(browser, embedded_site, games)
    yield tables
    for context in browser.contexts:
        context.close()
    # A page may be left while one of its sockets is still being opened.
    assert [complaint for complaint in tables.complaints if "before the connection" not in complaint] == []


def lines(page: Page) -> Locator:
    return page.locator(".chat-line")


def say(page: Page, text: str) -> None:
    page.locator("#chat-text").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator("#chat-text")).to_have_value("")


def test_two_browsers_talk_live_a_third_reads_along_and_a_reload_keeps_it(tables: Tables) -> None:
    made = next(tables.games)
    alice, bob, watching = (tables.visit(made, seat) for seat in (0, 1, None))
    for page in (alice, bob, watching):
        expect(page.locator("#chat-room").get_by_text("Nobody has said anything yet.")).to_be_visible()
    say(alice, "Has anybody wool?")
    say(bob, "Two, for an ore.")
    say(alice, "Done!")
    for page in (alice, bob, watching):
        expect(lines(page)).to_contain_text(["Alice: Has anybody wool?", "Bob: Two, for an ore.", "Alice: Done!"])
        expect(lines(page).nth(1).locator(".log-seat.seat-blue")).to_have_text("■")
        expect(page.locator("#chat-room").get_by_text("Nobody has said anything yet.")).to_be_hidden()
    expect(watching.locator("#chat-form")).to_have_count(0)
    bob.reload()
    expect(lines(bob)).to_contain_text(["Has anybody wool?", "Two, for an ore.", "Done!"])


def test_markup_in_a_line_is_shown_as_text(tables: Tables) -> None:
    made = next(tables.games)
    alice, bob = tables.visit(made, 0), tables.visit(made, 1)
    title = bob.title()
    say(alice, XSS)
    for page in (alice, bob, tables.visit(made, None, "chat/")):
        expect(lines(page)).to_contain_text(f"Alice: {XSS}")
        expect(page.locator(".chat-line :is(script, img)")).to_have_count(0)
    assert bob.title() == alice.title() == title


def test_sending_keeps_the_focus_and_what_was_typed_survives_a_refusal(tables: Tables) -> None:
    alice = tables.visit(next(tables.games), 0)
    field, refusal = alice.locator("#chat-text"), alice.locator("#chat-refusal")
    field.fill("One")
    alice.get_by_role("button", name="Send").click()
    expect(lines(alice)).to_contain_text(["One"])
    expect(field).to_be_focused()
    field.fill("x" * 301)
    alice.keyboard.press("Enter")
    expect(refusal).to_contain_text("300 characters at most")
    expect(field).to_have_value("x" * 301)
    expect(field).to_be_focused()
    say(alice, "Two")
    expect(refusal).to_be_empty()
    expect(lines(alice)).to_contain_text(["One", "Two"])
    tables.forgive("400")


def test_a_line_cut_off_is_not_lost_and_what_others_said_meanwhile_comes(tables: Tables) -> None:
    made = next(tables.games)
    alice, bob = tables.visit(made, 0), tables.visit(made, 1)
    sockets: list[Any] = []
    is_cut = False

    def connect(socket: WebSocketRoute) -> None:
        if is_cut:
            socket.close()
        else:
            sockets.append((socket, socket.connect_to_server()))

    bob.route_web_socket("**/ws/games/**", connect)
    tables.go(bob, made)
    say(alice, "One")
    expect(lines(bob)).to_contain_text(["One"])

    bob.route("**/chat/**", lambda route: route.abort())
    is_cut = True
    sockets[-1][0].close()
    say(alice, "Two")
    bob.locator("#chat-text").fill("Are you there?")
    bob.keyboard.press("Enter")
    expect(bob.locator("#chat-refusal")).to_contain_text("could not be sent")
    expect(bob.locator("#chat-text")).to_have_value("Are you there?")
    expect(lines(bob)).to_have_count(1)

    bob.unroute("**/chat/**")
    is_cut = False
    bob.keyboard.press("Enter")
    for page in (alice, bob):
        expect(lines(page)).to_contain_text(["One", "Two", "Are you there?"])
    expect(bob.locator("#chat-refusal")).to_be_empty()
    tables.forgive("ERR_FAILED")


def test_a_page_left_alone_catches_up_when_its_socket_comes_back(tables: Tables) -> None:
    made = next(tables.games)
    alice, bob = tables.visit(made, 0), tables.visit(made, 1)
    sockets: list[Any] = []
    bob.route_web_socket("**/ws/games/**", lambda socket: sockets.append((socket, socket.connect_to_server())))
    tables.go(bob, made)
    say(alice, "One")
    expect(lines(bob)).to_contain_text(["One"])
    sockets[-1][0].close()
    say(alice, "Anybody here?")
    expect(lines(bob)).to_contain_text(["One", "Anybody here?"], timeout=15_000)


def test_a_page_that_is_told_to_come_later_asks_again_by_itself(tables: Tables) -> None:
    """As after a restart, when all of them ask at once. Its socket is open by then, and says no more about it."""
    made = next(tables.games)
    alice, bob = tables.visit(made, 0), tables.visit(made, 1)
    sockets: list[Any] = []
    bob.route_web_socket("**/ws/games/**", lambda socket: sockets.append((socket, socket.connect_to_server())))
    tables.go(bob, made)
    bob.route("**/games/*/chat/?after=*", lambda route: route.fulfill(status=503, json={}), times=1)
    sockets[-1][0].close()
    say(alice, "Anybody here?")
    expect(lines(bob)).to_contain_text(["Anybody here?"], timeout=15_000)
    tables.forgive("503")


def test_a_line_that_a_moderator_hides_disappears_from_open_pages(tables: Tables) -> None:
    [made] = make_games(tables.site.data, GAME | {"staff": "moderator"})
    alice, bob, dana = (tables.visit(made, seat) for seat in (0, 1, -1))
    say(alice, "Something rude")
    say(bob, "Hey!")
    dana.goto(f"{tables.site.address}/admin/lobby/chatline/?q=rude")
    dana.locator(".action-select").check()
    dana.locator("select[name=action]").select_option("hide")
    dana.locator("button[name=index]").click()
    expect(dana.get_by_text("1 hidden.")).to_be_visible()
    for page in (alice, bob):
        expect(lines(page)).to_contain_text(["Alice: (removed by a moderator)", "Bob: Hey!"])


def test_the_newest_line_stays_in_sight_unless_one_reads_further_up(tables: Tables) -> None:
    made = next(tables.games)
    pages = [tables.visit(made, seat) for seat in range(4)]
    reader = tables.visit(made, None)
    for count in range(4):
        for page in pages:
            say(page, f"Line {count} of a chat that is longer than its place beside the board.")
    expect(lines(reader)).to_have_count(16)
    expect(lines(reader).last).to_be_in_viewport(ratio=0.9)
    reader.locator("#chat-lines").evaluate("(view) => view.scrollTo({ top: 0 })")
    expect(lines(reader).first).to_be_in_viewport(ratio=0.9)
    say(pages[0], "One more.")
    expect(lines(reader)).to_have_count(17)
    expect(lines(reader).first).to_be_in_viewport(ratio=0.9)
    expect(lines(pages[1]).last).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("seat", [1, None])
def test_on_a_phone_the_chat_is_in_the_sheet_and_its_button_counts_what_is_new(
    tables: Tables, seat: int | None
) -> None:
    made = next(tables.games)
    alice = tables.visit(made, 0)
    say(alice, "Said before")
    phone = tables.visit(made, seat, size=PHONE, has_touch=True, is_mobile=True)
    height = phone.evaluate("document.documentElement.scrollHeight")
    button, unread = phone.locator("#side-open"), phone.locator("#side-open .chat-unread")
    expect(phone.locator("#chat")).to_be_hidden()
    expect(unread).to_be_hidden()
    say(alice, "Hello phone")
    say(alice, "Anybody there?")
    expect(unread).to_contain_text("2")
    expect(button).to_have_accessible_name("Log, chat 2 new in the chat" if seat else "Log and chat 2 new in the chat")
    button.tap()
    expect(unread).to_be_hidden()
    expect(lines(phone).last).to_be_in_viewport(ratio=0.9)
    expect(phone.locator("#log > li").last).to_be_in_viewport()
    small = phone.locator("#side button:visible, #chat input:visible").evaluate_all(
        "controls => controls.filter((control) => control.getBoundingClientRect().height < 43.5).length"
    )
    assert small == 0
    if seat is not None:
        expect(phone.locator("#chat-text")).to_be_in_viewport(ratio=0.9)
        say(phone, "Here I am")
        expect(lines(alice).last).to_contain_text("Bob: Here I am")
    phone.locator("#side-close").tap()
    expect(phone.locator("#chat")).to_be_hidden()
    say(alice, "Bye")
    expect(unread).to_contain_text("1")
    assert phone.evaluate("document.documentElement.scrollHeight") == height
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_without_scripts_the_chat_is_a_page_with_a_form(tables: Tables) -> None:
    made = next(tables.games)
    alice = tables.visit(made, 0)
    plain = tables.visit(made, made.seat, java_script_enabled=False)
    name = ["Alice", "Bob", "Charlie", "Dana"][made.seat]
    plain.get_by_role("link", name="Open the chat").click()
    plain.get_by_label("Your line").fill(XSS)
    plain.get_by_role("button", name="Send").click()
    expect(lines(plain)).to_contain_text([f"{name}: {XSS}"])
    expect(lines(alice)).to_contain_text([f"{name}: {XSS}"])
    say(alice, "Hello")
    plain.get_by_role("link", name="Check for new lines").click()
    expect(lines(plain)).to_contain_text(["Alice: Hello", XSS])
    plain.get_by_label("Your line").fill("x" * 301)
    plain.get_by_role("button", name="Send").click()
    expect(plain.get_by_role("alert")).to_contain_text("300 characters at most")
    expect(plain.get_by_label("Your line")).to_have_value("x" * 301)
    plain.get_by_role("link", name="Back to the game").click()
    expect(plain.get_by_role("region", name="Board")).to_be_visible()
    tables.forgive("400")


def room(page: Page, kind: str) -> Locator:
    return page.locator(f".chat-room[data-room={kind}] .chat-line")


def test_players_and_watchers_talk_apart_and_everybody_sees_how_many_watch(tables: Tables) -> None:
    made = next(tables.games)
    alice, bob, wanda = (tables.visit(made, seat) for seat in (0, 1, None))
    expect(alice.locator("#watchers")).to_have_text("1 watching")
    alice.locator("#chat-text").fill("A line half typed")
    alice.get_by_role("button", name="Hello, good luck!").click()
    for page in (alice, bob, wanda):
        expect(room(page, "players")).to_contain_text(["Alice: Hello, good luck!"])
    expect(alice.locator("#chat-text")).to_have_value("A line half typed")

    wanda.get_by_role("tab", name="Watchers").click()
    expect(room(wanda, "players").first).to_be_hidden()
    wanda.get_by_label("Your name").fill("Wanda")
    wanda.locator("#watchers-text").fill("Bob has too many cards")
    wanda.keyboard.press("Enter")
    # With the first line the stranger has become a guest, and the page was opened anew, at the same chat.
    expect(wanda.locator(".signed-in")).to_have_text("Wanda")
    expect(room(wanda, "watchers")).to_contain_text(["Wanda: Bob has too many cards"])
    expect(room(wanda, "watchers").first).to_be_visible()

    walter = tables.visit(made, None)
    expect(bob.locator("#watchers")).to_have_text("2 watching")
    wanda.get_by_role("button", name="What a move!").click()
    expect(walter.get_by_role("tab", name="Watchers").locator(".chat-unread")).to_contain_text("1")
    expect(room(walter, "watchers")).to_contain_text(["Bob has too many cards", "What a move!"])
    expect(room(walter, "players")).to_have_count(1)
    # What a player hears next is what a player says.
    say(bob, "Thanks, you too")
    for page in (alice, bob):
        expect(lines(page)).to_contain_text(["Hello, good luck!", "Thanks, you too"])
        expect(page.get_by_role("tab")).to_have_count(0)
    walter.context.close()
    expect(alice.locator("#watchers")).to_have_text("1 watching")


def test_somebody_is_muted_and_blocked_in_a_live_game_and_heard_again(tables: Tables) -> None:
    made = next(tables.games)
    alice, bob, charlie = (tables.visit(made, seat) for seat in (0, 1, 2))
    say(bob, "One")
    expect(lines(alice)).to_contain_text(["Bob: One"])
    lines(alice).get_by_text("Bob").click()
    sheet = alice.get_by_role("dialog", name="People in this chat")
    sheet.get_by_role("button", name="Mute Bob").click()
    expect(sheet.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("muted")
    assert [violation["help"] for violation in Axe().run(alice).response["violations"]] == []
    sheet.get_by_role("button", name="Close").click()
    expect(lines(alice)).to_have_count(0)
    say(bob, "Two")
    say(charlie, "Three")
    expect(lines(bob)).to_contain_text(["Bob: One", "Bob: Two", "Charlie: Three"])
    expect(lines(alice)).to_contain_text(["Charlie: Three"])

    alice.get_by_role("link", name="People").click()
    sheet.get_by_role("button", name="Block Bob").click()
    expect(sheet.get_by_role("button", name="Unblock Bob")).to_be_focused()
    sheet.get_by_role("button", name="Close").click()
    say(alice, "Four")
    say(charlie, "Five")
    expect(lines(charlie)).to_contain_text(["One", "Two", "Three", "Four", "Five"])
    expect(lines(bob)).to_contain_text(["One", "Two", "Three", "Five"])

    other = alice.context.new_page()
    other.goto(f"{tables.site.address}/people/blocked/")
    assert [violation["help"] for violation in Axe().run(other).response["violations"]] == []
    other.get_by_role("button", name="Unblock Bob").click()
    other.get_by_role("button", name="Unmute Bob").click()
    expect(other.get_by_text("You haven’t muted or blocked anybody.")).to_be_visible()
    for page in (alice, charlie):
        expect(lines(page)).to_contain_text(["One", "Two", "Three", "Four", "Five"])
    say(bob, "Six")
    expect(lines(alice).last).to_contain_text("Bob: Six")


def test_what_is_said_at_a_table_goes_on_in_its_game(tables: Tables) -> None:
    alice, bob = (tables.browser.new_context(viewport=size).new_page() for size in (DESK, PHONE))
    alice.goto(f"{tables.site.address}/t/new/")
    alice.get_by_label("Your name").fill("Ann")
    alice.get_by_role("button", name="Open the table").click()
    expect(alice.locator("#chat-lines")).to_have_attribute("aria-live", "polite")
    bob.goto(alice.url)
    say(alice, "Come in!")
    expect(lines(bob)).to_contain_text(["Ann: Come in!"])
    expect(bob.locator("#chat-form")).to_have_count(0)
    alice.locator("#chat-text").fill("Half a line")
    bob.get_by_label("Your name").fill("Ben")
    bob.get_by_role("button", name="Sit down", exact=True).click()
    bob.get_by_role("button", name="Hello!").click()
    expect(lines(alice)).to_contain_text(["Ann: Come in!", "Ben: Hello!"])
    # The table was drawn anew, and what was being typed is still there.
    expect(alice.locator(".chair-name", has_text="Ben")).to_be_visible()
    expect(alice.locator("#chat-text")).to_have_value("Half a line")
    expect(alice.locator("#chat-text")).to_be_focused()
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    alice.get_by_role("button", name="Fill with 2 medium bots and start").click()
    for page in (alice, bob):
        page.wait_for_url("**/games/*/")
        expect(lines(page)).to_contain_text(["Ann: Come in!", "Ben: Hello!"])
    expect(lines(alice).first.locator(".log-seat")).to_have_text("▲")
    say(alice, "Good luck")
    expect(lines(bob).last).to_contain_text("Ann: Good luck")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_axe_finds_nothing_wrong(tables: Tables, size: dict[str, int], scheme: str) -> None:
    made = next(tables.games)
    page = tables.visit(made, 0, size=size, color_scheme=scheme)
    if size is PHONE:
        page.locator("#side-open").click()
    for text in ("Hello", XSS, "x" * 300):
        say(page, text)
    expect(lines(page)).to_have_count(3)
    assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
    for seat in (0, None):
        page = tables.visit(made, seat, "chat/", size=size, color_scheme=scheme)
        assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
