"""Whether the site is well: for the machines that watch it, and for its staff."""

import sys
import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.defaults import server_error

from catan_site import away, busy, health, tasks
from games.rules.refusals import Malformed
from games.web import PROBLEM, problem


def misunderstood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Whatever Django itself cannot make sense of, a name that is not this site's, say. The page is drawn without the
    request: it would ask that for its name."""
    if request.path.startswith("/api/"):
        sentence = "This request makes no sense here: check its address and its headers."
        return JsonResponse(problem(400, Malformed.code, sentence), status=400, content_type=PROBLEM)
    return HttpResponseBadRequest(render_to_string("400.html"))


def failed(request: HttpRequest) -> HttpResponse:
    """Wherever something went wrong: in a view, in middleware, or on a page about something else that went wrong."""
    return busy.answer(request.path) if away.part(sys.exc_info()[1]) else server_error(request)


@never_cache
@require_GET
def healthz(request: HttpRequest) -> JsonResponse:
    """Alive: this process answers, whatever the parts around it do."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_GET
def readyz(request: HttpRequest) -> JsonResponse:
    """Ready: every part this process needs answers too."""
    parts = health.check_parts()
    ready = all(part.ok for part in parts)
    body = {"status": "ok" if ready else "failed"} | {part.name: "ok" if part.ok else "failed" for part in parts}
    return JsonResponse(body, status=200 if ready else 503)


@never_cache
@login_required
@require_GET
def status(request: HttpRequest) -> HttpResponse:
    _refuse_all_but_staff(request)
    context = {"parts": health.check_parts(), "heartbeat_age": tasks.heartbeat_age()}
    return render(request, "site/status.html", context)


@login_required
@require_POST
def start_round_trip(request: HttpRequest) -> HttpResponse:
    """Queues the task whose answer comes back through the browser's own socket."""
    _refuse_all_but_staff(request)
    line = request.POST.get("line", "")
    if not line:
        messages.warning(
            request,
            "Nothing was sent: this page has no live connection, so no answer could come back. "
            "Allow scripts for this site, then reload the page.",
        )
        return redirect("status")
    try:
        tasks.answer_round_trip.delay(str(uuid.UUID(line)))
    except ValueError:
        return JsonResponse({"error": "This is not a line the page was given. Reload the page."}, status=400)
    return JsonResponse({"queued": True}, status=202)


def _refuse_all_but_staff(request: HttpRequest) -> None:
    if not request.user.is_staff:
        raise PermissionDenied
