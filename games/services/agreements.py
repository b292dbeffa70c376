"""What the people of a game decide together: another pace, its end, or that one who is away is waited for no longer.

Somebody proposes it and the others answer; the game goes on meanwhile. It is no move: the rules know nothing of it. A
say have those who play their own seats (`Sitter.has_a_say`). Whoever has a stand-in, or has let three deadlines in a
row pass, has none, so that nobody holds the others up for ever; they have it again as soon as they are back. Whenever
that changes, the votes are counted again.

What becomes of the whole game is not done behind their backs: what needs all is done at once if all have a say, and
otherwise when the time to answer is over, unless somebody who has come back objects.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet

from games import awaited, clocks, ordered, snapshots
from games.models import Game, Proposal, Seat, Vote
from games.paces import PACES, PaceName, in_words
from games.rules.events import Told
from games.rules.refusals import TooFast
from games.services.locking import (
    break_off,
    intervene,
    locked,
    raise_revision,
    require_running,
    run_again,
    seat_row,
    start_clocks,
    trusted_rows,
    write_game,
    write_sitters,
)
from games.services.refusals import AlreadyProposed, NoSuchProposal, NotAway, NothingToDo, NotYourSeat, SetAside
from games.store import Snapshot

Status = Game.Status
Kind = Proposal.Kind
Outcome = Proposal.Outcome

#: How long a proposal waits for answers: in a live game, and where people look in once a day.
ANSWERED_LIVE: Final = timedelta(minutes=2)
ANSWERED_OVER_DAYS: Final = timedelta(days=3)
#: Whoever was told no asks again after this.
AGAIN_AFTER: Final = timedelta(hours=1)

#: People may agree on what becomes of a game that rests, but not of one that moderators look into.
GOING: Final = (Status.RUNNING, Status.RESTING)

_REFUSED: Final = (Outcome.DECLINED, Outcome.TAKEN_BACK, Outcome.LAPSED)


# Proposing


def propose_pace(game_id: int, seat: int, pace: PaceName, now: datetime) -> None:
    """To play on at another pace: over days instead of live, or back. All must agree."""
    _propose(game_id, seat, Proposal(kind=Kind.PACE, pace=pace), now)


def propose_stop(game_id: int, seat: int, now: datetime) -> None:
    """To end the game without a winner, so that it counts for nobody. All must agree."""
    _propose(game_id, seat, Proposal(kind=Kind.STOP), now)


def propose_removal(game_id: int, seat: int, whom: int, now: datetime) -> None:
    """That a bot plays on for somebody who has been away for three deadlines. Most of the others must agree."""
    _propose(game_id, seat, Proposal(kind=Kind.REMOVE, whom_id=Seat.key(game_id, whom)), now)


def _propose(game_id: int, seat: int, wanted: Proposal, now: datetime) -> None:
    with trusted_rows(game_id, now), locked(game_id) as game:
        _require_going(game)
        before = snapshots.of(game)
        snapshot = _come_back(game, before, seat, now)
        if wanted.kind == Kind.PACE:
            _require_other_pace(game, wanted)
        if wanted.kind == Kind.REMOVE:
            _require_away(game, snapshot, seat, wanted)
        _require_first(game, wanted)
        _require_patience(game, seat, wanted, now)
        wanted.game = game
        wanted.by_id = Seat.key(game.pk, seat)
        wanted.made_at = now
        wanted.ends_at = now + _time_to_answer(game)
        wanted.save()
        Vote.objects.create(proposal=wanted, seat_id=wanted.by_id, agrees=True)
        write_game(game, {"proposals_open": game.proposals_open + 1})
        _count(game, snapshot, wanted, now, said="propose", seat_id=wanted.by_id)
        if snapshot is not before:
            recount(game, now)


def _require_going(game: Game) -> None:
    if game.status not in GOING:
        require_running(game)


def _time_to_answer(game: Game) -> timedelta:
    pace = clocks.pace_of(game)
    is_live = game.status == Status.RUNNING and pace is not None and pace.is_live
    return ANSWERED_LIVE if is_live else ANSWERED_OVER_DAYS


def _come_back(game: Game, snapshot: Snapshot, seat: int, now: datetime) -> Snapshot:
    """Whoever speaks is not away."""
    sitter = snapshot.sitters[seat]
    if sitter.player != Seat.Player.PERSON:
        raise NotYourSeat("A stand-in plays your seat: take it back first.")
    if not sitter.is_away:
        return snapshot
    sitters = snapshot.sitters_with(seat, late=0)
    write_sitters(game, snapshot.sitters, sitters)
    raise_revision(game, now)
    for removal in _open(game):
        if removal.whom_id == Seat.key(game.pk, seat):
            _void(game, removal, now)
    return replace(snapshot, sitters=sitters)


def _require_other_pace(game: Game, wanted: Proposal) -> None:
    pace = clocks.pace_of(game)
    if pace is not None and pace.name == wanted.pace:
        raise NothingToDo("The game is played at this pace already.")


def _require_away(game: Game, snapshot: Snapshot, seat: int, wanted: Proposal) -> None:
    whom = Seat.number_of(wanted.whom_id or 0)
    row = seat_row(game, whom)
    if whom == seat:
        raise NothingToDo("You cannot propose to remove yourself: resign if you want to leave.")
    if row.player != Seat.Player.PERSON:
        raise NothingToDo(f"This seat is held by {row.get_player_display()}: nobody has to wait for it.")
    if not snapshot.sitters[whom].is_away:
        raise NotAway("Only somebody who has missed three deadlines in a row can be removed.")
    if not _is_missed(game, snapshot, whom):
        raise NotAway(f"{row.name} is on holiday, and nobody is removed meanwhile: wait until the holiday is over.")


def _require_first(game: Game, wanted: Proposal) -> None:
    if _open(game).filter(kind=wanted.kind).exists():
        raise AlreadyProposed("Somebody has proposed that already: answer them first.")


def _require_patience(game: Game, seat: int, wanted: Proposal, now: datetime) -> None:
    refused = Proposal.objects.filter(
        game=game,
        by=Seat.key(game.pk, seat),
        kind=wanted.kind,
        whom=wanted.whom_id,
        outcome__in=_REFUSED,
        closed_at__gt=now - AGAIN_AFTER,
    )
    last = refused.order_by("closed_at").values_list("closed_at", flat=True).last()
    if last is not None:
        left = int((last + AGAIN_AFTER - now).total_seconds()) + 1
        raise TooFast(
            f"Your last proposal of this kind was not agreed to. You can make another {in_words(AGAIN_AFTER.seconds)} "
            "after it.",
            left,
        )


# Answering


def answer(game_id: int, seat: int, number: int, agrees: bool, now: datetime) -> None:
    """Say yes or no to a proposal; an answer may be changed until it is decided.

    No by whoever made it takes it back, and by whoever is to be removed says that they are there.
    """
    with trusted_rows(game_id, now), locked(game_id) as game:
        _require_going(game)
        proposal = _open(game).filter(pk=number, ends_at__gt=now).first()
        if proposal is None:
            raise NoSuchProposal("This proposal is no longer open.")
        seat_id = Seat.key(game.pk, seat)
        if proposal.whom_id == seat_id and agrees:
            raise NothingToDo("Whether you are removed is for the others to say: resign if you want to leave.")
        before = snapshots.of(game)
        snapshot = _come_back(game, before, seat, now)
        if proposal.whom_id != seat_id:
            _vote(game, snapshot, proposal, seat_id, agrees, now)
        if snapshot is not before:
            # They have a say in whatever else is open too, and may have said it before they were away.
            recount(game, now)


def _vote(game: Game, snapshot: Snapshot, proposal: Proposal, seat_id: int, agrees: bool, now: datetime) -> None:
    if proposal.by_id == seat_id and not agrees:
        _close(game, proposal, Outcome.TAKEN_BACK, now)
        _tell(game, "take_back", proposal, now, seat_id=seat_id)
        return
    said = Vote.objects.filter(proposal=proposal, seat=seat_id).first()
    if said is not None and said.agrees == agrees:
        return
    Vote.objects.bulk_create(
        [Vote(proposal=proposal, seat_id=seat_id, agrees=agrees)],
        update_conflicts=True,
        unique_fields=["proposal", "seat"],
        update_fields=["agrees"],
    )
    _count(game, snapshot, proposal, now, said="agree" if agrees else "decline", seat_id=seat_id)


# Counting


def recount(game: Game, now: datetime) -> None:
    """Who has a say has changed, under the game's lock: what is left to be decided may be decided by that.

    What is decided changes the game for the others, so they are read anew.
    """
    while game.proposals_open and game.status in GOING:
        if not any(_count(game, snapshots.of(game), proposal, now) for proposal in list(_open(game))):
            return


def _count(
    game: Game, snapshot: Snapshot, proposal: Proposal, now: datetime, *, said: str = "", seat_id: int | None = None
) -> bool:
    """Settle it, and tell of what somebody has just said, unless what comes of that says so too."""
    was_waiting = proposal.awaits_objections
    is_decided = _settle(game, snapshot, proposal, now)
    if proposal.outcome == Outcome.DECLINED:
        _tell(game, said or "void", proposal, now, seat_id=seat_id)
    elif said and not is_decided:
        _tell(game, said, proposal, now, seat_id=seat_id)
    if proposal.awaits_objections and not was_waiting:
        _tell(game, "await_objections", proposal, now, absent=snapshot.without_a_say)
    return is_decided


def _settle(game: Game, snapshot: Snapshot, proposal: Proposal, now: datetime) -> bool:
    """Count the votes, and do what was decided, if it is; tells whether it is."""
    by, whom = Seat.number_of(proposal.by_id), proposal.whom_id and Seat.number_of(proposal.whom_id)
    voters = snapshot.voters(whom)
    if by not in voters or (whom is not None and not _is_missed(game, snapshot, whom)):
        _void(game, proposal, now)
        return True
    said = {Seat.number_of(seat): agrees for seat, agrees in proposal.votes.values_list("seat", "agrees")}
    votes = [said[seat] for seat in voters if seat in said]
    needed = len(voters) // 2 + 1 if proposal.kind == Kind.REMOVE else len(voters)
    if votes.count(False) > len(voters) - needed:
        _close(game, proposal, Outcome.DECLINED, now)
        return True
    if votes.count(True) < needed:
        return False
    if proposal.kind != Kind.REMOVE and snapshot.without_a_say:
        if not proposal.awaits_objections:
            proposal.awaits_objections = True
            proposal.save(update_fields=["awaits_objections"])
        return False
    _carry_out(game, snapshot, proposal, now)
    return True


def _is_missed(game: Game, snapshot: Snapshot, whom: int) -> bool:
    """Whether somebody has been away for so long that they can be removed: not on holiday, whatever was before."""
    return snapshot.sitters[whom].is_away and whom not in clocks.on_holiday(game, snapshot.sitters)


def put_off(game: Game, now: datetime) -> None:
    """After a pause, which was nobody's doing, everybody has the full time to answer."""
    ends_at = now + _time_to_answer(game)
    _open(game).filter(ends_at__lt=ends_at).update(ends_at=ends_at)


def end_overdue(now: datetime) -> None:
    """Proposals whose time is over lapse, or are carried out if nobody has objected. Nobody had the time of an outage,
    nor that of a pause.
    """
    overdue = Proposal.objects.filter(outcome=Outcome.OPEN, ends_at__lte=clocks.last_alive(now), game__status__in=GOING)
    for game_id, number in overdue.values_list("game", "pk"):
        with suppress(Game.DoesNotExist, SetAside), trusted_rows(game_id, now), locked(game_id) as game:
            # It may have been decided, or put off, between the look and the lock.
            proposal = _open(game).filter(pk=number, ends_at__lte=now).first()
            if proposal is not None and game.status in GOING:
                _end(game, proposal, now)


def _end(game: Game, proposal: Proposal, now: datetime) -> None:
    if proposal.awaits_objections:
        _carry_out(game, snapshots.of(game), proposal, now)
    else:
        _close(game, proposal, Outcome.LAPSED, now)
        _tell(game, "lapse", proposal, now)


# What comes of it


def _carry_out(game: Game, snapshot: Snapshot, proposal: Proposal, now: datetime) -> None:
    _close(game, proposal, Outcome.AGREED, now)
    _DO[Kind(proposal.kind)](game, snapshot, proposal, now)
    recount(game, now)


def _change_pace(game: Game, snapshot: Snapshot, proposal: Proposal, now: datetime) -> None:
    """Everybody has their full time by the new clocks, and nobody has been late by them."""
    pace = next(pace for name, pace in PACES.items() if name == proposal.pace)
    before, after = Seat.IfAbsent.usual(clocks.pace_of(game)), Seat.IfAbsent.usual(pace)
    # Whoever chose something else for when they are absent keeps that.
    Seat.objects.filter(game=game, if_absent=before).update(if_absent=after)
    write_game(game, {"pace": pace.to_json()})
    _tell(game, "change_pace", proposal, now, seat_id=proposal.by_id)
    run_again(game, snapshot, [replace(sitter, late=0) for sitter in snapshot.sitters], now)


def _stop(game: Game, _snapshot: Snapshot, proposal: Proposal, now: datetime) -> None:
    break_off(game, "stop", now=now, seat_id=proposal.by_id, told=_told(proposal))


def _remove(game: Game, snapshot: Snapshot, proposal: Proposal, now: datetime) -> None:
    """A bot plays on. Whoever proposed it still plays, so there is somebody left to play for."""
    whom = Seat.number_of(proposal.whom_id or 0)
    given_up = ordered.kept(snapshot.handed_over(whom, Seat.Player.BOT, late=0), snapshot.state)
    sitters = awaited.seated(given_up, snapshot.state, now)
    write_sitters(game, snapshot.sitters, sitters)
    intervene(game, "remove", now=now, seat_id=proposal.whom_id)
    start_clocks(game, replace(snapshot, sitters=sitters), now)


_DO: Final = {Kind.PACE: _change_pace, Kind.STOP: _stop, Kind.REMOVE: _remove}


def _void(game: Game, proposal: Proposal, now: datetime) -> None:
    _close(game, proposal, Outcome.VOID, now)
    _tell(game, "void", proposal, now)


def _close(game: Game, proposal: Proposal, outcome: Outcome, now: datetime) -> None:
    proposal.outcome, proposal.closed_at = outcome, now
    proposal.save(update_fields=["outcome", "closed_at"])
    write_game(game, {"proposals_open": game.proposals_open - 1})


def _open(game: Game) -> QuerySet[Proposal]:
    return Proposal.objects.filter(game=game, outcome=Outcome.OPEN).order_by("made_at", "pk")


def _tell(
    game: Game,
    what: str,
    proposal: Proposal,
    now: datetime,
    *,
    seat_id: int | None = None,
    absent: list[int] | None = None,
) -> None:
    told = _told(proposal)
    if absent:
        told["absent"] = absent
    intervene(game, what, now=now, seat_id=seat_id, told=told)


def _told(proposal: Proposal) -> Told:
    told: Told = {"proposal": proposal.kind}
    if proposal.pace:
        told["pace"] = proposal.pace
    if proposal.whom_id is not None:
        told["whom"] = Seat.number_of(proposal.whom_id)
    if proposal.outcome == Outcome.AGREED and proposal.closed_at and proposal.closed_at >= proposal.ends_at:
        told["unopposed"] = True
    return told
