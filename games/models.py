"""A game as rows: the board, the pieces on it, every hand and card, and the log of all moves.

Whatever belongs to a game and has a number in the rules (a seat, a hex, a vertex ...) has an id made
of the game's and that number (`games.keys`), so that a move can be written without looking ids up first.
The invariants of the game that a database can hold are constraints here; `manage.py verify_games`
proves the rest from the log.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games import bots, keys
from games.paces import BOT_SPEEDS, DEFAULT_BOT_SPEED, PACES, BotSpeed, Pace
from games.rules import topology
from games.rules.boards import HARBOR_NAMES, TERRAIN_NAMES, Layout
from games.rules.cards import CARD_NAMES, DECK, RESOURCE_NAMES
from games.rules.moves import KINDS, MOST_SEATS
from games.rules.state import Phase
from games.rules.written import Json

#: So many timeouts in a row, and a person counts as absent.
ABSENT_AFTER: Final = 3
#: How strong the bot is that holds a seat or a chair; of a person there is nothing to say.
StrengthOfBot: TypeAlias = bots.Strength | Literal[""]


def _choices(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, name.replace("_", " ")) for name in names]


class Game(models.Model):
    """One game: what it waits for, what lies in the bank, who holds the awards."""

    class Status(models.TextChoices):
        RUNNING = "running"
        PAUSED = "paused"
        RESTING = "resting", "resting: everybody has left"
        OVER = "over"
        ABORTED = "aborted"
        NEEDS_ATTENTION = "needs_attention"

    id = models.BigIntegerField(primary_key=True, default=keys.new_game_number)
    status = models.CharField(max_length=20, choices=Status, default=Status.RUNNING, db_index=True)
    attention = models.TextField(blank=True, help_text="Why the game was set aside.")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    # What was agreed on before the first move.
    rules = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    layout: "models.CharField[Layout, Layout]" = models.CharField(max_length=20)
    commitment = models.CharField(max_length=64)
    board_seed = models.BinaryField(
        max_length=32, null=True, editable=False, help_text="Of a board that was seen before the game; no secret."
    )
    rolls = models.JSONField(
        default=list, help_text="Who rolled what for the first turn: everybody, then those who tied for the highest."
    )
    pace = models.JSONField(null=True, help_text="Seconds for each clock, see games.paces; empty: nobody is hurried.")
    bot_speed: "models.CharField[BotSpeed, BotSpeed]" = models.CharField(
        max_length=10, choices=_choices(BOT_SPEEDS), default=DEFAULT_BOT_SPEED
    )
    spectators_allowed = models.BooleanField(default=True, help_text="Also those who have no seat may look on.")

    version = models.PositiveIntegerField(default=0, help_text="The number of moves played.")
    revision = models.PositiveIntegerField(
        default=0, help_text="Raised by whatever is done to the game beside its moves."
    )
    orders_revision = models.PositiveIntegerField(
        default=0, help_text="Raised by every standing order that is given or cancelled; no page shows it to anybody."
    )

    proposals_open = models.PositiveSmallIntegerField(
        default=0, help_text="How many proposals wait for answers, so that a game without any is asked no further."
    )

    # The clocks, see games.clocks.
    deadline = models.DateTimeField(null=True, db_index=True, help_text="When those to act will be late.")
    turn_left = models.DurationField(null=True, help_text="What is left of the turn while its clock stands still.")
    answers_due = models.DateTimeField(
        null=True, db_index=True, help_text="When the time to answer the first of the open offers is over."
    )
    bots_due = models.DateTimeField(null=True, db_index=True, help_text="When the next bot acts.")
    orders_due = models.DateTimeField(null=True, db_index=True, help_text="When the next standing order is due.")
    failures = models.PositiveSmallIntegerField(default=0, help_text="Tasks that failed on this game, in a row.")

    phase = models.CharField(max_length=20, choices=_choices(phase.value for phase in Phase))
    turn = models.PositiveIntegerField(default=0)
    active = models.ForeignKey("Seat", models.RESTRICT, null=True, related_name="+")
    placements = models.PositiveSmallIntegerField(default=0)
    placed = models.ForeignKey("Vertex", models.RESTRICT, null=True, related_name="+")
    rolled = models.BooleanField(default=False)
    first_die = models.PositiveSmallIntegerField(default=0)
    second_die = models.PositiveSmallIntegerField(default=0)
    dice_deck = models.JSONField(default=list)
    may_skip_roll = models.BooleanField(default=False)
    cards_played = models.PositiveSmallIntegerField(default=0)
    free_roads = models.PositiveSmallIntegerField(default=0)
    offers_made = models.PositiveIntegerField(default=0)

    robber = models.ForeignKey("Hex", models.RESTRICT, null=True, related_name="+")
    longest_road = models.ForeignKey("Seat", models.RESTRICT, null=True, related_name="+")
    largest_army = models.ForeignKey("Seat", models.RESTRICT, null=True, related_name="+")
    winner = models.ForeignKey("Seat", models.RESTRICT, null=True, related_name="games_won")

    bank_brick = models.PositiveSmallIntegerField(default=0)
    bank_lumber = models.PositiveSmallIntegerField(default=0)
    bank_wool = models.PositiveSmallIntegerField(default=0)
    bank_grain = models.PositiveSmallIntegerField(default=0)
    bank_ore = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            # Lists begin with the newest, and games only ever become more.
            models.Index(fields=["-started_at", "-id"], name="games_by_their_start"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(first_die__lte=6, second_die__lte=6), name="dice_have_six_sides"),
            models.CheckConstraint(condition=Q(free_roads__lte=2), name="two_free_roads_at_most"),
            models.CheckConstraint(condition=~Q(status="over") | Q(winner__isnull=False), name="over_has_a_winner"),
        ]

    def __str__(self) -> str:
        return f"game {self.pk}"


class GameSecret(models.Model):
    """What the chance of a game is made of, apart from the rows that pages and lists are made of: whoever may filter
    those, in whatever way, must not come upon a part of it."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="+")
    seed = models.BinaryField(max_length=32, editable=False)
    nonces = models.JSONField(help_text="What each seat mixed into the chance, in the order of their numbers.")

    def __str__(self) -> str:
        return f"secret of game {self.game_id}"


class Numbered(models.Model):
    """Something of a game that the rules know by a number."""

    #: How many numbers there can be, see games.keys.
    ROOM: ClassVar[int]

    id = models.BigIntegerField(primary_key=True)
    game = models.ForeignKey(Game, models.CASCADE)
    number = models.PositiveIntegerField()

    class Meta:
        abstract = True
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="one_%(class)s_a_number")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.number} of game {self.game_id}"

    @classmethod
    def key(cls, game_id: int, number: int) -> int:
        return game_id * cls.ROOM + number

    @classmethod
    def number_of(cls, key: int) -> int:
        return key % cls.ROOM

    @classmethod
    def game_of(cls, key: int) -> int:
        return key // cls.ROOM

    @classmethod
    def in_game(cls, game_id: int, number: int, **values: Any) -> Self:
        return cls(id=cls.key(game_id, number), game_id=game_id, number=number, **values)


class Seat(Numbered):
    """A place in a game, held by a person or a bot."""

    ROOM = keys.SEATS

    class Player(models.TextChoices):
        PERSON = "person", "its person"
        BOT = "bot", "a bot"
        STAND_IN = "stand_in", "a bot for an absent person"

    class IfAbsent(models.TextChoices):
        """What a player wants to happen when they do not move in time."""

        STAND_IN = "stand_in", "After three timeouts in a row a stand-in plays for me"
        AT_ONCE = "at_once", "A stand-in plays for me from the first timeout on"
        WAIT = "wait", "No stand-in: wait for me, and only my time runs out"
        RESIGN = "resign", "After three timeouts in a row I resign, and a bot plays on"

        @classmethod
        def usual(cls, pace: Pace | None) -> Self:
            """In a game over days, whoever misses a deadline is asleep or at work, not gone."""
            return cls.STAND_IN if pace is None or pace.is_live else cls.WAIT

    class Asked(models.TextChoices):
        """What a game wants of the person on a seat; `words_clocks.ASKS` says it to them."""

        NOTHING = ""
        MOVE = "move"
        DISCARD = "discard"
        OFFER = "offer", "an answer to an offer"

    place = models.PositiveSmallIntegerField(help_text="The seat's place in the order of play.")
    colour = models.PositiveSmallIntegerField(help_text="The colour of its pieces, see games.page.COLOURS.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    name = models.CharField(max_length=40)
    is_bot_account = models.BooleanField(
        default=False, help_text="A program plays its person’s account; whoever plays the seat is said by its player."
    )
    player = models.CharField(max_length=10, choices=Player, default=Player.PERSON)
    strength: "models.CharField[StrengthOfBot, StrengthOfBot]" = models.CharField(
        max_length=10,
        choices=_choices(bots.STRENGTHS),
        blank=True,
        default="",
        help_text="Of the bot that plays it for good, see games.bots; a person has none, nor has a stand-in.",
    )
    if_absent = models.CharField(max_length=10, choices=IfAbsent, default=IfAbsent.STAND_IN)
    late = models.PositiveSmallIntegerField(default=0, help_text="How many times in a row its time was up.")
    # Whom the game waits for, see games.awaited.
    asked = models.CharField(max_length=10, choices=Asked, blank=True, default=Asked.NOTHING)
    awaited_since = models.DateTimeField(null=True, help_text="Since when its person is asked for that, if they are.")
    # One column and not rows of their own: they are read and written with the seat, so a game without any pays nothing.
    orders = models.JSONField(default=dict, help_text="Its person's standing orders, see games.orders; for them alone.")
    holiday_until = models.DateTimeField(
        null=True, help_text="Until when its person is on holiday: their clocks stand still in games over days."
    )

    class Meta(Numbered.Meta):
        constraints: ClassVar = [
            *Numbered.Meta.constraints,
            models.CheckConstraint(condition=Q(number__lt=MOST_SEATS), name="four_seats_at_most"),
            models.UniqueConstraint(fields=["game", "place"], name="one_seat_a_place"),
            models.CheckConstraint(condition=Q(colour__lt=MOST_SEATS), name="four_colours"),
            models.UniqueConstraint(fields=["game", "colour"], name="one_seat_a_colour"),
            models.CheckConstraint(
                condition=Q(player="bot", strength__in=bots.STRENGTHS) | (~Q(player="bot") & Q(strength="")),
                name="a_bots_seat_has_a_strength",
            ),
            models.CheckConstraint(
                condition=Q(asked="", awaited_since__isnull=True)
                | (~Q(asked="") & Q(awaited_since__isnull=False, player="person")),
                name="awaited_if_asked",
            ),
            models.UniqueConstraint(
                fields=["game", "user"],
                condition=Q(user__isnull=False),
                name="one_seat_a_person",
            ),
        ]
        indexes: ClassVar = [
            # Few are on holiday, and the sweep asks often whose is over.
            models.Index(fields=["holiday_until"], condition=Q(holiday_until__isnull=False), name="seats_on_holiday"),
        ]


# The board


class Hex(Numbered):
    ROOM = keys.HEXES

    terrain = models.CharField(max_length=10, choices=_choices(TERRAIN_NAMES))
    token = models.PositiveSmallIntegerField(null=True)

    class Meta(Numbered.Meta):
        verbose_name_plural = "hexes"
        constraints: ClassVar = [
            *Numbered.Meta.constraints,
            models.CheckConstraint(
                condition=Q(token__isnull=True, terrain="desert")
                | (Q(token__isnull=False, token__range=(2, 12)) & ~Q(token=7) & ~Q(terrain="desert")),
                name="token_unless_desert",
            ),
        ]


class Vertex(Numbered):
    ROOM = keys.VERTICES

    hexes = models.ManyToManyField(Hex, related_name="vertices")

    class Meta(Numbered.Meta):
        verbose_name_plural = "vertices"
        constraints: ClassVar = [
            *Numbered.Meta.constraints,
            models.CheckConstraint(condition=Q(number__lt=len(topology.VERTICES)), name="54_vertices"),
        ]


class Edge(Numbered):
    ROOM = keys.EDGES

    start = models.ForeignKey(Vertex, models.CASCADE, related_name="edges_up")
    end = models.ForeignKey(Vertex, models.CASCADE, related_name="edges_down")

    class Meta(Numbered.Meta):
        constraints: ClassVar = [
            *Numbered.Meta.constraints,
            models.CheckConstraint(condition=Q(number__lt=len(topology.EDGES)), name="72_edges"),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="edge_leads_onward"),
        ]


class Harbor(models.Model):
    """A harbor docks at a coast edge; both its vertices may use it."""

    edge = models.OneToOneField(Edge, models.CASCADE, primary_key=True)
    kind = models.CharField(max_length=10, choices=_choices(HARBOR_NAMES))

    def __str__(self) -> str:
        return f"{self.kind} harbor at {self.edge}"


# The pieces: the primary key lets a vertex carry one building and an edge one road.


class Building(models.Model):
    class Kind(models.TextChoices):
        SETTLEMENT = "settlement"
        CITY = "city"

    vertex = models.OneToOneField(Vertex, models.CASCADE, primary_key=True)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="buildings")
    kind = models.CharField(max_length=10, choices=Kind)

    def __str__(self) -> str:
        return f"{self.kind} at {self.vertex}"


class Road(models.Model):
    edge = models.OneToOneField(Edge, models.CASCADE, primary_key=True)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="roads")

    def __str__(self) -> str:
        return f"road at {self.edge}"


# The cards


class Hand(models.Model):
    """A seat's resource cards, and how many of them a seven still asks for."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True)
    brick = models.PositiveSmallIntegerField(default=0)
    lumber = models.PositiveSmallIntegerField(default=0)
    wool = models.PositiveSmallIntegerField(default=0)
    grain = models.PositiveSmallIntegerField(default=0)
    ore = models.PositiveSmallIntegerField(default=0)
    must_discard = models.PositiveSmallIntegerField(default=0)
    size = models.GeneratedField(
        expression=F("brick") + F("lumber") + F("wool") + F("grain") + F("ore"),
        output_field=models.PositiveIntegerField(),
        db_persist=True,
    )

    def __str__(self) -> str:
        return f"hand of {self.seat}"


class DevelopmentCard(Numbered):
    """A card; its number is its place in the deck as it was shuffled before the game."""

    ROOM = keys.CARDS

    kind = models.CharField(max_length=20, choices=_choices(CARD_NAMES))
    holder = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="cards")
    bought_on = models.PositiveIntegerField(default=0, help_text="The turn it was bought on.")
    played = models.BooleanField(default=False)

    class Meta(Numbered.Meta):
        constraints: ClassVar = [
            *Numbered.Meta.constraints,
            models.CheckConstraint(condition=Q(number__lt=len(DECK)), name="25_cards"),
            models.CheckConstraint(
                condition=Q(holder__isnull=True, bought_on=0, played=False) | Q(holder__isnull=False, bought_on__gt=0),
                name="a_card_is_bought_once_held",
            ),
        ]


# Trade


class TradeOffer(Numbered):
    """An offer made in the course of a game; those answered or void are closed, not deleted."""

    ROOM = keys.OFFERS

    maker = models.ForeignKey(Seat, models.CASCADE, related_name="offers")
    gives = models.JSONField()
    gets = models.JSONField()
    answers_to = models.ForeignKey("self", models.CASCADE, null=True, related_name="counter_offers")
    is_open = models.BooleanField(default=True)
    # Its clock, see games.clocks.
    made_at = models.DateTimeField(help_text="Since when it can be answered.")
    answers_due = models.DateTimeField(null=True, help_text="When the time to answer it is over, if there is a clock.")


class OfferAnswer(models.Model):
    """What a seat that an offer was made to has said to it."""

    class Answer(models.TextChoices):
        NONE = "none"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    offer = models.ForeignKey(TradeOffer, models.CASCADE, related_name="answers")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="answers")
    answer = models.CharField(max_length=10, choices=Answer, default=Answer.NONE)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["offer", "seat"], name="one_answer_a_seat")]

    def __str__(self) -> str:
        return f"{self.answer} by {self.seat}"


# The log


class Move(models.Model):
    """One move that was played. Rows are added and never changed."""

    class By(models.TextChoices):
        PLAYER = "player"
        BOT = "bot"
        STAND_IN = "stand_in", "a bot for an absent person"
        TIMEOUT = "timeout", "the clock"
        CONNECTION = "connection", "a lost connection"
        ORDER = "order", "a standing order"
        MODERATOR = "moderator", "the clock, by a moderator’s word"

    game = models.ForeignKey(Game, models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="moves")
    kind = models.CharField(max_length=20, choices=_choices(KINDS))
    payload = models.JSONField(help_text="What the move says beside its kind and seat.")
    draws = models.JSONField(help_text="What chance drew for it.")
    events = models.JSONField(help_text="What happened, with who may know it.")
    by = models.CharField(max_length=10, choices=By, default=By.PLAYER, help_text="Who made it for the seat.")
    # Null, not empty, for moves that no client sent: nulls do not clash in a unique constraint.
    client_id = models.CharField(max_length=64, null=True)  # noqa: DJ001
    played_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_move_a_number"),
            models.UniqueConstraint(fields=["game", "client_id"], name="one_move_a_client_id"),
        ]

    def __str__(self) -> str:
        return f"move {self.number} of game {self.game_id}"

    def to_json(self) -> dict[str, Json]:
        """The move in the form that the rules read."""
        return {"kind": self.kind, "seat": Seat.number_of(self.seat_id), **self.payload}


class Intervention(models.Model):
    """Something done to a game that is not a move: a seat handed over, a pause. Never changed."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="interventions")
    at = models.DateTimeField()
    after_move = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(help_text="The game's revision that it led to.")
    what = models.CharField(max_length=40)
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="+")
    why = models.TextField(blank=True)
    told = models.JSONField(default=dict, help_text="What the log tells of it, beside what it was and the seat.")

    def __str__(self) -> str:
        return f"{self.what} after move {self.after_move} of game {self.game_id}"


# What people agree on


class Proposal(models.Model):
    """Something about a game that its people decide together, see games.services.agreements."""

    class Kind(models.TextChoices):
        PACE = "pace", "another pace"
        STOP = "stop", "the end of the game without a winner"
        REMOVE = "remove", "a bot instead of somebody who is away"

    class Outcome(models.TextChoices):
        OPEN = ""
        AGREED = "agreed"
        DECLINED = "declined"
        TAKEN_BACK = "taken_back"
        LAPSED = "lapsed", "not answered in time"
        VOID = "void", "no longer of any use"

    game = models.ForeignKey(Game, models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=10, choices=Kind)
    pace = models.CharField(max_length=10, choices=_choices(PACES), blank=True)
    whom = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="+")
    by = models.ForeignKey(Seat, models.CASCADE, related_name="proposals")
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="When the time to answer it is over.")
    awaits_objections = models.BooleanField(
        default=False,
        help_text="Everybody else has agreed: it is done when its time is over, unless one who was away objects.",
    )
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["ends_at"], condition=Q(outcome=""), name="open_proposals")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "kind"], condition=Q(outcome=""), name="one_open_proposal_a_kind"),
            models.CheckConstraint(
                condition=(Q(kind="pace") & ~Q(pace="")) | (~Q(kind="pace") & Q(pace="")), name="a_pace_if_about_it"
            ),
            models.CheckConstraint(
                condition=Q(kind="remove", whom__isnull=False) | (~Q(kind="remove") & Q(whom__isnull=True)),
                name="somebody_if_to_be_removed",
            ),
            models.CheckConstraint(
                condition=Q(outcome="", closed_at__isnull=True) | (~Q(outcome="") & Q(closed_at__isnull=False)),
                name="closed_once_decided",
            ),
        ]

    def __str__(self) -> str:
        return f"proposal {self.pk} in game {self.game_id}"


class Vote(models.Model):
    """What somebody has said to a proposal. Whoever made it has agreed to it."""

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="votes")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="votes")
    agrees = models.BooleanField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["proposal", "seat"], name="one_vote_a_seat")]

    def __str__(self) -> str:
        return f"{'yes' if self.agrees else 'no'} of {self.seat}"


# Who is there, and whether we are


class Presence(models.Model):
    """Whether a person has the game's page open. No rule depends on it."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True)
    is_here = models.BooleanField(default=False)
    gone_at = models.DateTimeField(null=True, help_text="When the last of their pages was closed.")
    lost_due = models.DateTimeField(null=True, db_index=True, help_text="When they count as gone if none is opened.")

    def __str__(self) -> str:
        return f"presence of {self.seat}"


class Connection(models.Model):
    """An open socket of somebody who has a seat."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="connections")
    channel = models.CharField(max_length=200, unique=True)
    process = models.CharField(max_length=40, db_index=True, help_text="The web process that holds it.")
    seen_at = models.DateTimeField(db_index=True, help_text="When that process was last alive.")
    is_visible = models.BooleanField(default=False, help_text="The page says that it is before somebody’s eyes.")

    def __str__(self) -> str:
        return f"connection of {self.seat}"


class Pulse(models.Model):
    """When this site last could take a move: the web processes write it down every second. One row."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"alive at {self.at}"


RESOURCE_COLUMNS: Final = RESOURCE_NAMES
BANK_COLUMNS: Final = tuple(f"bank_{name}" for name in RESOURCE_NAMES)
