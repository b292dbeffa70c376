"""From the first visit to a board on the screen, alone and with friends, each in a browser of their own."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from tests.browser.hands import until_drawn
from tests.browser.making import make_games
from tests.browser.stillness import hold_still
from tests.sites import Site

pytestmark = pytest.mark.browser

GAME = re.compile(r"/games/\d+/$")
TABLE = re.compile(r"/t/[a-z2-9]{10}/$")


class Visitors:
    """People who have never been here; what their browsers complain about is kept."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self.browser = browser
        self.site = site
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def new(self, width: int = 1280, **options: object) -> Page:
        context = self.browser.new_context(viewport={"width": width, "height": 640}, **options)  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        if options.get("java_script_enabled") is False:
            hold_still(page)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.note_if_foreign(request.url))
        return page

    def note_if_foreign(self, url: str) -> None:
        if not url.startswith((self.site.address, self.site.address.replace("http", "ws"), "data:")):
            self.complaints.append(url)


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    """The embedded site, unless a test names another."""
    chosen: Site = request.getfixturevalue(getattr(request, "param", "embedded_site"))
    return chosen


@pytest.fixture
def visitors(browser: Browser, site: Site) -> Iterator[Visitors]:
    visitors = Visitors(browser, site)
    yield visitors
    for context in visitors.contexts:
        context.close()
    assert visitors.complaints == []


def fits(page: Page) -> bool:
    # Without its styles no page fits.
    page.wait_for_load_state()
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def wrong_by_axe(page: Page) -> list[str]:
    return [violation["help"] for violation in Axe().run(page).response["violations"]]


def open_table(page: Page, site: Site, name: str) -> str:
    """Opens a table with everything left as it is, and returns its link."""
    page.goto(site.address)
    page.get_by_role("link", name="Play with friends").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Open the table").click()
    expect(page).to_have_url(TABLE)
    return page.get_by_label("Link to this table").input_value()


def more(page: Page) -> None:
    page.locator("#more > summary").click()


def sit_down(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".chair-own")).to_contain_text(name)


@pytest.mark.parametrize("options", [{}, {"width": 360, "color_scheme": "dark", "has_touch": True}])
@pytest.mark.parametrize("scripts", [True, False])
def test_a_first_visit_is_one_press_away_from_a_board(
    visitors: Visitors, site: Site, options: dict[str, object], scripts: bool
) -> None:
    page = visitors.new(**options, java_script_enabled=scripts)  # type: ignore[arg-type]
    page.goto(site.address)
    page.get_by_role("button", name="Play now against bots").click()
    expect(page).to_have_url(GAME)
    expect(page.get_by_role("region", name="Board")).to_be_visible()
    expect(page.get_by_role("region", name="Players")).to_contain_text("Guest ")
    expect(page.get_by_text("medium bot").filter(visible=True)).to_have_count(3)


@pytest.mark.parametrize("options", [{}, {"width": 320, "has_touch": True}])
@pytest.mark.parametrize("scripts", [True, False])
def test_bots_are_chosen_for_a_game_at_once_and_the_choice_is_kept(
    visitors: Visitors, site: Site, options: dict[str, object], scripts: bool
) -> None:
    page = visitors.new(**options, java_script_enabled=scripts)  # type: ignore[arg-type]
    page.goto(site.address)
    strength = page.get_by_label("How strong the bots are")
    expect(strength).to_have_value("medium")
    strength.select_option("Hard bots")
    expect(page.get_by_text("For a real challenge")).to_be_visible()
    expect(page.get_by_text("For those who know the game")).to_be_hidden()
    assert fits(page)
    page.get_by_role("button", name="Play now against bots").click()
    expect(page).to_have_url(GAME)
    expect(page.locator('[data-state="bot"]')).to_have_text(["hard bot"] * 3)
    cards = page.locator('.seat-card:has([data-state="bot"])')
    assert cards.evaluate_all("all => all.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)")
    page.goto(site.address)
    expect(strength).to_have_value("hard")


@pytest.mark.parametrize("options", [{}, {"width": 360, "color_scheme": "dark", "has_touch": True}])
@pytest.mark.parametrize("scripts", [True, False])
def test_a_host_chooses_each_bot_and_changes_one_that_sits_there(
    visitors: Visitors, site: Site, options: dict[str, object], scripts: bool
) -> None:
    alice = visitors.new(**options, java_script_enabled=scripts)  # type: ignore[arg-type]
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    alice.get_by_role("button", name="Open the table").click()
    alice.get_by_label("Bot for chair 2").select_option("Hard bot")
    alice.get_by_role("button", name="Add a bot on chair 2").click()
    chair = alice.locator(".chair").nth(1)
    expect(chair.locator(".badge")).to_have_text("hard bot")
    alice.get_by_label("Bot for chair 2").select_option("Easy bot")
    alice.get_by_role("button", name="Change the bot on chair 2").click()
    expect(chair.locator(".badge")).to_have_text("easy bot")
    assert fits(alice)
    alice.get_by_role("button", name="Fill with 2 easy bots and start").click()
    expect(alice).to_have_url(GAME)
    expect(alice.locator('[data-state="bot"]')).to_have_text(["easy bot"] * 3)


@pytest.mark.parametrize("site", ["embedded_site", "full_stack_site"], indirect=True)
def test_four_browsers_meet_at_a_table_and_land_in_one_game(visitors: Visitors, site: Site) -> None:
    alice, bob, charlie = visitors.new(), visitors.new(360, color_scheme="dark"), visitors.new()
    alice.goto(site.address)
    alice.get_by_role("link", name="Play with friends").click()
    alice.get_by_label("Your name").fill("Alice")
    more(alice)
    alice.get_by_label("Endless bank").check()
    alice.get_by_text("House rules", exact=True).click()
    points = alice.get_by_role("group", name="Points to win")
    expect(points.get_by_text("house rule")).to_be_hidden()
    points.get_by_role("combobox").select_option("12")
    expect(points.get_by_text("house rule")).to_be_visible()
    alice.get_by_role("button", name="Open the table").click()
    link = alice.get_by_label("Link to this table").input_value()

    sit_down(bob, link, "Bob")
    sit_down(charlie, link, "Charlie")
    for page in (alice, bob, charlie):
        for words in ("Alice", "Bob", "Charlie", "12 victory points win.", "The bank never runs out in a trade."):
            expect(page.locator("main")).to_contain_text(words)
    assert fits(bob)

    dana = visitors.new()
    dana.goto(link)
    alice.get_by_role("button", name="Add a bot").click()
    for page in (alice, bob, charlie, dana):
        expect(page.locator(".chair").nth(3)).to_contain_text("bot")
    expect(dana.locator("main")).to_contain_text("All chairs are taken")

    alice.get_by_role("button", name="Start with 4 players").click()
    for page in (alice, bob, charlie, dana):
        expect(page).to_have_url(GAME)
        expect(page.get_by_role("region", name="Board")).to_be_visible()
    assert len({page.url for page in (alice, bob, charlie, dana)}) == 1
    assert fits(bob)


def test_a_table_is_opened_joined_and_started_without_scripts(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(java_script_enabled=False), visitors.new(java_script_enabled=False)
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    more(alice)
    alice.get_by_label("Three players, no robber").check()
    alice.get_by_role("button", name="Show the options of these rules").click()
    expect(alice.get_by_label("There is no robber")).to_be_checked()
    alice.get_by_label("A seven or a knight moves the robber").check()
    alice.get_by_role("button", name="Open the table").click()
    expect(alice.locator(".chair")).to_have_count(3)

    sit_down(bob, alice.get_by_label("Link to this table").input_value(), "Bob")
    alice.reload()
    expect(alice.locator("main")).to_contain_text("Bob")
    alice.get_by_role("button", name="Fill with 1 medium bot and start").click()
    expect(alice).to_have_url(GAME)
    bob.reload()
    expect(bob).to_have_url(alice.url)


@pytest.mark.parametrize("options", [{}, {"width": 360, "color_scheme": "dark", "has_touch": True}])
def test_the_host_picks_a_pace_and_changes_its_times(
    visitors: Visitors, site: Site, options: dict[str, object]
) -> None:
    alice, bob = visitors.new(**options), visitors.new(**options)  # type: ignore[arg-type]
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    rolling, answering = alice.get_by_label("Rolling the dice"), alice.get_by_label("Answering an offer")
    alice.get_by_role("radio", name="No clock").check()
    more(alice)
    expect(alice.get_by_text("No clock runs")).to_be_visible()
    expect(rolling).to_be_hidden()

    alice.get_by_role("radio", name="Normal").check()
    expect(alice.get_by_text("No clock runs")).to_be_hidden()
    expect(rolling).to_have_value("20 seconds")
    expect(alice.get_by_text("usually 20 seconds")).to_be_hidden()
    rolling.fill("1:30")
    answering.fill("")
    answering.blur()
    expect(alice.get_by_text("usually 20 seconds")).to_be_visible()
    expect(answering).to_have_value("30 seconds")
    alice.get_by_text("All paces side by side").click()
    assert wrong_by_axe(alice) == []
    assert fits(alice)

    alice.get_by_role("radio", name="Relaxed").check()
    expect(rolling).to_have_value("1:30")
    expect(answering).to_have_value("1 minute")
    expect(alice.get_by_text("usually 45 seconds")).to_be_visible()
    alice.get_by_role("button", name="Open the table").click()
    expect(alice).to_have_url(TABLE)

    bob.goto(alice.url)
    for page in (alice, bob):
        expect(page.locator("main")).to_contain_text("1 minute 30 seconds instead of 45 seconds.")
        page.get_by_text("Time limits").click()
        expect(page.get_by_role("row", name="Answering an offer 1 minute")).to_be_visible()
    assert wrong_by_axe(bob) == []
    assert fits(bob)

    alice.get_by_role("link", name="Change options").click()
    alice.locator('[name="pace"][value="1 day"]').check()
    alice.get_by_role("button", name="Save").click()
    expect(bob.get_by_role("row", name="Answering an offer 8 hours")).to_be_visible()
    expect(bob.locator("main")).not_to_contain_text("instead of")


def test_seconds_are_forgotten_in_a_game_over_days_and_kept_while_there_is_no_clock(
    visitors: Visitors, site: Site
) -> None:
    alice = visitors.new()
    alice.goto(f"{site.address}/t/new/")
    more(alice)
    rolling = alice.get_by_label("Rolling the dice")
    for pace, time in [("fast", "10 seconds"), ("1 day", "1 day"), ("normal", "20 seconds")]:
        alice.locator(f'[name="pace"][value="{pace}"]').check()
        expect(rolling).to_have_value(time)
    rolling.fill("1 minute")
    alice.get_by_role("radio", name="No clock").check()
    expect(rolling).to_be_hidden()
    alice.get_by_role("radio", name="Fast").check()
    expect(rolling).to_have_value("1 minute")
    alice.get_by_role("radio", name="Weekly").check()
    expect(rolling).to_have_value("7 days")


def test_a_time_that_cannot_be_is_explained_and_shown_again(visitors: Visitors, site: Site) -> None:
    alice = visitors.new()
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    alice.get_by_role("radio", name="Fast").check()
    more(alice)
    alice.get_by_label("Rolling the dice").fill("2 seconds")
    alice.get_by_role("button", name="Open the table").click()
    expect(alice.get_by_role("alert")).to_contain_text("Rolling the dice: choose between 5 seconds and 15 minutes.")
    expect(alice.get_by_label("Rolling the dice")).to_have_value("2 seconds")
    expect(alice.get_by_label("Rolling the dice")).to_have_attribute("aria-invalid", "true")
    assert wrong_by_axe(alice) == []
    alice.get_by_label("Rolling the dice").fill("12")
    alice.get_by_role("button", name="Open the table").click()
    expect(alice.locator("main")).to_contain_text("12 seconds instead of 10 seconds.")


def test_rules_leave_the_pace_and_its_times_alone(visitors: Visitors, site: Site) -> None:
    alice = visitors.new()
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    expect(alice.get_by_role("radio", name="Normal")).to_be_checked()
    more(alice)
    alice.get_by_label("Rolling the dice").fill("30 seconds")
    alice.get_by_label("Rolling the dice").blur()
    alice.get_by_role("radio", name="Endless bank").check()
    alice.locator('[name="bot_speed"][value="at once"]').check()
    expect(alice.get_by_role("radio", name="Normal")).to_be_checked()
    alice.get_by_role("button", name="Open the table").click()
    for words in ("Endless bank", "30 seconds instead of 20 seconds.", "At once"):
        expect(alice.locator("main")).to_contain_text(words)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("scripts", [True, False])
def test_a_table_is_opened_without_scrolling(
    visitors: Visitors, site: Site, size: tuple[int, int], scripts: bool
) -> None:
    page = visitors.new(java_script_enabled=scripts)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{site.address}/t/new/")
    opener = page.get_by_role("button", name="Open the table")
    for part in (
        page.get_by_label("Your name"),
        page.get_by_role("radio", name="Weekly"),
        page.locator("#more"),
        opener,
    ):
        box = part.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < box["y"] + box["height"] <= size[1]
    # What stays in reach by itself could lie over the rest.
    box, more_box = opener.bounding_box(), page.locator("#more").bounding_box()
    assert box is not None
    assert more_box is not None
    assert more_box["y"] + more_box["height"] <= box["y"]


def test_going_back_to_the_options_shows_the_times_of_the_pace_picked(visitors: Visitors, site: Site) -> None:
    """The browser brings back what was picked, but not what the script then wrote."""
    alice = visitors.new()
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    alice.get_by_role("radio", name="Relaxed").check()
    more(alice)
    alice.get_by_role("radio", name="Random").check()
    alice.get_by_role("button", name="Open the table").click()
    expect(alice).to_have_url(TABLE)
    alice.go_back()
    expect(alice.get_by_role("radio", name="Relaxed")).to_be_checked()
    expect(alice.get_by_role("radio", name="Random")).to_be_visible()
    expect(alice.get_by_label("Trading and building in a turn")).to_have_value("5 minutes")
    alice.get_by_role("button", name="Open the table").click()
    expect(alice.locator("main")).to_contain_text("5 minutes a turn")
    expect(alice.locator("main")).not_to_contain_text("instead of")


def test_a_pace_and_its_times_are_chosen_without_scripts(visitors: Visitors, site: Site) -> None:
    alice = visitors.new(java_script_enabled=False)
    alice.goto(f"{site.address}/t/new/")
    alice.get_by_label("Your name").fill("Alice")
    show = alice.get_by_role("button", name="Show the times of this pace")
    more(alice)
    expect(show).to_be_hidden()
    alice.get_by_role("radio", name="Fast").check()
    expect(alice.get_by_label("Rolling the dice")).to_be_hidden()
    show.click()
    expect(show).to_be_hidden()
    alice.get_by_label("Rolling the dice").fill("1 min")
    alice.get_by_role("radio", name="Relaxed").check()
    expect(alice.get_by_label("Rolling the dice")).to_be_hidden()
    show.click()
    expect(alice.get_by_label("Rolling the dice")).to_have_value("1 minute")
    expect(alice.get_by_text("usually 45 seconds")).to_be_visible()
    alice.get_by_role("button", name="Open the table").click()
    expect(alice.locator("main")).to_contain_text("1 minute instead of 45 seconds.")


def test_what_somebody_types_survives_what_others_do(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    bob.goto(open_table(alice, site, "Alice"))
    bob.get_by_label("Your name").fill("Bob of the")
    alice.get_by_role("button", name="Add a bot").first.click()
    expect(bob.locator(".chair").nth(1)).to_contain_text("bot")
    expect(bob.get_by_label("Your name")).to_be_focused()
    bob.keyboard.press("End")
    bob.keyboard.type(" Hills")
    bob.keyboard.press("Enter")
    expect(bob.locator(".chair-own")).to_contain_text("Bob of the Hills")


def test_a_press_counts_though_the_table_changes_meanwhile(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    bob.goto(open_table(alice, site, "Alice"))
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").hover()
    bob.mouse.down()
    hear_of_a_bot(alice, bob)
    bob.mouse.up()
    expect(bob.locator(".chair-own")).to_contain_text("Bob")


def test_a_press_by_the_space_bar_counts_though_the_table_changes_meanwhile(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    bob.goto(open_table(alice, site, "Alice"))
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").focus()
    bob.keyboard.down("Space")
    hear_of_a_bot(alice, bob)
    bob.keyboard.up("Space")
    expect(bob.locator(".chair-own")).to_contain_text("Bob")


def test_the_table_is_drawn_anew_once_a_finger_has_slid_off(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    bob.goto(open_table(alice, site, "Alice"))
    bob.get_by_role("button", name="Sit down").hover()
    bob.mouse.down()
    hear_of_a_bot(alice, bob)
    expect(bob.locator(".chair").nth(1)).not_to_contain_text("bot")
    bob.mouse.move(0, 0)
    bob.mouse.up()
    expect(bob.locator(".chair").nth(1)).to_contain_text("bot")


def hear_of_a_bot(alice: Page, bob: Page) -> None:
    """The host adds one, and the other's page has got the table as it is then."""
    with bob.expect_response("**/now/") as answer:
        alice.get_by_role("button", name="Add a bot").first.click()
    answer.value.finished()
    bob.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def test_a_page_whose_answer_was_cut_off_asks_again(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    link = open_table(alice, site, "Alice")
    bob.add_init_script("""
        const whole = window.fetch;
        window.fetch = async (...asked) => {
            const answer = await whole(...asked);
            answer.text = () => Promise.reject(new TypeError("network error"));
            window.fetch = whole;
            return answer;
        };
    """)
    bob.goto(link)
    alice.get_by_role("button", name="Add a bot").first.click()
    expect(bob.locator(".chair").nth(1)).to_contain_text("bot")


def test_a_refusal_is_read_on_the_page(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    bob.goto(open_table(alice, site, "Alice"))
    bob.get_by_label("Your name").fill("ALICE")
    bob.get_by_role("button", name="Sit down").click()
    expect(bob.get_by_role("status").filter(has_text="Somebody else goes by this name")).to_be_visible()


def test_the_link_is_copied_by_a_press(visitors: Visitors, site: Site) -> None:
    alice = visitors.new(permissions=["clipboard-read", "clipboard-write"])
    link = open_table(alice, site, "Alice")
    alice.get_by_role("button", name="Copy").click()
    expect(alice.get_by_role("button", name="Copied")).to_be_visible()
    assert alice.evaluate("navigator.clipboard.readText()") == link


def test_a_page_of_a_table_catches_up_after_the_connection_was_lost(visitors: Visitors, site: Site) -> None:
    alice, bob = visitors.new(), visitors.new()
    link = open_table(alice, site, "Alice")
    lines: list[WebSocketRoute] = []

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) > 1:
            line.connect_to_server()

    # The first line leads nowhere: what happens until it closes is not heard.
    bob.route_web_socket("**/ws/tables/**", connect)
    bob.goto(link)
    alice.get_by_role("button", name="Add a bot").first.click()
    expect(alice.locator(".chair").nth(1)).to_contain_text("bot")
    expect(bob.locator(".chair").nth(1)).not_to_contain_text("bot")
    lines[0].close()
    expect(bob.locator(".chair").nth(1)).to_contain_text("bot")


def test_the_pages_of_a_table_fit_a_phone(visitors: Visitors, site: Site) -> None:
    page = visitors.new(320)
    open_table(page, site, "W" * 20)
    assert fits(page)
    page.get_by_role("link", name="Change options").click()
    more(page)
    page.get_by_text("House rules", exact=True).click()
    page.get_by_text("All paces side by side").click()
    page.get_by_role("radio", name="Normal").check()
    assert fits(page)
    page.goto(site.address)
    expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
    assert fits(page)


def test_after_the_end_the_same_people_meet_at_one_table(visitors: Visitors, site: Site) -> None:
    (made,) = make_games(site.data, {"rules": "standard points_to_win=8", "seed": 53, "until": "never"})
    alice, bob = visitors.new(), visitors.new(360, java_script_enabled=False)
    dana, watcher = visitors.new(360), visitors.new()
    for seat, page in ((0, alice), (1, bob), (3, dana)):
        page.context.add_cookies([made.cookie(seat, site.address)])  # type: ignore[list-item]
        page.goto(f"{site.address}/games/{made.game}/")
    watcher.goto(f"{site.address}/games/{made.game}/")
    for page in (dana, watcher):
        until_drawn(page)

    alice.get_by_role("button", name="Play again with the same people").click()
    expect(alice).to_have_url(TABLE)
    expect(alice.locator(".chair-own")).to_have_text(re.compile(r"Alice\s+you\s+host"))
    for number, name in enumerate(("Bob", "Charlie", "Dana"), start=1):
        expect(alice.locator(".chair").nth(number)).to_contain_text(f"Kept for {name}")
    expect(alice.locator("#table-state")).to_have_text(re.compile("^Waiting for Bob, Charlie and Dana. "))

    # Those who still look at the end hear of it; without scripts, the button leads to the same table.
    expect(dana.locator("#end")).to_contain_text("Alice wants a rematch.")
    dana.get_by_role("button", name="Join the rematch").click()
    expect(dana).to_have_url(alice.url)
    expect(watcher.locator("#end")).to_contain_text("Alice wants a rematch.")
    expect(watcher.locator("#end button")).to_have_count(0)
    bob.get_by_role("button", name="Play again with the same people").click()
    expect(bob).to_have_url(alice.url)
    expect(bob.locator(".chair-own")).to_contain_text(re.compile(r"Bob\s+you"))
    for page in (alice, bob):
        expect(page.locator(".chair").filter(has_text="Kept for")).to_have_count(1)
        expect(page.locator(".chair").nth(1)).not_to_contain_text("Kept for")
