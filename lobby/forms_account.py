"""What people send about their accounts: allauth's forms, in our words."""

from typing import Any, Final

from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.mfa.base import forms as codes
from allauth.mfa.totp import forms as totp
from django import forms
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from lobby.forms import NameField
from lobby.models import User

LONGEST_ADDRESS: Final = 254
USED_FOR: Final = (
    "For when you forget your password, and to tell you when a game over days waits for you. You choose what we send."
)
STRONG_ENOUGH: Final = "Ten characters or more, not just digits, and not one that’s easy to guess."
WRONG: Final = "There is no account with that name or confirmed address and that password."
CODE_HELP: Final = "The six digits that your app shows now, or one of your recovery codes."


class SignUpForm(account.SignupForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = NameField(
            help_text="What others see at the table, and what you sign in with.",
            error_messages={"required": "Others need something to call you: please type a name."},
        )
        _write(
            self,
            username="Name",
            email="E-mail address (optional)",
            password1="Password",
            password2="Password again",
        )
        self.fields["email"].help_text = USED_FOR
        self.fields["password1"].help_text = STRONG_ENOUGH

    def clean_username(self) -> str:
        """Names are for those who play: the field itself knows what they are like."""
        name: str = self.cleaned_data["username"]
        return name

    @transaction.atomic
    def save(self, request: HttpRequest) -> User:
        user: User = super().save(request)
        return user


class SignInForm(account.LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = forms.CharField(max_length=LONGEST_ADDRESS, widget=forms.TextInput({"autocomplete": "username"}))
        del self.fields["login"]
        self.fields["username"] = field
        self.order_fields(["username", "password"])
        _write(self, username="Name or e-mail address", password="Password")  # noqa: S106

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        if self.errors:
            return said
        user = get_adapter().authenticate(self.request, **said)
        if user is None:
            raise forms.ValidationError(WRONG)
        self.user = user
        return said

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        answer: HttpResponse = perform_password_login(
            request, self.cleaned_data, Login(user=self.user, redirect_url=redirect_url)
        )
        return answer


class AddressForm(account.AddEmailForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, email="E-mail address")


class ForgottenPasswordForm(account.ResetPasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, email="E-mail address of your account")


class ChangePasswordForm(account.ChangePasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, oldpassword="Current password", password1="New password", password2="New password again")
        self.fields["password1"].help_text = STRONG_ENOUGH


class NewPasswordForm(account.ResetPasswordKeyForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, password1="New password", password2="New password again")
        self.fields["password1"].help_text = STRONG_ENOUGH


class PasswordAgainForm(account.ReauthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, password="Password")  # noqa: S106


class CodeForm(codes.AuthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, code="Code")
        self.fields["code"].help_text = CODE_HELP


class CodeAgainForm(codes.ReauthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, code="Code")
        self.fields["code"].help_text = CODE_HELP


class FirstCodeForm(totp.ActivateTOTPForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _write(self, code="The code that your app shows now")


def _write(form: forms.Form, **labels: str) -> None:
    """Labels of ours, and no placeholders that repeat them. What is longer than any address is none."""
    for name, label in labels.items():
        field = form.fields[name]
        field.label, field.help_text = label, field.help_text if isinstance(field, NameField) else ""
        field.widget.attrs.pop("placeholder", None)
        if isinstance(field, forms.EmailField):
            field.validators.append(MaxLengthValidator(LONGEST_ADDRESS))
