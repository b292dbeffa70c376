"""Tables for programs: find one, open one, sit down, arrange it, start its game.

Everything that changes a table is the same service as behind the forms of its page, and is answered with the table as
it is then.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Endpoint, one_of_in, said, yes_or_no_in
from api.chats import ChatSerializer, LastSerializer, SaySerializer, read, say
from api.pagination import Newest, in_pages
from api.schema.parameters import AFTER_LINE, of
from api.table_serializers import (
    AddBotSerializer,
    BotsSerializer,
    ChairNumberSerializer,
    ColourSerializer,
    FindSerializer,
    InviteSerializer,
    JoinSerializer,
    LetBackSerializer,
    ListedTableSerializer,
    NewGameSerializer,
    NewTableSerializer,
    NothingSerializer,
    OptionsSerializer,
    ReadySerializer,
    StartSerializer,
    SwapSerializer,
    TableSerializer,
)
from games.paces import PACES
from games.page import COLOURS
from games.rules import PRESETS
from games.rules.refusals import Malformed
from lobby import arranging, blocks, meeting, rooms, selectors, services, watching
from lobby.forms import guest_name
from lobby.models import Chair, Table, User

#: As which a table without clocks is looked for.
NO_CLOCKS = "none"


def own_name(person: User, sent: Mapping[str, Any]) -> str:
    """What somebody is called at a table: guests say so, and keep it."""
    if person.is_guest:
        return guest_name(sent.get("name", person.name))
    if "name" in sent:
        raise Malformed("Only guests choose a name: an account goes by its own.", "name")
    return person.shown_name


class AtTables(Endpoint):
    """What is answered with a table."""

    def table(self, code: str) -> Table:
        """One that may be seen; ``Table.DoesNotExist`` also after the start, for those who may not watch."""
        found = selectors.visible_table(code, self.person)
        if found.game_id is not None and not watching.may_watch(found.game_id, self.person.pk):
            raise Table.DoesNotExist
        return found

    def as_it_is(self, code: str, status: int = 200) -> Response:
        context = {"person": self.person, "request": self.request}
        return Response(TableSerializer(self.table(code), context=context).data, status=status)


FILTERS = [
    OpenApiParameter("mine", bool, description="Only those where you have a chair; false: only others."),
    OpenApiParameter("rules", enum=list(PRESETS), description="By the rule book."),
    OpenApiParameter("pace", enum=[*PACES, NO_CLOCKS], description="By the pace; none: without clocks."),
    OpenApiParameter("rated", bool, description="Whether the result counts for the ratings."),
    OpenApiParameter("bots", bool, description="Whether bots may play."),
    OpenApiParameter("free", bool, description="Whether a chair is free."),
]


class Tables(AtTables):
    lookup_field = "code"
    lookup_value_converter: ClassVar[str] = "slug"
    pagination_class: ClassVar = Newest

    @extend_schema(parameters=FILTERS, responses=ListedTableSerializer(many=True))
    def list(self, request: Request) -> Response:
        """The public tables that wait for players, and your own, whose game has not started; the newest first."""
        return in_pages(self, self._found(request), ListedTableSerializer, ("-opened_at", "-pk"))

    def _found(self, request: Request) -> QuerySet[Table]:
        chairs = Chair.objects.filter(table=OuterRef("pk"))
        is_own = Exists(chairs.filter(user=self.person.pk or 0))
        is_kept_apart = Exists(chairs.filter(user__in=blocks.kept_apart_from(self.person)))
        tables = Table.objects.filter(Q(is_own) | Q(visibility="public") & ~is_kept_apart, game=None)
        if (mine := yes_or_no_in(request, "mine")) is not None:
            tables = tables.filter(is_own if mine else ~is_own)
        if rules := one_of_in(request, "rules", PRESETS):
            tables = tables.filter(rules__preset=rules)
        if pace := one_of_in(request, "pace", [*PACES, NO_CLOCKS]):
            tables = tables.filter(clocks__isnull=True) if pace == NO_CLOCKS else tables.filter(clocks__name=pace)
        if (rated := yes_or_no_in(request, "rated")) is not None:
            tables = tables.filter(rated=rated)
        if (bots := yes_or_no_in(request, "bots")) is not None:
            tables = tables.filter(bots_allowed=bots)
        if (free := yes_or_no_in(request, "free")) is not None:
            has_room = Exists(chairs.filter(user=None, bot=False))
            tables = tables.filter(has_room if free else ~has_room)
        return tables.select_related("host").prefetch_related("chairs__user")

    @extend_schema(request=NewTableSerializer, responses={201: TableSerializer})
    def create(self, request: Request) -> Response:
        """Open a table; you are its host, and sit on its first chair."""
        sent = said(NewTableSerializer, request)
        name = own_name(self.person, sent)
        table = services.open_table(self.person, name, *sent["wish"], now=self.now)
        return self.as_it_is(table.code, 201)

    @extend_schema(responses=TableSerializer)
    def retrieve(self, request: Request, code: str) -> Response:
        """A table. Whoever sits at a public one and no longer looks at it loses the chair after a while."""
        self.table(code)
        meeting.note_seen(code, self.person, self.now)
        return self.as_it_is(code)

    # Sitting down, and saying that one is ready

    @extend_schema(request=JoinSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def join(self, request: Request, code: str) -> Response:
        """Sit down, or move to another chair."""
        self.table(code)
        sent = said(JoinSerializer, request)
        services.sit_down(code, self.person, own_name(self.person, sent), sent.get("chair"))
        meeting.note_seen(code, self.person, self.now)
        return self.as_it_is(code)

    @extend_schema(
        request=None,
        responses={200: TableSerializer, 204: OpenApiResponse(description="It is gone, or no longer for you to see.")},
    )
    @action(detail=True, methods=["post"])
    def leave(self, request: Request, code: str) -> Response:
        """Leave your chair, or decline the one that is kept for you. With the last person, a table vanishes."""
        self.table(code)
        said(NothingSerializer, request)
        services.stand_up(code, self.person, now=self.now)
        try:
            return self.as_it_is(code)
        except Table.DoesNotExist:
            return Response(status=204)

    @extend_schema(request=ReadySerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def ready(self, request: Request, code: str) -> Response:
        """Say that the game may start with the table as it is; a public one starts with the last who does."""
        self.table(code)
        sent = said(ReadySerializer, request)
        is_ready, board, terms = sent["ready"], sent["board"], sent.get("terms")
        services.set_ready(code, self.person, is_ready, now=self.now, board=board, terms=terms)
        return self.as_it_is(code)

    @extend_schema(request=ColourSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def colour(self, request: Request, code: str) -> Response:
        """Play in another colour, which no other person has."""
        self.table(code)
        services.choose_colour(code, self.person, COLOURS.index(said(ColourSerializer, request)["colour"]))
        return self.as_it_is(code)

    # What the host does

    @extend_schema(request=OptionsSerializer, responses=TableSerializer)
    @action(detail=True, methods=["put"], url_path="options", url_name="options")
    def change_options(self, request: Request, code: str) -> Response:
        """Change how the table plays, all of it at once. After that, nobody is ready."""
        self.table(code)
        services.change_options(code, self.person, *said(OptionsSerializer, request)["wish"])
        return self.as_it_is(code)

    @extend_schema(request=StartSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def start(self, request: Request, code: str) -> Response:
        """Start the game, whose number the table then has."""
        self.table(code)
        sent = said(StartSerializer, request)
        fill_with_bots, board, strength = sent["fill_with_bots"], sent["board"], sent.get("strength")
        services.start(code, self.person, fill_with_bots=fill_with_bots, now=self.now, board=board, strength=strength)
        return self.as_it_is(code)

    @extend_schema(request=AddBotSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"], url_path="add-bot")
    def add_bot(self, request: Request, code: str) -> Response:
        """Give a free chair to a bot of the site, or that of such a bot to one of another strength."""
        self.table(code)
        sent = said(AddBotSerializer, request)
        services.add_bot(code, self.person, sent["chair"], sent.get("strength"))
        return self.as_it_is(code)

    @extend_schema(request=ChairNumberSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"], url_path="free-chair")
    def free_chair(self, request: Request, code: str) -> Response:
        """Send a bot away, ask a person to leave, or no longer keep a chair for somebody."""
        self.table(code)
        services.free_chair(code, self.person, said(ChairNumberSerializer, request)["chair"])
        return self.as_it_is(code)

    @extend_schema(request=None, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def shuffle(self, request: Request, code: str) -> Response:
        """Shuffle the board, where it is seen beforehand and nobody is ready yet."""
        self.table(code)
        said(NothingSerializer, request)
        arranging.shuffle_board(code, self.person, now=self.now)
        return self.as_it_is(code)

    @extend_schema(request=SwapSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def swap(self, request: Request, code: str) -> Response:
        """Swap two chairs: whoever has one gets the other."""
        self.table(code)
        sent = said(SwapSerializer, request)
        arranging.swap_chairs(code, self.person, sent["chair"], sent["other"])
        return self.as_it_is(code)

    @extend_schema(request=ChairNumberSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"], url_path="hand-over")
    def hand_over(self, request: Request, code: str) -> Response:
        """Let somebody else who sits at the table be its host."""
        self.table(code)
        arranging.hand_over(code, self.person, said(ChairNumberSerializer, request)["chair"], now=self.now)
        return self.as_it_is(code)

    @extend_schema(request=LetBackSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"], url_path="let-back")
    def let_back(self, request: Request, code: str) -> Response:
        """Let somebody sit down again who was asked to leave."""
        self.table(code)
        arranging.let_back(code, self.person, said(LetBackSerializer, request)["removal"])
        return self.as_it_is(code)

    @extend_schema(request=InviteSerializer, responses=TableSerializer)
    @action(detail=True, methods=["post"])
    def invite(self, request: Request, code: str) -> Response:
        """Keep a chair for somebody with an account, who is told of it."""
        self.table(code)
        arranging.invite(code, self.person, said(InviteSerializer, request)["name"], now=self.now)
        return self.as_it_is(code)

    # What is said there

    @extend_schema(parameters=of(AFTER_LINE), responses=ChatSerializer)
    @action(detail=True)
    def chat(self, request: Request, code: str) -> Response:
        """What was said at the table; once its game has started, in the game."""
        self.table(code)
        return read(self, rooms.of_visible_table(code, self.person))

    @extend_schema(request=SaySerializer, responses={201: LastSerializer})
    @chat.mapping.post
    def say(self, request: Request, code: str) -> Response:
        """Say something to those at the table."""
        self.table(code)
        return say(self, rooms.of_visible_table(code, self.person))


class Find(AtTables):
    @extend_schema(request=FindSerializer, responses={200: TableSerializer})
    def create(self, request: Request) -> Response:
        """Sit down at the best public table of a pace, or at a new one, and leave any other where you wait."""
        sent = said(FindSerializer, request)
        name = own_name(self.person, sent)
        return self.as_it_is(meeting.find_game(self.person, name, sent["pace"], now=self.now).code)


class PlayNow(Endpoint):
    @extend_schema(request=BotsSerializer, responses={201: NewGameSerializer})
    def create(self, request: Request) -> Response:
        """A game at once, against bots of the site, without clocks."""
        sent = said(BotsSerializer, request)
        return Response({"game": services.play_now(self.person, sent.get("strength"), now=self.now).pk}, status=201)
