"""What holds for every page, on a phone and on a desk, by day and by night."""

import pytest
from playwright.sync_api import Browser

from tests.chromium import sign_in
from tests.sites import Site

pytestmark = pytest.mark.browser

PAGES = {
    **dict.fromkeys(["/", "/find/", "/t/new/", "/leaderboard/", "/leaderboard/bots/", "/people/blocked/"], 200),
    **dict.fromkeys(["/account/", "/account/email/", "/account/password/forgotten/", "/account/sessions/"], 200),
    **dict.fromkeys(["/account/notices/", "/account/push/", "/account/webhook/", "/account/holidays/"], 200),
    **dict.fromkeys(["/account/reports/", "/account/moderators/", "/account/programs/", "/account/bot/"], 200),
    **dict.fromkeys(["/sign-in/", "/offline/", "/status/", "/api/docs/"], 200),
    "/no-such-page/": 404,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_pages_fit_stay_at_home_and_complain_about_nothing(
    browser: Browser, embedded_site: Site, width: int, scheme: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 640}, color_scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url) if is_foreign(request.url) else None)

    def is_foreign(url: str) -> bool:
        return not url.startswith((embedded_site.address, embedded_site.address.replace("http", "ws"), "data:"))

    sign_in(page, embedded_site)
    for address, status in PAGES.items():
        answer = page.goto(embedded_site.address + address)
        assert answer is not None
        assert answer.status == status, address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    page.close()
    # Chromium itself remarks on the answer 404, which is what that page is for.
    assert [complaint for complaint in complaints if "404" not in complaint] == []
