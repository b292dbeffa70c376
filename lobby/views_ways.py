"""Devices and a webhook, by which somebody is told, over HTTP: each has a page, and a panel for other pages."""

import json
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from games.rules import Forbidden, Malformed, Refusal
from games.rules.numbers import whole_number
from games.web import MOST_DIGITS, headers_of, status_of
from lobby import limits
from lobby.forms_ways import WebhookForm
from lobby.models import PushSubscription, User, Webhook
from lobby.notice_models import Way
from lobby.notices import push, ways
from lobby.signing_in import for_accounts
from lobby.tasks import ask_for_test
from lobby.templatetags.browsers import browser_in_words

# Devices


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables()
def devices(request: HttpRequest) -> HttpResponseBase:
    """The page; what a browser says when its owner agrees to be told is sent here as JSON."""
    if request.method == "POST":
        return _add_device(request)
    return for_accounts(_draw_devices)(request)


def _draw_devices(request: HttpRequest) -> HttpResponse:
    return render(request, "account/push.html")


def _add_device(request: HttpRequest) -> HttpResponse:
    try:
        name = browser_in_words(request.headers.get("User-Agent", ""))
        ways.add_device(_signed_in(request), _json(request), name, request.session, now=timezone.now())
    except Refusal as refusal:
        return _refused(refusal)
    messages.success(request, "You’ll get notifications on this device from now on.")
    return JsonResponse({}, status=201)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables()
def renewal(request: HttpRequest) -> HttpResponse:
    """For a browser that is given another address, whether a page of ours is open or not: its service worker asks for
    what a page would have told it, and then says what the new address is."""
    try:
        person = _signed_in(request)
        if request.method != "POST":
            ways.require_push(person)
            return JsonResponse({"key": push.public_key(), "token": get_token(request)})
        ways.renew_device(person, _json(request), request.session, now=timezone.now())
    except Refusal as refusal:
        return _refused(refusal)
    return JsonResponse({}, status=201)


def _signed_in(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Forbidden("You are signed out: please sign in, then try again.")
    return request.user


def _refused(refusal: Refusal) -> HttpResponse:
    body = {"code": refusal.code, "sentence": refusal.sentence}
    return JsonResponse(body, status=status_of(refusal), headers=headers_of(refusal))


def _json(request: HttpRequest) -> object:
    try:
        return json.loads(request.body)
    except (ValueError, RecursionError):
        raise Malformed("This is not JSON.") from None


@never_cache
@for_accounts
@require_POST
def remove_device(request: HttpRequest) -> HttpResponse:
    if ways.remove_device(_person(request), whole_number(request.POST.get("device", ""), digits=MOST_DIGITS)):
        messages.success(request, "That device won’t get notifications any more.")
    return _back(request, "push")


@never_cache
@for_accounts
@require_POST
def test_devices(request: HttpRequest) -> HttpResponse:
    return _test(request, "push", Way.PUSH, PushSubscription.objects.filter(person=_person(request)).exists())


# The webhook


@never_cache
@for_accounts
@sensitive_post_parameters("url")
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables()
def webhook(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _draw_webhook(request, WebhookForm())
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _draw_webhook(request, form, status=HTTPStatus.BAD_REQUEST)
    try:
        ways.keep_webhook(_person(request), form.cleaned_data["url"], form.cleaned_data["form"], now=timezone.now())
    except Refusal as refusal:
        form.add_error("url", refusal.sentence)
        return _draw_webhook(request, form, status=status_of(refusal))
    messages.success(request, "Webhook saved. Send a test to check that it works.")
    return _back(request, "webhook")


def _draw_webhook(request: HttpRequest, form: WebhookForm, status: int = HTTPStatus.OK) -> HttpResponse:
    return render(request, "account/webhook.html", {"webhook_form": form}, status=status)


@never_cache
@for_accounts
@require_POST
def remove_webhook(request: HttpRequest) -> HttpResponse:
    ways.remove_webhook(_person(request))
    messages.success(request, "The webhook has been removed.")
    return _back(request, "webhook")


@never_cache
@for_accounts
@require_POST
def test_webhook(request: HttpRequest) -> HttpResponse:
    return _test(request, "webhook", Way.WEBHOOK, Webhook.objects.filter(person=_person(request)).exists())


def _test(request: HttpRequest, page: str, way: Way, is_open: bool) -> HttpResponse:
    """A worker sends it: a host that never answers must not hold up whoever else asks for a page."""
    if not is_open:
        return _back(request, page)
    person = _person(request)
    try:
        limits.count_way(person, timezone.now())
        ways.begin_test(person)
    except Refusal as refusal:
        messages.error(request, refusal.sentence)
        return _back(request, page)
    ask_for_test(person.pk, way, request.build_absolute_uri(reverse("front")))
    messages.success(request, "A test is on its way.")
    return _back(request, page)


def _back(request: HttpRequest, page: str) -> HttpResponse:
    """To the page that the panel was on."""
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return redirect(wanted if is_ours else resolve_url(page))


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
