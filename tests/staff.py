"""Those who keep the place fair, with all that the admin asks of them."""

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group
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
    give_second_factor(person)
    return person


def browser_of(person: User) -> Client:
    browser = Client()
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return browser
