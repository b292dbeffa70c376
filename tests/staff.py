"""Those who keep the place fair, with all that the admin asks of them."""

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.test import Client

from lobby.models import User


def give_second_factor(person: User) -> str:
    """The secret that their app would have."""
    secret: str = generate_totp_secret()
    TOTP.activate(person, secret)
    return secret


def make_staff(person: User, group: str = "") -> User:
    """A moderator or an administrator; without a group, staff who may do nothing by that alone."""
    User.objects.filter(pk=person.pk).update(is_staff=True)
    person.refresh_from_db()
    if group:
        person.groups.add(Group.objects.get(name=group))
    if not Authenticator.objects.filter(user=person).exists():
        give_second_factor(person)
    return person


def browser_of(person: User) -> Client:
    """One in which they have given their second factor, if they have one."""
    browser = Client()
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    session = browser.session
    note_second_factor(session, person)
    session.save()
    return browser


def note_second_factor(session: SessionBase, person: User) -> None:
    """What a session keeps of a code that was given: somebody came in with more than a password."""
    request = HttpRequest()
    request.session = session
    record_authentication(request, person, "mfa", type="totp")
