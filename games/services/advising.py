"""What a hard bot would do in somebody's place. Nobody else notices, and nothing in the game changes.

It is for those who play against bots alone: among people it would play for them. A person asks one thing at a time,
and an answer is kept, so that whoever asks again at the same table makes nobody think twice.
"""

from datetime import datetime
from random import Random
from typing import Final

import structlog
from django.core.cache import cache

from games import memories, selectors, signals, thinking, words
from games.bots import hard
from games.models import Game, Seat
from games.page import Scene, asked_of, is_among_bots
from games.rules import player_view
from games.rules.refusals import TooFast
from games.services.locking import require_running
from games.services.refusals import NotNow, NotYourSeat, StaleVersion
from games.words_advice import NOT_AMONG_BOTS, NOT_ASKED, NOTHING_FOUND, ONE_AT_A_TIME, STAND_IN_PLAYS, Advice, advised
from games.words_places import place_names

log = structlog.get_logger(__name__)

#: Seconds that a bot may take for it, and may have to wait before until somebody is free to think.
PATIENCE: Final = 2.0
#: Seconds for which somebody who was answered cannot ask anew.
PAUSE: Final = 2
#: Seconds after which a question counts as lost, with the process that was to answer it.
LOST_AFTER: Final = 15
#: Seconds for which an answer is kept.
KEPT_FOR: Final = 600


class NoAdvice(NotNow):
    """It is not for this game, not for this moment, or the bot found nothing."""

    code = "no_advice"


def advise(game_id: int, seat: int, *, version: int, now: datetime) -> Advice:
    """The moves that a hard bot would consider for a seat, on the version of the game that its player has seen."""
    scene = selectors.scene(game_id, now=now)
    _require_advisable(scene, seat, version)
    key = f"advice-{game_id}-{seat}-{version}"
    kept: Advice | None = cache.get(key)
    if kept is None:
        kept = _think_for(scene, seat)
        cache.set(key, kept, timeout=KEPT_FOR)
    return kept


def _require_advisable(scene: Scene, seat: int, version: int) -> None:
    require_running(scene.game)
    if not is_among_bots(scene.players, seat):
        raise NoAdvice(NOT_AMONG_BOTS)
    signals.advice_asked.send(Game, game=scene.game)
    if scene.seats[seat].player == Seat.Player.STAND_IN:
        raise NotYourSeat(STAND_IN_PLAYS)
    if version != scene.snapshot.version:
        raise StaleVersion(scene.snapshot.version)
    if not asked_of(scene, seat):
        raise NoAdvice(NOT_ASKED)


def _think_for(scene: Scene, seat: int) -> Advice:
    """One question of a person at a time, and soon after it no other."""
    key = f"advising-{scene.seats[seat].user_id}"
    if not cache.add(key, True, timeout=LOST_AFTER):
        raise TooFast(ONE_AT_A_TIME, PAUSE)
    try:
        view = player_view(scene.state, seat)
        memory = memories.of(scene.game.pk, seat, seats=len(scene.seats), version=scene.snapshot.version)
        source = Random()  # noqa: S311 - the system's own cannot be handed to another process
        considered = thinking.ask(hard.consider, view, memory, source, seconds=PATIENCE)
    except thinking.NoAnswer as error:
        log.warning("no_advice", game=scene.game.pk, version=scene.snapshot.version, error=str(error))
        raise NoAdvice(NOTHING_FOUND) from error
    finally:
        cache.set(key, True, timeout=PAUSE)
    teller = words.Teller(scene.names, seat, place_names(view["board"]))
    return {"version": scene.snapshot.version, "moves": advised(teller, view, considered)}
