"""Settings come from the environment; nonsense in it is one line for a person."""

import runpy
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from catan_site.environment import SettingsError
from tests.sites import ROOT, UNSET, run

SERVER = {
    "DEBUG": "0",
    "SECRET_KEY": "a secret that is long enough, and of more than a few letters",
    "ALLOWED_HOSTS": "catan.example",
    "CSRF_TRUSTED_ORIGINS": "https://catan.example",
    "DATABASE_URL": "postgresql://catan:hush@127.0.0.1:5432/catan",
    "REDIS_URL": "redis://:hush@127.0.0.1:6379/0",
    "EMAIL_URL": "smtp+tls://catan:hush@mail.example:587",
    "EMAIL_FROM": "Online Catan <catan@catan.example>",
}


@pytest.fixture
def settings_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Reads the settings file anew, under an environment of one's choice."""

    def read(**environment: str) -> dict[str, Any]:
        for name, value in {**UNSET, "DATA_DIR": str(tmp_path), "PORT": "", **environment}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "catan_site/settings.py"))

    return read


NONSENSE = {
    "DATABASE_URL": ["foo", "postgresql://catan", "mysql://u:p@h/db", "postgresql://u:p@h:port/db", "sqlite:////no/x"],
    "REDIS_URL": ["foo", "redis://", "http://127.0.0.1"],
    "PORT": ["abc", "0", "65536", "-1"],
    "DEBUG": ["maybe"],
    "LOG_LEVEL": ["loud"],
    "CSRF_TRUSTED_ORIGINS": ["catan.example", "https://catan.example/games", "https://[", "https://"],
    "DATABASE_POOL": ["many"],
    "DATA_DIR": ["/dev/null/data"],
    "EMAIL_URL": ["foo", "smtp://", "http://mail.example", "smtp://mail.example:port", "file://", "file://host/folder"],
    "EMAIL_FROM": ["foo", "a@b@c", "Online Catan", "Catan <catan@catan.example", "two lines\n<a@b.example>"],
    "SIGN_UPS_AN_HOUR": ["0", "many"],
    "API_READS_A_MINUTE": ["0", "many"],
    "API_MOVES_A_MINUTE": ["0"],
    "API_OFFERS_A_MINUTE": ["0"],
    "THINKERS": ["-1", "65", "many"],
    "GUESTS_KEPT": ["0", "-1", "soon"],
    "NOTICES_KEPT": ["0", "2", "soon"],
    "SITE_URL": ["catan.example", "https://", "https://catan.example/games", "https://*.catan.example"],
    "VAPID_PRIVATE_KEY": ["foo", "A" * 43, "_" * 43, "A" * 42 + "!", "é" * 43],
    "VAPID_CONTACT": ["foo", "dana@catan.example", "mailto:dana", "http://catan.example", "https://catan.example/dana"],
    "NOTICES_TO_LOOPBACK": ["perhaps"],
    "METRICS_TOKEN": ["x", "a" * 31, "a" * 201, "two words " * 5, "é" * 40],
    "OWN_NETWORKS": ["ours", "198.51.100.0/33", "198.51.100.7/24", "198.51.100.0/24 10.0.0.0/8", "::/129"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in NONSENSE for value in NONSENSE[name]])
def test_nonsense_is_refused_by_name(settings_for: Any, name: str, value: str) -> None:
    database = {"DATABASE_URL": SERVER["DATABASE_URL"]} if name == "DATABASE_POOL" else {}
    with pytest.raises(SettingsError, match=name):
        settings_for(**database, **{name: value})


WEAK = {
    "SECRET_KEY": [
        "x",
        "x" * 60,
        "abcd" * 20,
        "only a few letters short of fifty characters long",
        "django-insecure-" + "q7" * 30,
    ],
    "ALLOWED_HOSTS": [
        "*",
        "catan.example,*",
        "*.example",
        ".",
        ".example",
        "https://catan.example",
        "catan.example:443",
    ],
}


@pytest.mark.parametrize("kind", [SERVER, {"DEBUG": ""}], ids=["a server", "one's own machine"])
@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WEAK for value in WEAK[name]])
def test_outside_debug_what_protects_nothing_is_refused(
    settings_for: Any, kind: dict[str, str], name: str, value: str
) -> None:
    with pytest.raises(SettingsError, match=name) as refusal:
        settings_for(**{**kind, name: value})
    assert name == "ALLOWED_HOSTS" or value not in str(refusal.value).split(), "a secret is never repeated"


def test_in_debug_anything_goes(settings_for: Any) -> None:
    settings = settings_for(DEBUG="1", SECRET_KEY="x", ALLOWED_HOSTS="*")
    assert (settings["SECRET_KEY"], settings["ALLOWED_HOSTS"][-1]) == ("x", "*")


def test_a_domain_with_all_its_names_may_be_a_host(settings_for: Any) -> None:
    hosts = settings_for(**{**SERVER, "ALLOWED_HOSTS": "catan.example, .catan.example, 192.0.2.7, [2001:db8::7]"})
    assert hosts["ALLOWED_HOSTS"] == ["catan.example", ".catan.example", "192.0.2.7", "[2001:db8::7]"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [
        {"DATABASE_URL": "foo"},
        {**SERVER, "SECRET_KEY": "x"},
        {**SERVER, "ALLOWED_HOSTS": "*"},
    ],
    ids=["database", "secret key", "hosts"],
)
@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "manage.py", "check"],
        [sys.executable, "manage.py", "play"],
        [sys.executable, "-m", "uvicorn", "catan_site.asgi:application"],
        [sys.executable, "-m", "celery", "--app", "catan_site", "worker"],
        [sys.executable, "-m", "celery", "--app", "catan_site", "beat"],
    ],
    ids=["manage.py", "play", "uvicorn", "worker", "beat"],
)
def test_every_way_to_start_says_it_in_one_line(command: list[str], wrong: dict[str, str], tmp_path: Path) -> None:
    refused = run(*command, **wrong, DATA_DIR=str(tmp_path))
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("Settings: ")
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "EMAIL_URL"])
def test_a_password_in_a_url_is_never_repeated(settings_for: Any, name: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        settings_for(**{name: "nonsense://catan:hush@127.0.0.1/catan"})
    assert "hush" not in str(refusal.value)


@pytest.mark.parametrize("name", [name for name in SERVER if name != "DEBUG"])
def test_outside_debug_nothing_is_assumed(settings_for: Any, name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is missing"):
        settings_for(**{**SERVER, name: ""})


def test_outside_debug_only_https_will_do(settings_for: Any) -> None:
    settings = settings_for(**SERVER)
    assert settings["DEBUG"] is False
    assert settings["SECURE_SSL_REDIRECT"]
    assert settings["SECURE_HSTS_SECONDS"] >= 31536000
    assert settings["SESSION_COOKIE_SECURE"]
    assert settings["CSRF_COOKIE_SECURE"]


def test_plain_http_is_refused_to_a_site_that_others_can_reach(settings_for: Any) -> None:
    with pytest.raises(SettingsError, match="HTTPS=0"):
        settings_for(**SERVER, HTTPS="0")


def test_a_site_on_ones_own_machine_answers_to_that_machine_alone(settings_for: Any) -> None:
    assert settings_for()["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]


def test_the_secret_key_is_made_once_and_for_its_owners_eyes(settings_for: Any, tmp_path: Path) -> None:
    first = settings_for()["SECRET_KEY"]
    assert len(first) >= 50
    assert settings_for()["SECRET_KEY"] == first
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_a_new_data_folder_and_its_database_are_for_their_owners_eyes(settings_for: Any, tmp_path: Path) -> None:
    file = settings_for(DATA_DIR=str(tmp_path / "var"))["DATABASES"]["default"]["NAME"]
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_database_file_that_cannot_be_made_is_named(settings_for: Any) -> None:
    with pytest.raises(SettingsError, match=r"/proc/catan\.sqlite3"):
        settings_for(DATABASE_URL="sqlite:////proc/catan.sqlite3")


def test_the_database_url_reaches_django_whole(settings_for: Any) -> None:
    url = "postgresql://al%69ce:p%40ss@db.example:5433/catan?sslmode=require"
    database = settings_for(DATABASE_URL=url)["DATABASES"]["default"]
    assert (database["USER"], database["PASSWORD"]) == ("alice", "p@ss")
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "catan")
    assert database["OPTIONS"]["sslmode"] == "require"


@pytest.mark.parametrize(
    ("url", "port", "starts_tls", "is_tls"),
    [
        ("smtp+tls://al%69ce:p%40ss@mail.example", 587, True, False),
        ("smtps://al%69ce:p%40ss@mail.example", 465, False, True),
        ("smtp://al%69ce:p%40ss@mail.example:2525", 2525, False, False),
    ],
)
def test_the_mail_server_reaches_django_whole(
    settings_for: Any, url: str, port: int, starts_tls: bool, is_tls: bool
) -> None:
    settings = settings_for(**{**SERVER, "EMAIL_URL": url})
    assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"]) == ("mail.example", port)
    assert (settings["EMAIL_HOST_USER"], settings["EMAIL_HOST_PASSWORD"]) == ("alice", "p@ss")
    assert (settings["EMAIL_USE_TLS"], settings["EMAIL_USE_SSL"]) == (starts_tls, is_tls)
    assert settings["EMAIL_FILE_PATH"] is None
    assert settings["DEFAULT_FROM_EMAIL"] == "Online Catan <catan@catan.example>"


def test_on_ones_own_machine_mail_is_written_into_a_folder(settings_for: Any, tmp_path: Path) -> None:
    settings = settings_for()
    assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.filebased.EmailBackend"
    assert settings["EMAIL_FILE_PATH"] == str(tmp_path / "mail")


def test_a_real_server_writes_no_mail_into_a_folder(settings_for: Any) -> None:
    with pytest.raises(SettingsError, match="EMAIL_URL names a folder"):
        settings_for(**{**SERVER, "EMAIL_URL": "file:///var/lib/catan/mail"})


def test_the_key_for_push_is_made_once_and_for_its_owners_eyes(settings_for: Any, tmp_path: Path) -> None:
    first = settings_for()["VAPID_PRIVATE_KEY"]
    assert len(first) == 43
    assert settings_for()["VAPID_PRIVATE_KEY"] == first
    assert stat.S_IMODE((tmp_path / "push-key").stat().st_mode) == 0o600


def test_a_server_without_a_key_offers_no_push(settings_for: Any) -> None:
    assert settings_for(**SERVER)["VAPID_PRIVATE_KEY"] == ""


@pytest.mark.slow
def test_what_the_command_prints_is_what_a_server_takes(settings_for: Any, tmp_path: Path) -> None:
    made = run(sys.executable, "manage.py", "make_push_keys", DATA_DIR=str(tmp_path)).stdout
    printed = dict(line.split("=", 1) for line in made.splitlines() if not line.startswith("#"))
    assert set(printed) == {"VAPID_PRIVATE_KEY", "VAPID_CONTACT"}
    settings = settings_for(**SERVER, **printed)
    assert (settings["VAPID_PRIVATE_KEY"], settings["VAPID_CONTACT"]) == tuple(printed.values())
    assert printed["VAPID_PRIVATE_KEY"] != (tmp_path / "push-key").read_text(), "a new one, not this machine's"


def test_a_server_with_a_key_for_push_must_say_who_answers_for_it(settings_for: Any, tmp_path: Path) -> None:
    key = settings_for()["VAPID_PRIVATE_KEY"]
    with pytest.raises(SettingsError, match="VAPID_CONTACT is missing"):
        settings_for(**SERVER, VAPID_PRIVATE_KEY=key)


def test_a_key_for_push_is_never_repeated(settings_for: Any) -> None:
    with pytest.raises(SettingsError) as refusal:
        settings_for(VAPID_PRIVATE_KEY="hush")
    assert "hush" not in str(refusal.value)


def test_networks_of_ones_own_are_read_in_either_notation(settings_for: Any) -> None:
    assert settings_for()["OWN_NETWORKS"] == []
    networks = settings_for(**SERVER, OWN_NETWORKS="198.51.100.0/24, 2001:db8:64::/96,203.0.113.7")["OWN_NETWORKS"]
    assert [str(network) for network in networks] == ["198.51.100.0/24", "2001:db8:64::/96", "203.0.113.7/32"]


def test_a_server_sends_nothing_to_itself(settings_for: Any) -> None:
    assert settings_for(NOTICES_TO_LOOPBACK="1")["NOTICES_TO_LOOPBACK"]
    assert not settings_for(**SERVER)["NOTICES_TO_LOOPBACK"]
    with pytest.raises(SettingsError, match="NOTICES_TO_LOOPBACK"):
        settings_for(**SERVER, NOTICES_TO_LOOPBACK="1")
