"""People who are told things, and games of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.models import EmailAddress
from django.core import mail
from django.test import override_settings
from django.utils import timezone

from deploy.children import free_port
from games import services, snapshots
from games.models import Connection, Game, Seat
from games.rules import Phase, to_act
from games.rules import moves as m
from games.services import presence
from lobby.models import NoticeWishes, User
from lobby.notice_models import Way
from lobby.notices import sending, telling
from tests.games.playing import lay_out, new_game, stored_state, time_out

#: Longer than anybody is given to see it by themselves.
A_MINUTE = 61
A_QUARTER = 15 * 60
A_DAY = 24 * 3600


def confirmed(person: User) -> User:
    """They have an address, and have confirmed that it is theirs."""
    address = f"{person.username}@catan.example"
    EmailAddress.objects.create(user=person, email=address, verified=True, primary=True)
    return person


def wish(person: User, **changes: object) -> None:
    NoticeWishes.objects.update_or_create(person=person, defaults=changes)


def days_game(*people: User, pace: str = "1 day") -> Game:
    """The first of them is asked to place a settlement, and then a road."""
    return new_game("standard turn_order=seat_order", users=people, pace=pace)


def move(game: Game) -> None:
    """Whoever the game waits for does something, or the clock does it for them; it is the same to everybody else."""
    time_out(game.pk)


def pass_turn(game: Game) -> None:
    first = awaited(game)
    while awaited(game) == first:
        move(game)


def pass_turns_until(game: Game, seat: int) -> None:
    """The pieces are placed, and this seat is to roll."""
    while not stored_state(game.pk).turn or awaited(game) != seat:
        pass_turn(game)


def in_main_phase(game: Game, seat: int) -> None:
    """It is this seat's turn, and everybody can offer a brick, or any other card."""
    pass_turns_until(game, seat)
    while stored_state(game.pk).phase is not Phase.MAIN:
        move(game)
    state = stored_state(game.pk).copy()
    for each in state.seats:
        state.bank = [count + held - 1 for count, held in zip(state.bank, state.hands[each], strict=True)]
        state.hands[each] = [1] * 5
    lay_out(game.pk, state)


def act(game: Game, wanted: m.Move) -> None:
    services.play_move(game.pk, wanted, version=snapshots.read(game.pk)[1].version, now=timezone.now())


BRICK, LUMBER, WOOL, GRAIN, ORE = (tuple(int(place == named) for place in range(10)) for named in range(5))


def awaited(game: Game) -> int:
    return to_act(snapshots.read(game.pk)[1].state)[0]


def round_of_beat() -> None:
    """What is due is told and delivered, in this thread."""
    telling.tell_due(timezone.now())
    deliver_due()


def deliver_due() -> None:
    for way in sending.ways_due(timezone.now()):
        sending.deliver(Way(way), keep_place=lambda: None)


def subjects() -> list[str]:
    """Of the mails that were sent, in their order."""
    return [message.subject for message in mail.outbox]


def told_by_mail(person: User) -> list[str]:
    """The subjects of the mails to one person."""
    return [message.subject for message in mail.outbox if message.to == [f"{person.username}@catan.example"]]


@contextmanager
def mail_server_down() -> Iterator[None]:
    """Nobody listens where mails are to go."""
    with override_settings(
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_HOST="127.0.0.1", EMAIL_PORT=free_port()
    ):
        yield


def seat_of(person: User, game: Game) -> Seat:
    return Seat.objects.get(game=game, user=person)


def open_page(person: User, game: Game, *, is_visible: bool) -> Connection:
    channel = f"page of {person}"
    presence.arrive(game.pk, person.pk, channel, timezone.now())
    presence.note_visible(channel, is_visible)
    return Connection.objects.get(channel=channel)


def break_off(game: Game) -> None:
    services.abort(game.pk, now=timezone.now())
