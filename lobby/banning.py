"""What a ban takes away at once, wherever somebody is: open sockets, seats in games that last, chairs at tables.

The person's row comes last of all locks, and a ban has it; so this follows the commit, game by game and table by table,
each under its own lock. Whatever is missed then, beat's round finds: a process that died right after the commit, a
message lost with Redis, a game that started or a chair that was taken by a request that the ban overtook.
"""

from datetime import datetime
from typing import Final

import structlog
from django.db.models import QuerySet

from games.models import Connection, Game, Seat
from games.rules import Refusal
from games.services import replace_by_bot
from lobby import hearing, restrictions
from lobby.leaving import stand_up_everywhere
from lobby.models import Chair, Watcher

log = structlog.get_logger(__name__)

#: What moderators have paused goes on some day, and in a game that rests the others may agree on something. One that
#: was set aside is left as it is: its rows may make no sense, and the round sees to it once it goes on.
LASTING: Final = (Game.Status.RUNNING, Game.Status.PAUSED, Game.Status.RESTING)


def empty_places(user_id: int, now: datetime) -> None:
    """Done twice, it is the same. A ban that was lifted meanwhile takes away nothing."""
    person = restrictions.the_banned(now).filter(pk=user_id).first()
    if person is None:
        return
    for game_id, number in _seats().filter(user=person).order_by("game").values_list("game", "number"):
        try:
            replace_by_bot(game_id, number, now)
        except (Refusal, Game.DoesNotExist):
            # It has just ended, or somebody was quicker; one that is set aside must not keep the others waiting.
            log.warning("seat_not_emptied", game=game_id, seat=number)
    stand_up_everywhere(person, now)


def sweep(now: datetime) -> None:
    """Beat's round: everybody who is banned and still somewhere."""
    banned = restrictions.the_banned(now).values("pk")
    found = _seats().filter(user__in=banned).order_by().values_list("user", flat=True)
    chairs = Chair.objects.filter(table__game=None, user__in=banned).order_by().values_list("user", flat=True)
    playing = Connection.objects.filter(seat__user__in=banned).values_list("seat__user", flat=True)
    watching = Watcher.objects.filter(user__in=banned).values_list("user", flat=True)
    for user_id in sorted(found.union(chairs, playing, watching)):
        hearing.shut_out(user_id)
        try:
            empty_places(user_id, now)
        except Exception:
            # One whose games make trouble must not keep others in.
            log.exception("places_not_emptied", person=user_id)


def _seats() -> QuerySet[Seat]:
    return Seat.objects.filter(player=Seat.Player.PERSON, game__status__in=LASTING)
