"""Notices as mails: for a confirmed address alone, as text and as HTML, and ended by one press."""

import re
import smtplib
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from email.utils import parseaddr
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import sanitize_address
from django.template.loader import render_to_string
from django.urls import reverse

from lobby.models import Delivery, User
from lobby.notices import links, words
from lobby.notices.message import Gone, TryLater, TurnedAway, Unheard
from lobby.notices.words import Item

LONGEST_SUBJECT: Final = 150
#: Seconds for the answer to a whole text: as long as the lease allows (lobby/notices/sending.py).
LAST_ANSWER: float = 50


def address_of(person: User) -> str | None:
    """Where mails go to; nobody gets any who has not confirmed that the address is theirs."""
    confirmed = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary")
    found: str | None = confirmed.values_list("email", flat=True).first()
    return found


def composed(person: User, address: str, key: object, items: list[Item]) -> EmailMultiAlternatives:
    """The same mail whenever it is tried again, by its Message-ID."""
    context = {
        "title": words.title(items),
        "name": person.shown_name,
        "items": [item | {"url": links.opening(person.pk, item["path"])} for item in items],
        "front": links.absolute(reverse("front")),
        "settings": links.absolute(reverse("account-notices")),
        "end": links.ending(person.pk),
    }
    mail = EmailMultiAlternatives(
        subject=_on_one_line(words.title(items)),
        body=render_to_string("notices/mail.txt", context),
        to=[address],
        headers={
            "Message-ID": f"<{key}@{_own_host()}>",
            # Gone from the mail itself: whoever presses it in their mail program sends a POST.
            "List-Unsubscribe": f"<{context['end']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            # No holiday answer is to come back to it.
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(render_to_string("notices/mail.html", context), "text/html")
    return mail


def _on_one_line(subject: str) -> str:
    """Names cannot break a header, nor turn the rest of the line around."""
    clean = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in subject)
    return re.sub(" +", " ", clean).strip()[:LONGEST_SUBJECT]


def _own_host() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def hand_over(delivery: Delivery, items: list[Item], about_to: Callable[[], None]) -> None:
    address = address_of(delivery.person)
    if address is None:
        raise Gone("There is no confirmed address any more.")
    mail = composed(delivery.person, address, delivery.key, items)
    connection = get_connection()
    if isinstance(connection, EmailBackend):
        _by_smtp(connection, mail, about_to)
    else:
        # Into a folder, on one's own machine.
        about_to()
        connection.send_messages([mail])


def _by_smtp(backend: EmailBackend, mail: EmailMultiAlternatives, about_to: Callable[[], None]) -> None:
    """In the steps of the protocol, since the last of them is the point of no return.

    Until the server has said that it takes the text (354), nothing has been handed over; once the text is with the
    system, it is, whatever becomes of us.
    """
    try:
        backend.open()
        server = backend.connection
        assert server is not None  # noqa: S101 - it was just opened
        try:
            _step_by_step(server, mail, about_to)
        except BaseException:
            # A polite word in the middle of a text would be a part of it.
            server.close()
            raise
        _say_goodbye(server)
    except (OSError, smtplib.SMTPException) as error:
        # Never what it says: servers repeat addresses.
        raise TryLater(f"The mail server is not there: {type(error).__name__}.") from error


def _step_by_step(server: smtplib.SMTP, mail: EmailMultiAlternatives, about_to: Callable[[], None]) -> None:
    server.ehlo_or_helo_if_needed()
    _from(*server.mail(_on_the_envelope(mail.from_email)))
    _to(*server.rcpt(_on_the_envelope(mail.to[0])))
    _expect(354, *server.docmd("data"))
    text = _as_sent(mail)
    about_to()
    server.send(text)
    _expect(250, *_last_answer(server))


def _say_goodbye(server: smtplib.SMTP) -> None:
    """It has the mail, whatever it says to this."""
    with suppress(OSError, smtplib.SMTPException):
        _wait_for(server, settings.EMAIL_TIMEOUT)
        server.quit()
    server.close()


def _wait_for(server: smtplib.SMTP, seconds: float) -> None:
    if server.sock is not None:
        server.sock.settimeout(seconds)


def _on_the_envelope(address: str) -> str:
    """As Django's own mails have it: a name of a domain has letters that servers know."""
    return parseaddr(sanitize_address(address, settings.DEFAULT_CHARSET))[1]


def _last_answer(server: smtplib.SMTP) -> tuple[int, bytes]:
    """Whoever has the whole text may take their time (RFC 5321, 4.5.3.2.6), and who hangs up sends it twice."""
    _wait_for(server, LAST_ANSWER)
    try:
        return server.getreply()
    except smtplib.SMTPServerDisconnected as error:
        if isinstance(error.__context__, TimeoutError):
            raise Unheard("The mail server has it, and did not say so.") from None
        raise


def _as_sent(mail: EmailMultiAlternatives) -> bytes:
    """With the line ends of mail, a dot before each that begins a line, and the dot that ends it (RFC 5321, 4.5.2)."""
    text = mail.message().as_bytes(linesep="\r\n")  # type: ignore[call-arg]
    return re.sub(rb"(?m)^\.", b"..", text.rstrip(b"\r\n")) + b"\r\n.\r\n"


def _from(code: int, said: bytes) -> None:
    """Whoever does not want mails of ours, wants none: that says nothing of this one."""
    if code != 250:
        raise TryLater(f"The mail server takes no mails from here now ({code}).")


def _to(code: int, said: bytes) -> None:
    """251 says that it goes on to another address. Who asks to wait, asks it for that address alone."""
    if 400 <= code < 500:
        raise TurnedAway(f"The mail server asks to wait with this address ({code}).")
    _expect(250, code, said)


def _expect(wanted: int, code: int, said: bytes) -> None:
    if code // 10 == wanted // 10:
        return
    if code // 100 == 5:
        raise Gone(f"The mail server refused it ({code}).")
    raise TryLater(f"The mail server asks to wait ({code}).")
