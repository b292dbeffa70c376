"""What allauth asks of the site: who signs up, who a guest becomes, and what is said along the way."""

import secrets
from collections.abc import Callable
from functools import wraps
from smtplib import SMTPException
from typing import Any, ClassVar

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from qrcode import QRCode
from qrcode.image.svg import SvgPathImage

from lobby import guests, hearing, moving
from lobby.models import RecoveryLink, User
from lobby.notices import ways

log = structlog.get_logger(__name__)

View = Callable[..., HttpResponseBase]


class SignedUpAlready(Exception):
    """A guest who has become an account meanwhile, in another tab."""


def shown_name(user: User) -> str:
    return user.shown_name


# Whom a page is for


def for_visitors(view: View) -> View:
    """A page for those without an account. To allauth a guest is signed in; here they are not yet."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.is_guest:
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        return view(request, *args, **kwargs)

    return answer


def for_accounts(view: View) -> View:
    """A page for those with an account. Guests are told how to have one."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("account")
        return login_required(view)(request, *args, **kwargs)

    return answer


def guest_of(request: HttpRequest) -> User | None:
    return getattr(request, "guest", None)


# What allauth asks


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": "This is already your address.",
        "enter_current_password": "That isn’t your password: please type your current one.",
        "incorrect_password": "That isn’t your password.",
        "invalid_password_reset": "This link has expired or has already been used.",
        "too_many_login_attempts": "Too many wrong codes: please wait five minutes, then try again.",
        "rate_limited": "Too many tries: please wait a few minutes.",
    }

    def new_user(self, request: HttpRequest) -> User:
        """A guest keeps their row, and so everything that is theirs."""
        guest = guest_of(request)
        if guest is None:
            return User()
        row = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, is_active=True).first()
        if row is None:
            raise SignedUpAlready
        return row

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """The name is what others see. People sign in with it too; the one that Django wants is nobody's business."""
        said = form.cleaned_data
        user.name, user.email = said["username"], said["email"]
        user.username, user.is_guest = f"player-{secrets.token_hex(12)}", False
        user.set_password(said["password1"])
        user.save()
        RecoveryLink.objects.filter(guest=user).delete()
        return user

    def clean_password(self, password: str, user: User | None = None) -> str:
        if user is not None and not user.pk:
            # Somebody who signs up: what they typed is the name.
            user.name, user.username = user.username, ""
        clean: str = super().clean_password(password, user)
        return clean

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Axes and lobby/limits.py count guesses."""

    def get_login_stages(self) -> list[str]:
        return ["allauth.account.stages.EmailVerificationStage", "allauth.mfa.stages.AuthenticateStage"]

    def login(self, request: HttpRequest, user: User) -> None:
        """The second factor was given too, where there is one: whatever the guest had comes along."""
        guest = guest_of(request)
        if guest is not None and guest.pk != user.pk:
            moving.move(guest, user, timezone.now())
            messages.success(request, "The games and tables you had as a guest now belong to your account.")
        super().login(request, user)

    def logout(self, request: HttpRequest) -> None:
        """Nor is this device told anything any more: others may use it.

        Sockets close once the session is gone: a page that came back before would be let in by it.
        """
        person = request.user
        if isinstance(person, User):
            ways.remove_device(person, ways.device_of(request.session))
        super().logout(request)
        if isinstance(person, User):
            hearing.recall(person.pk)

    def set_password(self, user: User, password: str) -> None:
        """Whoever knew the old one is signed out, and neither reads further nor is told anything on a device.

        A webhook is tied to no session: whether they set it, only the account's owner can tell.
        """
        # The rest of the row was read before, and may be another by now: hashing takes a while.
        user.set_password(password)
        user.save(update_fields=["password"])
        hearing.recall(user.pk)
        ways.remove_other_devices(user, ways.device_of(self.request.session))
        if webhook := ways.webhook_of(user):
            messages.warning(
                self.request,
                f"Your webhook, {webhook}, still gets messages. If it isn’t yours, remove it under Notices.",
            )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException) as error:
            log.error("mail_not_sent", error=type(error).__name__)
            messages.error(self.request, "The e-mail could not be sent: please try again later.")

    def get_client_ip(self, request: HttpRequest) -> str:
        return guests.address_of(request)

    def is_ajax(self, request: HttpRequest) -> bool:
        """Pages are for people."""
        return False


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": "This code is wrong or has already been used: please type the one your app shows now.",
        "cannot_generate_recovery_codes": "Recovery codes belong to a second factor: please set one up first.",
    }

    def get_totp_label(self, user: User) -> str:
        return user.shown_name

    def build_totp_svg(self, url: str) -> str:
        """A part of the page: the content security policy refuses pictures that are written into an address."""
        code = QRCode(border=2)
        code.add_data(url)
        picture: str = code.make_image(image_factory=SvgPathImage).to_string(encoding="unicode")
        return picture
