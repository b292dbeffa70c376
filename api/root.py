"""The way in: what there is, and who one is."""

from typing import Any, Final

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from api.base import Endpoint
from api.schema import root as documented
from games.web import PROBLEM, problem
from lobby import waiting
from lobby.rating_models import Kind

#: By what they lead to, the name of their addresses.
WAYS: Final = {"me": "me", "tables": "table", "find": "find", "play_now": "play-now", "games": "game"}


@documented.root
class Root(Endpoint):
    def list(self, request: Request) -> Response:
        """Where to begin."""
        ways = {name: reverse(f"{what}-list", request=request) for name, what in WAYS.items()}
        ladders = {kind: reverse("leaderboard-detail", [kind], request=request) for kind in Kind.values}
        return Response({**ways, "leaderboards": ladders, "schema": reverse("schema", request=request)})


@documented.me
class Me(Endpoint):
    def list(self, request: Request) -> Response:
        """Who you are to this site, and whether a game waits for you."""
        person = self.person
        return Response(
            {
                "code": person.code if person.pk and not person.is_guest else None,
                "name": person.shown_name if person.pk else None,
                "is_guest": person.is_guest,
                "is_bot_account": person.is_bot,
                "waiting": waiting.count(person),
            }
        )


@csrf_exempt
def page_of_yesterday(request: HttpRequest) -> JsonResponse:
    """Where pages ask that were opened before the API had a version. Their scripts show people its `sentence`."""
    sentence = "The site has been updated. Reload the page to go on."
    told = problem(410, "outdated", sentence) | {"sentence": sentence}
    return JsonResponse(told, status=410, content_type=PROBLEM)


class NothingHere(APIView):
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
