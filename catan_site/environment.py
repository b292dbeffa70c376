"""Reads the settings from the environment; nonsense there ends the program with one line."""

import base64
import binascii
import os
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}


class SettingsError(SystemExit):
    """A setting that cannot be used.

    Settings are read by manage.py, by the web server and by Celery. Leaving the interpreter is what each of
    them should do, and Python prints this exception as its one line, without a traceback.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"Settings: {what}")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def required(name: str, purpose: str) -> str:
    value = text(name)
    if not value:
        raise SettingsError(f"{name} is missing. Outside debug it must be set: {purpose}.")
    return value


def flag(name: str) -> bool | None:
    """True, False, or None when nothing was said."""
    value = text(name).lower()
    if value in TRUE_WORDS:
        return True
    if value in FALSE_WORDS:
        return False
    if value:
        raise SettingsError(f"{name}={value} is not understood. Use 1 or 0.")
    return None


def number(name: str, default: int, least: int, most: int) -> int:
    value = text(name, str(default))
    if not value.isdecimal() or not least <= int(value) <= most:
        raise SettingsError(f"{name}={value} is not understood. It must be a whole number from {least} to {most}.")
    return int(value)


def one_of(name: str, default: str, choices: Iterable[str]) -> str:
    value = text(name, default).upper()
    if value not in choices:
        raise SettingsError(f"{name}={value} is not understood. It must be one of {', '.join(choices)}.")
    return value


def names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def strong_secret(value: str) -> str:
    """A secret key that nobody guesses: what Django's own check (security.W009) warns of is refused."""
    if len(value) < 50 or len(set(value)) < 5 or value.startswith("django-insecure-"):
        raise SettingsError(
            "SECRET_KEY can be guessed. It must be a random text of 50 characters or more, such as "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))' prints."
        )
    return value


def token(name: str) -> str:
    """What a program says to be let in, or nothing: nobody is."""
    value = text(name)
    if value and not re.fullmatch(r"[!-~]{32,200}", value):
        raise SettingsError(
            f"{name} cannot be used. It must be a random text of 32 to 200 letters, digits and marks, such as "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))' prints."
        )
    return value


def own_hosts(value: str) -> list[str]:
    """The names a site answers to; none that stands for everybody's: links are made with the name a visitor sends."""
    found = names(value)
    if not all(re.fullmatch(r"[\w-]+(\.[\w-]+)*|(\.[\w-]+){2,}|\[[\da-f:]+\]", host) for host in found):
        raise SettingsError(
            f"ALLOWED_HOSTS={value} is not understood. It must list the site's own names, such as catan.example "
            "or .catan.example for all that end so, with commas between them."
        )
    return found


def origins(value: str) -> list[str]:
    found = names(value)
    if not all(re.fullmatch(r"https?://([\w.*-]+|\[[\da-f:]+\])(:\d+)?", origin) for origin in found):
        raise SettingsError(
            f"CSRF_TRUSTED_ORIGINS={value} is not understood. "
            "It must list origins such as https://catan.example, with commas between them."
        )
    return found


def make_data_folder(folder: Path) -> None:
    """Where a site on one's own machine keeps everything, out of the sight of the machine's other accounts."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"DATA_DIR={folder} cannot be used: {error.strerror}.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SettingsError(f"DATA_DIR={folder} cannot be used: this account may not write there.")


@dataclass(frozen=True, slots=True)
class Mail:
    """How mail leaves the site: by a server, or into a folder."""

    folder: str | None = None
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starts_tls: bool = False
    is_tls: bool = False


def mail(folder: Path, *, may_be_folder: bool) -> Mail:
    """What EMAIL_URL says. Without one, mails are written into a folder, which nobody reads on a real server."""
    value = text("EMAIL_URL")
    if not value:
        return Mail(folder=str(folder))
    url = _split("EMAIL_URL", value, example="smtp+tls://user:password@mail.example:587", usable=_names_a_mail_server)
    if url.scheme == "file":
        if not may_be_folder:
            raise SettingsError("EMAIL_URL names a folder. Outside one's own machine it must name a mail server.")
        return Mail(folder=unquote(url.path))
    return Mail(
        host=url.hostname or "",
        port=url.port or {"smtps": 465, "smtp+tls": 587}.get(url.scheme, 25),
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        starts_tls=url.scheme == "smtp+tls",
        is_tls=url.scheme == "smtps",
    )


def _names_a_mail_server(url: SplitResult) -> bool:
    if url.scheme == "file":
        return not url.hostname and len(url.path) > 1
    return url.scheme in {"smtp", "smtp+tls", "smtps"} and bool(url.hostname)


def sender(default: str) -> str:
    """From whom mails come: an address, with a name before it or without."""
    value = text("EMAIL_FROM", default)
    if not re.fullmatch(r"[^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+", value):
        raise SettingsError(
            f"EMAIL_FROM={value} is not understood. It must look like Online Catan <catan@catan.example>."
        )
    return value


def site_url(origins: list[str], default: str = "") -> str:
    """Where the site is, for links in mails. If nothing is said, it is the first of its origins."""
    value = text("SITE_URL") or next((origin for origin in origins if "*" not in origin), default)
    if not value:
        raise SettingsError(
            "SITE_URL is missing. Links in mails need the site's address, such as https://catan.example."
        )
    if not re.fullmatch(r"https?://([\w.-]+|\[[\da-f:]+\])(:\d+)?", value):
        raise SettingsError(f"SITE_URL={value} is not understood. It must look like https://catan.example.")
    return value


def redis_url() -> str:
    """The Redis of the full stack; empty for the embedded one."""
    url = text("REDIS_URL")
    if url:
        _split("REDIS_URL", url, example="redis://127.0.0.1:6379/0", usable=_names_a_redis)
    return url


def database(data_dir: Path, connections: int) -> dict[str, Any]:
    """The one database, as Django wants it told, with so many connections for a process at most."""
    url = _split(
        "DATABASE_URL",
        text("DATABASE_URL", f"sqlite:///{quote(str(data_dir / 'catan.sqlite3'))}"),
        example="postgresql://user:password@127.0.0.1:5432/catan or sqlite:////var/lib/catan/catan.sqlite3",
        usable=_names_a_database,
    )
    return _sqlite(url) if url.scheme == "sqlite" else _postgresql(url, connections)


def _split(name: str, value: str, example: str, usable: Callable[[SplitResult], bool]) -> SplitResult:
    """Takes a URL apart. A refusal never repeats the URL: it may hold a password."""
    refusal = SettingsError(f"{name} is not understood. It must look like {example}.")
    try:
        url = urlsplit(value)
        _ = url.port  # looked at only when asked for, and nonsense is refused then
    except ValueError:
        raise refusal from None
    if not usable(url):
        raise refusal
    return url


def _names_a_redis(url: SplitResult) -> bool:
    return (url.scheme in {"redis", "rediss"} and bool(url.hostname)) or (url.scheme == "unix" and bool(url.path))


def _names_a_database(url: SplitResult) -> bool:
    return url.scheme in {"postgres", "postgresql", "sqlite"} and len(url.path) > 1


def _sqlite(url: SplitResult) -> dict[str, Any]:
    # sqlite:///file is relative and sqlite:////file absolute, as everywhere else.
    file = Path(unquote(url.path[1:])).absolute()
    if not file.parent.is_dir():
        raise SettingsError(f"DATABASE_URL names a file in {file.parent}, and there is no such folder. Make it first.")
    _keep_private(file)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "OPTIONS": {
            # A reader that turns writer fails at once under SQLite's default (DEFERRED), however long the
            # timeout: taking the write lock when the transaction begins makes writers queue instead.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # Readers go on while one writes. `synchronous` stays FULL, so that a move that was
            # acknowledged is on the disk even when the power fails.
            "init_command": "PRAGMA journal_mode=WAL",
        },
        # A file, since threads cannot share SQLite's memory without other locks than the real ones,
        # and one for each process, since several people may run the tests in one working copy.
        "TEST": {"NAME": file.with_name(f"test-{os.getpid()}.sqlite3")},
    }


def _keep_private(file: Path) -> None:
    """Make the file before SQLite does, which would let every account read everybody's cards.

    What SQLite puts beside the file, it makes with the file's own rights.
    """
    try:
        file.touch(mode=0o600)
        for kept in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
            # A file that belongs to another account is that account's to hide.
            if kept.exists() and kept.stat().st_uid == os.geteuid():
                kept.chmod(0o600)
    except OSError as error:
        raise SettingsError(f"The database {file} cannot be used: {error.strerror}.") from None


def _postgresql(url: SplitResult, connections: int) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path[1:]),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname or "",
        "PORT": url.port or "",
        # The pool keeps connections, so that threads which have nothing to do hold none.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "connect_timeout": 3,
            **dict(parse_qsl(url.query)),
            "pool": {
                "min_size": 1,
                "max_size": number("DATABASE_POOL", default=connections, least=1, most=100),
                # Seconds. Longer than a connection takes to be made, and short enough that whoever waits for a
                # database that is away is told so.
                "timeout": 2,
                # After so long, trying begins anew, at its quickest: pauses between tries would double and double.
                "reconnect_timeout": 1,
            },
        },
    }


def new_secret() -> str:
    return secrets.token_urlsafe(50)


#: So many keys there are on the curve P-256.
_KEYS: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def new_push_key() -> str:
    """With which the site signs what it asks browsers' push services to deliver."""
    key = 1 + secrets.randbelow(_KEYS - 1)
    return base64.urlsafe_b64encode(key.to_bytes(32, "big")).rstrip(b"=").decode()


def push_key(value: str) -> str:
    """A key that `manage.py make_push_keys` has made. A refusal never repeats it."""
    with suppress(ValueError, binascii.Error):
        if re.fullmatch(r"[\w-]{43}", value, re.ASCII):
            key = int.from_bytes(base64.urlsafe_b64decode(value + "="), "big")
            if 0 < key < _KEYS:
                return value
    raise SettingsError("VAPID_PRIVATE_KEY is not understood. It must be a key that manage.py make_push_keys has made.")


def push_contact(default: str) -> str:
    """Whom a push service turns to when something is wrong with what the site sends."""
    value = text("VAPID_CONTACT", default)
    if value != default and not re.fullmatch(r"(mailto:[^@\s<>,]+@|https://)[\w-]+(\.[\w-]+)+", value):
        raise SettingsError(
            f"VAPID_CONTACT={value} is not understood. It must look like mailto:you@catan.example "
            "or https://catan.example."
        )
    return value


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Networks in the usual notation. One whose address has bits beyond its mask is a slip of the pen."""
    try:
        return [ip_network(network) for network in names(text(name))]
    except ValueError:
        raise SettingsError(
            f"{name}={text(name)} is not understood. It must list networks such as 198.51.100.0/24 or "
            "2001:db8:64::/96, with commas between them."
        ) from None


def kept_secret(file: Path, make: Callable[[], str]) -> str:
    """A secret of a site on one's own machine: made once, so that a restart signs nobody out, and loses no browser."""
    if not file.exists():
        new = file.with_name(f"{file.name}-{os.getpid()}")
        new.touch(mode=0o600)
        new.write_text(make())
        # Linked when it is whole: of several processes that start at once, the first one's key is kept by all.
        with suppress(FileExistsError):
            os.link(new, file)
        new.unlink()
    return file.read_text()
