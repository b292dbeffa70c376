"""What Prometheus reads."""

from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from moderation import figures
from moderation import metrics as written

SCHEME: Final = "bearer"


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For whoever knows the token; for everybody else there is no such page."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(written.text(figures.collect(timezone.now())), content_type=written.CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    # Without a token of ours there is none that fits, an empty one neither.
    knows = constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    return bool(settings.METRICS_TOKEN) and scheme.lower() == SCHEME and knows
