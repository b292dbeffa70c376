"""People: guests, accounts and staff. What concerns the place is shown; passwords, addresses and keys are to nobody."""

from datetime import datetime
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from games.models import Seat
from lobby import restrictions
from lobby.models import User
from moderation import audit, people
from moderation.admin.base import ShownAlone, carry_out, staff_of
from moderation.admin.filters import Choice
from moderation.models import LONGEST_TEXT, Case, Decision

# Allauth and axes show these to whoever may see everything: keys, sessions, addresses.
admin.site.unregister((Authenticator, UserSession, EmailAddress, AccessAttempt, AccessLog, AccessFailureLog, Group))

POSTS = {people.MODERATOR: "a moderator", people.ADMINISTRATOR: "an administrator"}

#: Games of somebody that their page leads to.
LATEST_GAMES = 20


@admin.register(Group)
class GroupPage(ShownAlone):
    """Who may what is written in the migrations, so that it is the same on every site."""

    fields = readonly_fields = ("name", "may")
    ordering = ("name",)

    @admin.display(description="may")
    def may(self, group: Group) -> str:
        return "; ".join(group.permissions.values_list("name", flat=True))


class KindFilter(Choice):
    title, parameter_name = "kind", "kind"
    options: ClassVar = {
        "accounts": "Accounts",
        "bots": "Bot accounts",
        "guests": "Guests",
        "staff": "Staff",
        "closed": "Closed accounts",
    }

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return {
            "accounts": Q(is_guest=False),
            "bots": Q(is_bot=True),
            "guests": Q(is_guest=True),
            "staff": Q(is_staff=True),
            "closed": Q(is_active=False),
        }[chosen]


class RestrictedFilter(Choice):
    title, parameter_name = "muted or banned", "closed"
    options: ClassVar = {"muted": "Muted now", "banned": "Banned now"}

    def wanted(self, chosen: str, staff: User, now: datetime) -> Q:
        return {"muted": Q(muted_until__gt=now), "banned": Q(banned_until__gt=now)}[chosen]


class AppointForm(forms.Form):
    groups = forms.MultipleChoiceField(
        choices=[(name, name) for name in sorted(POSTS)],
        required=False,
        label="They work as",
        widget=forms.CheckboxSelectMultiple,
    )
    why = forms.CharField(max_length=LONGEST_TEXT, label="Why")


@admin.register(User)
class PersonAdmin(ShownAlone):
    list_display = ("known_as", "kind", "joined", "muted", "banned")
    list_filter = (KindFilter, RestrictedFilter)
    search_fields = ("called",)
    search_help_text = "A name"
    ordering = ("-date_joined", "-pk")
    show_full_result_count = False
    change_form_template = "moderation/person.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """By what others call them. The name that staff sign in with, and do not show, is looked for by nobody."""
        found: QuerySet[User] = super().get_queryset(request)
        return found.annotate(called=Coalesce(NullIf("name", Value("")), "username"))

    @admin.display(description="name", ordering="called")
    def known_as(self, person: User) -> str:
        return person.shown_name

    @admin.display(description="kind", ordering="is_staff")
    def kind(self, person: User) -> str:
        if not person.is_active:
            return "closed account"
        if person.is_bot:
            return "bot account"
        return "guest" if person.is_guest else "staff" if person.is_staff else "account"

    @admin.display(description="here since", ordering="date_joined")
    def joined(self, person: User) -> datetime:
        return person.date_joined

    @admin.display(description="muted", ordering="muted_until")
    def muted(self, person: User) -> str:
        return _closed(person.muted_until)

    @admin.display(description="banned", ordering="banned_until")
    def banned(self, person: User) -> str:
        return _closed(person.banned_until)

    def get_urls(self) -> list[URLPattern]:
        appoint = path("<int:person_id>/appoint/", self.admin_site.admin_view(self.appoint), name="lobby_user_appoint")
        return [appoint, *super().get_urls()]

    def get_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[()]:
        """The template shows what there is to see; Django's form would show every column."""
        return ()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        person = self.get_object(request, object_id)
        if person is None or not self.has_view_permission(request, person):
            # Django says so, in its own words.
            return super().change_view(request, object_id, form_url, extra_context)
        staff = staff_of(request)
        audit.record(staff, audit.Act.LOOKED_AT_PERSON, now=timezone.now(), person=person)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **_told(staff, person)})

    @method_decorator(require_POST)
    def appoint(self, request: HttpRequest, person_id: int) -> HttpResponse:
        if not request.user.has_perm("lobby.change_user"):
            raise PermissionDenied
        person = get_object_or_404(User, pk=person_id)
        form = AppointForm(request.POST)

        def act() -> str:
            said = form.cleaned_data
            groups = Group.objects.filter(name__in=said["groups"])
            people.appoint(staff_of(request), person, groups, why=said["why"], now=timezone.now())
            return f"Done: {person.shown_name} is now {_post(person)}."

        if form.is_valid():
            carry_out(request, act, "appoint", person=person)
        else:
            self.message_user(request, "Say why: the audit log keeps it.", "warning")
        return redirect("admin:lobby_user_change", person.pk)


def _closed(until: datetime | None) -> str:
    return restrictions.in_words(until) if until is not None and until > timezone.now() else ""


def _post(person: User) -> str:
    """What they are here, in words."""
    if person.is_superuser:
        return "a superuser"
    posts = [POSTS[name] for name in person.groups.order_by("name").values_list("name", flat=True) if name in POSTS]
    return " and ".join(posts) or ("staff without a role" if person.is_staff else "not a member of the staff")


def _told(staff: User, person: User) -> dict[str, Any]:
    """All that a moderator is told of somebody."""
    now = timezone.now()
    seats = Seat.objects.filter(user=person).select_related("game").order_by(F("game__started_at").desc())
    return {
        "title": person.shown_name,
        "subtitle": None,
        "person": person,
        "post": _post(person),
        "muted": restrictions.is_muted(person, now) and restrictions.in_words(person.muted_until or now),
        "banned": restrictions.is_banned(person, now) and restrictions.in_words(person.banned_until or now),
        "is_oneself": person == staff,
        "decisions": Decision.objects.filter(person=person).select_related("by", "appeal").order_by("-at", "-pk"),
        "cases": Case.objects.filter(person=person).order_by("-opened_at", "-pk"),
        "seats": seats[:LATEST_GAMES],
        "appoint_form": _appoint_form(staff, person),
    }


def _appoint_form(staff: User, person: User) -> AppointForm | None:
    cannot_be_staff = person.is_guest or person.is_bot or person.is_superuser
    if not staff.has_perm("lobby.change_user") or cannot_be_staff or person.pk == staff.pk:
        return None
    return AppointForm(initial={"groups": list(person.groups.values_list("name", flat=True))})
