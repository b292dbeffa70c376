"""Signing up, in and out; passwords, addresses and mails; and what people try who want in without being asked."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.usersessions.models import UserSession
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catan_site.tasks import clear_expired_sessions
from games.models import Game, Seat
from lobby import names
from lobby.models import RecoveryLink, Table, User
from lobby.notice_models import Way, usual_wishes
from lobby.signing_in import Adapter, SignedUpAlready
from tests.staff import browser_of

from .people import PASSWORD, is_signed_in, link_in, sign_in, sign_up, who

BAD_NAMES = {
    "": "Others need something to call you",
    "x" * 21: "20 characters at most",
    "x" * 10_000: "at most 1000 characters",
    "Al\u202eice": "invisible character",
    "Al\u200bice": "invisible character",
    "x\u0301\u0302\u0303\u0304": "piles up marks",
    "You": "what the game calls whoever",
    "S0mebody": "people who have left",
    "Alice\x00": "Null characters",
}


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def confirm_address() -> None:
    EmailAddress.objects.filter(email="alice@catan.example").update(verified=True)


# Signing up


def test_a_name_and_a_password_make_an_account(client: Client, db: None) -> None:
    assert sign_up(client).headers["Location"] == "/"
    alice = User.objects.get()
    assert (alice.name, alice.is_guest, alice.email) == ("Alice", False, "")
    assert who(client) == alice
    assert mail.outbox == []
    page = client.get("/").content.decode()
    assert 'href="/account/"><bdi class="signed-in">Alice</bdi></a>' in page
    assert "Sign out" in page


def test_whoever_gives_an_address_is_in_at_once_and_gets_a_mail_to_confirm_it(client: Client, db: None) -> None:
    sign_up(client, email="Alice@Catan.example")
    assert who(client) is not None
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["alice@catan.example"], "Welcome to Online Catan")
    assert "Alice at Online Catan" in sent.body
    page = client.get(link_in()).content.decode()
    assert "Yes, confirm it" in page
    assert not EmailAddress.objects.get().verified, "a program that looks at links confirms nothing"
    client.post(link_in())
    assert EmailAddress.objects.get().verified


@pytest.mark.parametrize(("name", "sentence"), BAD_NAMES.items(), ids=[*map(ascii, (n[:12] for n in BAD_NAMES))])
def test_a_name_that_others_cannot_read_is_refused(client: Client, db: None, name: str, sentence: str) -> None:
    answer = sign_up(client, name)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert not User.objects.exists()


def test_markup_in_a_name_is_only_text(client: Client, db: None) -> None:
    sign_up(client, "<b onclick=x>Bob</b>")
    assert "<b onclick" not in client.get("/account/").content.decode()
    assert "&lt;b onclick=x&gt;Bob&lt;/b&gt;" in client.get("/account/").content.decode()


@pytest.mark.parametrize("name", ["Alice", "aLICE", "Аlice", "AI1ce", "A l i c e", "Ａｌｉｃｅ"])
def test_nobody_signs_up_under_a_name_that_looks_like_anothers(client: Client, db: None, name: str) -> None:
    sign_up(Client())
    answer = sign_up(client, name)
    assert names.TAKEN in answer.content.decode()
    assert User.objects.count() == 1


def test_a_name_that_reads_like_anothers_or_looks_like_it_is_taken_and_a_third_is_not(client: Client, db: None) -> None:
    """A small Greek nu reads like the capital, which looks like an N; the two themselves have nothing in common."""
    sign_up(Client(), "Ν\u03b9ko")
    assert "taken" not in sign_up(Client(), "vlko").content.decode()
    assert names.TAKEN in sign_up(Client(), "Nlko").content.decode()
    assert names.TAKEN in sign_up(Client(), "\u03bd\u03b9ko").content.decode()


def test_staff_give_nobody_a_name_that_looks_like_anothers(dana: User) -> None:
    sign_up(Client())
    dana.name = "AIice"
    with pytest.raises(ValidationError, match="goes by this name"):
        dana.clean()
    dana.name = "Dana"
    dana.clean()


def test_guests_called_the_same_keep_nobody_from_the_name(client: Client, visitors: Callable[[], Client]) -> None:
    visitors().post("/t/new/", {"preset": "standard", "name": "Alice"})
    sign_up(client)
    assert User.objects.get(is_guest=False).name == "Alice"


def test_a_name_is_looked_up_by_index_however_many_accounts_there_are(
    client: Client, db: None, django_assert_max_num_queries: Any
) -> None:
    User.objects.bulk_create(
        User(username=f"u{n}", name=f"N{n}", name_folded=f"n{n}", name_shape=f"n{n}") for n in range(500)
    )
    with django_assert_max_num_queries(1):
        client.post("/t/new/", {"preset": "standard", "name": "N77"})


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "three sheep for an ore"}, "same password"),
        ({"password1": "alicealice1", "password2": "alicealice1"}, "too similar to the name"),
        ({"email": "nonsense"}, "valid email"),
        ({"email": f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 30}.example"}, "at most 254"),
    ],
)
def test_a_form_that_is_not_right_makes_nobody(client: Client, db: None, said: dict[str, str], sentence: str) -> None:
    answer = sign_up(client, "Alice Alice", **said)
    assert sentence in answer.content.decode()
    assert not User.objects.exists()


def test_so_many_accounts_an_hour_are_made_from_one_address(db: None, settings: LazySettings) -> None:
    settings.SIGN_UPS_AN_HOUR = 2
    answers = [sign_up(Client(REMOTE_ADDR="198.51.100.200"), f"Person {n}") for n in "abc"]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 3600
    assert "Too many accounts" in answers[-1].content.decode()
    assert sign_up(Client(REMOTE_ADDR="198.51.100.201"), "Person c").status_code == 302


def test_whoever_is_refused_does_not_count(db: None, settings: LazySettings) -> None:
    settings.SIGN_UPS_AN_HOUR = 1
    for _ in range(3):
        sign_up(Client(REMOTE_ADDR="198.51.100.202"), "You")
    assert sign_up(Client(REMOTE_ADDR="198.51.100.202")).status_code == 302


def test_the_sign_up_says_that_notices_go_to_the_address_too(client: Client, db: None) -> None:
    assert any(each.startswith(f"{Way.MAIL}-") for each in usual_wishes()), "they do, unless somebody wishes otherwise"
    page = client.get("/sign-up/").content.decode()
    assert "to tell you when a game over days waits for you" in page
    assert "Nothing else is sent" not in page


@pytest.mark.parametrize(("path", "current"), [("/account/", "page"), ("/account/email/", "true"), ("/", None)])
def test_the_header_says_who_is_about_their_account(client: Client, db: None, path: str, current: str | None) -> None:
    sign_up(client)
    link = client.get(path).content.decode().partition('class="own-account"')[2].partition(">")[0]
    assert link == ' href="/account/"' + (f' aria-current="{current}"' if current else "")


def test_nobody_learns_at_the_sign_up_whether_an_address_has_an_account(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    confirm_address()
    cache.clear()
    other = sign_up(client, "Bob", email="alice@catan.example")
    new = sign_up(Client(), "Charlie", email="charlie@catan.example")
    assert (other.status_code, other.headers["Location"]) == (new.status_code, new.headers["Location"])
    assert [sent.subject for sent in mail.outbox[1:]] == ["Welcome to Online Catan"] * 2
    page = Client().get(link_in(1)).content.decode()
    assert "belongs to another account" in page, "whoever reads the mail may know it"
    Client().post(link_in(1))
    assert EmailAddress.objects.filter(email="alice@catan.example", verified=True).count() == 1


# Signing in and out


@pytest.mark.parametrize("name", ["Alice", "alice", " ALICE ", "alice@catan.example", "Alice@CATAN.example"])
def test_alice_signs_in_by_her_name_or_her_confirmed_address(client: Client, db: None, name: str) -> None:
    sign_up(Client(), email="alice@catan.example")
    confirm_address()
    assert sign_in(client, name).headers["Location"] == "/"
    assert who(client) == User.objects.get()


def test_an_address_that_nobody_confirmed_signs_nobody_in(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    assert sign_in(client, "alice@catan.example").status_code == 200
    assert who(client) is None


def test_staff_sign_in_by_the_name_they_were_given(client: Client, dana: User) -> None:
    dana.name = "The Librarian"
    dana.set_password(PASSWORD)
    dana.save()
    for name in ("dana", "the librarian"):
        assert sign_in(Client(), name).status_code == 302


def test_somebody_else_may_show_the_name_that_staff_sign_in_with(client: Client, db: None) -> None:
    """Or everybody could find it out. Each has a password of their own."""
    dana = User.objects.create_user("dana", password="a librarian's own word", is_staff=True)
    sign_up(Client(), "Dana")
    sign_in(client, "dana")
    assert (who(client) or dana).name == "Dana"
    other = Client()
    sign_in(other, "dana", "a librarian's own word")
    assert who(other) == dana


def test_the_same_is_said_whoever_is_not_there(client: Client, db: None) -> None:
    sign_up(Client())
    answers = [sign_in(client, name, "a wrong guess").content.decode() for name in ("Alice", "Nobody", "a@b.example")]
    assert all("There is no account with that name or confirmed address and that password." in a for a in answers)


def test_guesses_at_one_account_are_counted_together_however_the_name_is_written(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    confirm_address()
    spellings = ["Alice", "alice", "AIice", "alice@catan.example", "A L I C E"]
    guesses = [sign_in(client, name, "a wrong guess") for name in spellings]
    assert [answer.status_code for answer in guesses] == [200, 200, 200, 200, 429]
    assert sign_in(client).status_code == 429
    assert sign_in(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302


def test_whoever_signs_in_begins_anew_with_guessing(client: Client, db: None) -> None:
    sign_up(Client())
    for _ in range(2):
        for _ in range(4):
            assert sign_in(client, password="a wrong guess").status_code == 200
        assert sign_in(client).status_code == 302
        client.post("/sign-out/")


def test_the_way_back_is_kept_and_leads_nowhere_else(client: Client, db: None) -> None:
    sign_up(Client())
    assert 'name="next" value="/t/new/"' in client.get("/sign-in/?next=/t/new/").content.decode()
    assert sign_in(client, next="/t/new/").headers["Location"] == "/t/new/"
    assert sign_in(Client(), next="https://elsewhere.example/").headers["Location"] == "/"


def test_an_account_that_was_closed_says_so(client: Client, db: None) -> None:
    sign_up(Client())
    User.objects.update(is_active=False)
    assert sign_in(client).headers["Location"] == "/sign-in/closed/"
    assert who(client) is None
    assert "This account is closed" in client.get("/sign-in/closed/").content.decode()


def test_looking_at_the_sign_out_signs_nobody_out(client: Client, db: None) -> None:
    sign_up(client)
    assert "Sign out" in client.get("/sign-out/").content.decode()
    assert who(client) is not None
    client.post("/sign-out/")
    assert who(client) is None


def test_a_guest_is_not_signed_out(client: Client, db: None) -> None:
    client.post("/play-now/")
    assert client.post("/sign-out/").headers["Location"] == "/account/"
    assert who(client) is not None


@pytest.mark.parametrize("path", ["/sign-up/", "/sign-in/", "/sign-out/", "/account/delete/", "/account/guest-link/"])
def test_forms_from_elsewhere_are_refused(db: None, path: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(path, {}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        *("/accounts/login/", "/account/login/", "/account/signup/", "/account/password/set/", "/account/webauthn/"),
        *("/account/second-factor/trust/", "/account/second-factor/codes/download/", "/sign-in/code/confirm/"),
        *("/sign-in/passkey/", "/account/email/sent/", "/account/3rdparty/"),
    ],
)
def test_pages_that_are_not_used_are_not_there(client: Client, db: None, path: str) -> None:
    sign_up(client)
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/account/email/", "/account/password/", "/account/second-factor/", "/account/second-factor/app/"),
        *("/account/second-factor/codes/", "/account/again/", "/account/sessions/", "/account/delete/"),
    ],
)
def test_pages_of_accounts_are_for_those_who_have_one(client: Client, db: None, path: str) -> None:
    assert client.get(path).headers["Location"] == f"/sign-in/?next={path}"
    client.post("/play-now/")
    assert client.get(path).headers["Location"] == "/account/"


@pytest.mark.parametrize(
    "path", ["/sign-up/", "/sign-in/", "/account/", "/account/email/", "/account/password/forgotten/"]
)
def test_no_page_of_accounts_has_a_script_or_a_style_of_its_own(client: Client, db: None, path: str) -> None:
    pages = [Client().get(path, follow=True).content.decode()]
    sign_up(client, email="alice@catan.example")
    pages.append(client.get(path, follow=True).content.decode())
    assert not any(re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page) for page in pages)


# Passwords


def test_a_changed_password_ends_the_other_sessions_and_keeps_this_one(client: Client, db: None) -> None:
    sign_up(client)
    elsewhere = Client()
    sign_in(elsewhere)
    new = "four ore for a city"
    said = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert "That isn’t your password" in client.post("/account/password/", said | {"oldpassword": "x"}).content.decode()
    assert client.post("/account/password/", said).status_code == 302
    assert is_signed_in(client)
    assert not is_signed_in(elsewhere)
    assert sign_in(Client(), password=new).status_code == 302


def test_a_forgotten_password_is_replaced_through_a_mail(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    answer = client.post("/account/password/forgotten/", {"email": "alice@catan.example"}, follow=True)
    assert "Check your e-mail" in answer.content.decode()
    link = link_in()
    form = client.get(link, follow=True)
    assert link not in form.request["PATH_INFO"], "the address that is shown lets nobody in"
    new = "four ore for a city"
    done = client.post(form.request["PATH_INFO"], {"password1": new, "password2": new}, follow=True)
    assert "Your password has been changed" in done.content.decode()
    assert sign_in(Client(), password=new).status_code == 302
    assert "no longer works" in Client().get(link, follow=True).content.decode()


def test_mails_are_sent_so_often_and_no_more(client: Client, db: None) -> None:
    said = {"email": "alice@catan.example"}
    answers = [client.post("/account/password/forgotten/", said) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    assert "please wait a minute" in answers[-1].content.decode()
    assert answers[-1].headers["Retry-After"] == "60"


def test_a_guest_who_resets_a_password_stays_who_they_are(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    client.post("/play-now/")
    guest = who(client)
    client.post("/account/password/forgotten/", {"email": "alice@catan.example"})
    client.get(link_in(), follow=True)
    assert who(client) == guest


def test_nobody_learns_by_a_forgotten_password_whether_an_address_has_an_account(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    answers = [
        client.post("/account/password/forgotten/", {"email": email}, follow=True).content.decode()
        for email in ("alice@catan.example", "nobody@catan.example")
    ]
    assert answers[0] == answers[1]
    assert "no account there has this address" in mail.outbox[-1].body


def test_links_that_are_forged_or_too_old_open_nothing(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    sign_up(Client(), email="alice@catan.example")
    confirmation = link_in()
    client.post("/account/password/forgotten/", {"email": "alice@catan.example"})
    reset = link_in()
    settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 0
    settings.PASSWORD_RESET_TIMEOUT = -1
    for link in (confirmation, reset):
        assert "has expired" in client.get(link, follow=True).content.decode()
    settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
    settings.PASSWORD_RESET_TIMEOUT = 3600
    for link in (confirmation[:-3] + "xx/", reset[:-3] + "xx/"):
        answer = client.get(link, follow=True)
        assert "has expired" in answer.content.decode()
        assert client.post(link, {"password1": "four ore for a city"}).status_code in (200, 404)
    assert not EmailAddress.objects.get().verified
    assert sign_in(Client()).status_code == 302, "the password is the old one"


def test_a_mail_that_cannot_be_sent_is_admitted(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", fail)
    sign_up(client, email="alice@catan.example")
    assert "The e-mail could not be sent" in client.get("/").content.decode()
    assert User.objects.count() == 1


def test_a_site_that_sends_no_mail_says_where_it_lies(client: Client, db: None, settings: LazySettings) -> None:
    settings.EMAIL_FILE_PATH = "/somewhere/mail"
    sign_up(client, email="alice@catan.example")
    assert "each message is a file in /somewhere/mail" in client.get("/").content.decode()
    page = Client().post("/account/password/forgotten/", {"email": "alice@catan.example"}, follow=True)
    assert "/somewhere/mail" in page.content.decode()
    settings.EMAIL_FILE_PATH = None
    assert "is a file in" not in client.get("/account/email/").content.decode()


# The address


def test_a_new_address_replaces_the_old_one_once_it_is_confirmed(client: Client, db: None) -> None:
    sign_up(client, email="alice@catan.example")
    confirm_address()
    client.post("/account/email/", {"action_add": "", "email": "new@catan.example"})
    assert set(EmailAddress.objects.values_list("email", "verified")) == {
        ("alice@catan.example", True),
        ("new@catan.example", False),
    }
    client.post(link_in())
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("new@catan.example", True)]
    client.post("/account/email/", {"action_remove": "", "email": "new@catan.example"})
    assert not EmailAddress.objects.exists()
    assert User.objects.get().email == ""


def test_a_confirmation_signs_nobody_out(client: Client, db: None) -> None:
    sign_up(Client(), email="alice@catan.example")
    sign_up(client, "Bob")
    client.get(link_in())
    client.post(link_in())
    assert (who(client) or User()).name == "Bob"
    assert EmailAddress.objects.get().verified


# Sessions, data


def test_sessions_are_seen_and_ended_one_by_one_or_all_others(client: Client, db: None) -> None:
    sign_up(client)
    phone, tablet, other = (Client(HTTP_USER_AGENT=agent) for agent in ("iPhone Safari/1", "iPad CriOS/1", ""))
    for browser in (phone, tablet, other):
        sign_in(browser)
    page = client.get("/account/sessions/").content.decode()
    assert "Safari on an iPhone" in page
    assert "Chrome on an iPad" in page
    number = re.findall(r'name="session" value="(\d+)"', page)
    assert len(number) == 3
    for nonsense in ("", "x", "9" * 30, "-1", "٣"):
        client.post("/account/sessions/", {"session": nonsense})
    assert all(who(browser) for browser in (client, phone, tablet, other))
    client.post("/account/sessions/", {"session": number[-1]})
    assert not is_signed_in(phone)
    assert is_signed_in(tablet)
    client.post("/account/sessions/")
    assert not is_signed_in(tablet)
    assert is_signed_in(client)


def test_nobody_ends_the_sessions_of_others(client: Client, db: None) -> None:
    sign_up(client)
    bob = Client()
    sign_up(bob, "Bob")
    bobs = UserSession.objects.get(user__name="Bob")
    client.post("/account/sessions/", {"session": str(bobs.pk)})
    client.post("/account/sessions/")
    assert is_signed_in(bob)


def test_what_is_noted_of_a_session_goes_with_it(client: Client, db: None) -> None:
    sign_up(client)
    elsewhere = Client()
    sign_in(elsewhere)
    Session.objects.filter(pk=elsewhere.session.session_key).update(expire_date=timezone.now() - timedelta(days=1))
    clear_expired_sessions()
    assert [noted.session_key for noted in UserSession.objects.all()] == [client.session.session_key]


def test_everybody_gets_what_the_site_keeps_of_them_and_of_nobody_else(client: Client, db: None) -> None:
    client.post("/t/new/", {"preset": "standard", "name": "Alice"})
    client.post("/play-now/")
    game = Game.objects.get()
    client.post(f"/games/{game.pk}/chat/", {"text": "Any wool?"})
    sign_up(client, email="alice@catan.example")
    answer = client.get("/account/data/")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    kept = answer.json()
    assert kept["account"]["name"] == "Alice"
    assert kept["account"]["email"] == [{"email": "alice@catan.example", "verified": False}]
    assert [seat["game_number"] for seat in kept["seats"]] == [game.pk]
    assert [line["text"] for line in kept["chat_lines"]] == ["Any wool?"]
    assert len(kept["tables_hosted"]) == 2
    assert len(kept["sessions"]) == 1
    other = Client()
    sign_up(other, "Bob")
    assert "wool" not in other.get("/account/data/").content.decode()
    assert User.objects.get(name="Alice").password not in answer.content.decode()
    assert Client().get("/account/data/").status_code == 302


@pytest.mark.parametrize("path", ["/admin/mfa/authenticator/", "/admin/usersessions/usersession/"])
def test_keys_are_shown_to_nobody_in_the_admin(dana: User, path: str) -> None:
    User.objects.filter(pk=dana.pk).update(is_superuser=True)
    browser = browser_of(User.objects.get(pk=dana.pk))
    assert browser.get(path).status_code == 404
    assert browser.get("/admin/lobby/user/?q=alice").status_code == 200


# Guests who sign up


def test_a_guest_who_signs_up_keeps_everything(client: Client, visitors: Callable[[], Client]) -> None:
    client.post("/play-now/")
    client.post("/t/new/", {"preset": "standard", "name": "Alice"})
    guest = who(client)
    assert guest is not None
    client.post("/account/guest-link/")
    page = client.get("/sign-up/").content.decode()
    assert "Keep your games" in page
    assert 'value="Alice"' in page
    sign_up(client)
    account = User.objects.get()
    assert (account.pk, account.is_guest, account.name) == (guest.pk, False, "Alice")
    assert who(client) == account
    assert Seat.objects.get(number=0).user == account
    assert Table.objects.filter(host=account).count() == 2
    assert not RecoveryLink.objects.exists(), "a password opens the account from now on"
    elsewhere = visitors()
    sign_in(elsewhere)
    assert f"/games/{Game.objects.get().pk}/" in elsewhere.get("/").content.decode()


def test_a_refused_sign_up_leaves_the_guest_a_guest(client: Client, db: None) -> None:
    client.post("/play-now/")
    sign_up(client, "You")
    assert User.objects.get().is_guest
    assert "Keep my games" in client.get("/").content.decode()


def test_a_guest_who_signed_up_in_another_tab_is_told_so(client: Client, db: None, rf: RequestFactory) -> None:
    """The request of the first tab was on its way already, with the guest in it."""
    client.post("/play-now/")
    request: Any = rf.post("/sign-up/")
    request.guest = who(client)
    sign_up(client)
    with pytest.raises(SignedUpAlready), context.request_context(request):
        Adapter().new_user(request)


# The day of the last visit


def test_a_guests_visit_is_noted_once_a_day_and_costs_no_statement_otherwise(client: Client, db: None) -> None:
    client.post("/play-now/")
    yesterday = timezone.localdate() - timedelta(days=1)
    client.get("/")
    User.objects.update(last_visit=yesterday)
    client.get("/")
    assert User.objects.get().last_visit == timezone.localdate()
    with CaptureQueriesContext(connection) as statements:
        client.get("/")
    assert {statement["sql"].split()[0] for statement in statements} == {"SELECT"}
