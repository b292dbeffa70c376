"""What people see, and what the server says beside it."""

import re
from typing import NoReturn

import pytest
from django.conf import LazySettings
from django.http import HttpRequest
from django.test import Client
from django.urls import include, path

from lobby.models import User


def fail(request: HttpRequest) -> NoReturn:
    raise RuntimeError("hush")


urlpatterns = [path("fail/", fail), path("", include("catan_site.urls"))]

PUBLIC = ["/", "/sign-in/"]
PASSWORD = "longest road in town"


@pytest.fixture
def alice_with_password(alice: User, settings: LazySettings) -> User:
    # The real hashes are slow on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    alice.set_password(PASSWORD)
    alice.save()
    return alice


@pytest.mark.parametrize("address", PUBLIC)
def test_a_visitor_sees_the_public_pages(client: Client, db: None, address: str) -> None:
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("address", [*PUBLIC, "/leaderboard/", "/status/", "/no-such-page/"])
def test_no_page_has_a_script_or_a_style_of_its_own(client: Client, dana: User, address: str) -> None:
    client.force_login(dana)
    page = client.get(address).content.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page) == []


@pytest.mark.parametrize("address", [*PUBLIC, "/no-such-page/", "/static/site/status.js"])
def test_every_answer_forbids_what_is_not_ours(client: Client, db: None, address: str) -> None:
    policy = client.get(address)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert re.search(r"https?:|\*", policy) is None


def test_a_page_that_is_not_there_says_so(client: Client) -> None:
    answer = client.get("/no-such-page/")
    assert answer.status_code == 404
    assert "404.html" in [template.name for template in answer.templates]


def test_a_form_from_elsewhere_is_refused_in_words(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "alice", "password": "secret"})
    assert answer.status_code == 403
    assert "403_csrf.html" in [template.name for template in answer.templates]


@pytest.mark.urls(__name__)
def test_a_failure_of_ours_is_admitted_without_details() -> None:
    # No database is allowed in this test: the page must not need what may just have failed.
    answer = Client(raise_request_exception=False).get("/fail/")
    assert answer.status_code == 500
    assert "hush" not in answer.content.decode()
    assert "<h1" in answer.content.decode()


def test_alice_signs_in_and_out(client: Client, alice_with_password: User) -> None:
    signed_in = client.post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert signed_in.headers["Location"] == "/"
    assert client.session["_auth_user_id"] == str(alice_with_password.pk)
    client.post("/sign-out/")
    assert "_auth_user_id" not in client.session


def test_whoever_guesses_passwords_has_to_wait(client: Client, alice_with_password: User) -> None:
    guesses = [client.post("/sign-in/", {"username": "alice", "password": f"guess {n}"}) for n in range(5)]
    assert [guess.status_code for guess in guesses] == [200, 200, 200, 200, 429]
    right_but_late = client.post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert right_but_late.status_code == 429
    elsewhere = client.post("/sign-in/", {"username": "alice", "password": PASSWORD}, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 302


def test_the_admin_has_no_sign_in_page_of_its_own(client: Client) -> None:
    answer = client.get("/admin/login/?next=/admin/")
    assert answer.headers["Location"] == "/sign-in/?next=/admin/"
