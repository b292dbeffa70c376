"""People report what somebody said, somebody, or a game. Whoever reports sees what they report, and reads the answer.

First it is found out whom or what somebody means, and whether they may (`of_line` and its like); then the report is
made. All open reports of one person are one case, and so are those of one game where nobody in particular is meant.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from games import selectors
from games.models import Game, Seat
from games.rules.refusals import Forbidden, Malformed, Refusal, TooFast
from lobby import chat, hearing, limits, people
from lobby.models import Chair, ChatLine, User
from lobby.rooms import Room
from moderation import evidence
from moderation.models import LONGEST_TEXT, Case, Report

Kind = Report.Kind

#: How bad each kind is. A case is as heavy as its reports together, and the heaviest is looked at first: one person
#: who says that somebody hates outweighs two who say that somebody is slow.
WEIGHTS: Final[dict[Kind, int]] = {
    Kind.ABUSE: 100,
    Kind.COLLUSION: 50,
    Kind.NAME: 50,
    Kind.SECOND_ACCOUNT: 40,
    Kind.STALLING: 40,
    Kind.OTHER: 30,
}
#: Whoever reports the same person again adds so little: many reports by one are not the word of many.
AGAIN: Final = 10

#: For so long nobody reports the same person or game a second time, unless the first report has been answered.
SAME_AGAIN: Final = timedelta(days=1)

# What is offered where it makes sense; first what is most likely meant.
OF_LINES: Final = (Kind.ABUSE, Kind.COLLUSION, Kind.NAME, Kind.OTHER)
OF_SITTERS: Final = (Kind.STALLING, Kind.ABUSE, Kind.COLLUSION, Kind.SECOND_ACCOUNT, Kind.NAME, Kind.OTHER)
OF_PEOPLE: Final = (Kind.ABUSE, Kind.NAME, Kind.COLLUSION, Kind.SECOND_ACCOUNT, Kind.STALLING, Kind.OTHER)
OF_STRANGERS: Final = (Kind.NAME,)
OF_GAMES: Final = (Kind.COLLUSION, Kind.STALLING, Kind.ABUSE, Kind.OTHER)


class NotReportable(Refusal):
    code = "not_reportable"


class ReportedAlready(Refusal):
    code = "reported_already"


@dataclass(frozen=True, slots=True)
class Subject:
    """What somebody may report."""

    by: User
    #: What the person is called there, or the game as a whole.
    name: str
    kinds: Sequence[Kind]
    person: User | None = None
    game_id: int | None = None
    room: Room | None = None
    line: ChatLine | None = None


# What somebody may report


def of_line(by: User, room: Room, number: int) -> Subject:
    """Something that was said, by those who read it."""
    _require_known(by)
    room.require_reader(by)
    line = hearing.said_to(by, room.lines().filter(number=number)).select_related("user").first()
    if line is None:
        raise NotReportable("There is no such line in this chat, or it isn’t for you.")
    person = _require_somebody_else(by, line.user)
    if line.hidden:
        raise NotReportable("A moderator has already removed this line.")
    return Subject(by, line.name, OF_LINES, person, room.game_id, room, line)


def of_met(by: User, room: Room, key: str) -> Subject:
    """Somebody whom one meets in a chat, by what the reader's page calls them."""
    _require_known(by)
    whom, name = people.whom_in(room, by, key)
    person = _require_somebody_else(by, User.objects.filter(pk=whom).first())
    plays = room.game_id is not None and whom in room.sitters()
    return Subject(by, name, OF_SITTERS if plays else OF_PEOPLE, person, room.game_id, room)


def of_sitter(by: User, game: Game, seat: int) -> Subject:
    """Whoever plays in a game, or has left it; ``Seat.DoesNotExist`` if there is no such seat."""
    _require_known(by)
    selectors.require_watchable_game(game.pk, by.pk)
    sitter = Seat.objects.select_related("user").get(game=game, number=seat)
    person = _require_somebody_else(by, sitter.user)
    return Subject(by, sitter.name, OF_SITTERS, person, game.pk)


def of_person(by: User, whom: User, *, game: Game | None = None) -> Subject:
    """Somebody in a game, or whose page one looks at. Of a stranger there is nothing to report but the name."""
    if game is not None:
        number = Seat.objects.filter(game=game, user=whom).values_list("number", flat=True).first()
        if number is None:
            raise NotReportable("This person doesn’t play in this game.")
        return of_sitter(by, game, number)
    _require_known(by)
    _require_somebody_else(by, whom)
    if have_met(by, whom):
        return Subject(by, whom.shown_name, OF_PEOPLE, whom)
    if whom.is_guest:
        raise NotReportable("You haven’t met this person: there is nothing that you could report.")
    return Subject(by, whom.shown_name, OF_STRANGERS, whom)


def of_game(by: User, game: Game) -> Subject:
    _require_known(by)
    selectors.require_watchable_game(game.pk, by.pk)
    return Subject(by, f"Game {game.pk}", OF_GAMES, game_id=game.pk)


def have_met(one: User, other: User) -> bool:
    """At a table, in a game, or talking beside one."""
    in_conversations = ChatLine.objects.filter(user=one).values("conversation")
    return (
        Seat.objects.filter(user=one, game__seat__user=other).exists()
        or Chair.objects.filter(
            user=one, kept=False, table__chairs__in=Chair.objects.filter(user=other, kept=False)
        ).exists()
        or ChatLine.objects.filter(user=other, conversation__in=in_conversations).exists()
    )


def _require_known(by: User) -> None:
    if by.pk is None:
        raise Forbidden(
            "Sign in or sit down at a table first: the moderators answer reports, and must know whom to answer."
        )


def _require_somebody_else(by: User, whom: User | None) -> User:
    if whom is None or not whom.is_active:
        raise NotReportable("This is a bot, or somebody who has left the site: there is nobody to report.")
    if whom.pk == by.pk:
        raise NotReportable("You can’t report yourself.")
    return whom


# Reporting


def report_line(by: User, room: Room, number: int, kind: str, text: str, *, now: datetime) -> Report:
    return make(of_line(by, room, number), kind, text, now=now)


def report_person(by: User, whom: User, kind: str, text: str, *, now: datetime, game: Game | None = None) -> Report:
    return make(of_person(by, whom, game=game), kind, text, now=now)


def report_game(by: User, game: Game, kind: str, text: str, *, now: datetime) -> Report:
    return make(of_game(by, game), kind, text, now=now)


def make(subject: Subject, kind: str, text: str, *, now: datetime) -> Report:
    """Take the evidence along, and put the report on the open case of the person or the game."""
    chosen, words = _kind(subject, kind), _clean(text)
    if chosen == Kind.OTHER and not words:
        raise Malformed("Please say in a sentence or two what happened.")
    about: evidence.Who = {"person": subject.person.pk if subject.person else None, "name": subject.name}
    taken = evidence.collect(about, now=now, room=subject.room, line=subject.line, game_id=subject.game_id)
    try:
        return _write(subject, chosen, words, taken, now)
    except IntegrityError as error:
        # The race: the account was deleted after it was found.
        raise NotReportable("This person has just left the site: there is nobody to report.") from error


def _write(subject: Subject, chosen: Kind, words: str, taken: evidence.Evidence, now: datetime) -> Report:
    with transaction.atomic():
        # Whoever decides a case locks it first and the people second; so does this.
        case = _open_case(subject, now)
        limits.lock(subject.by)
        require_new(subject, now=now)
        _require_patience(subject.by, now)
        worth = AGAIN if case.reports.filter(by=subject.by).exists() else WEIGHTS[chosen]
        Case.objects.filter(pk=case.pk).update(weight=F("weight") + worth)
        return Report.objects.create(
            case=case,
            by=subject.by,
            kind=chosen,
            text=words,
            made_at=now,
            game_id=subject.game_id,
            line=subject.line,
            evidence=taken,
        )


def _kind(subject: Subject, kind: str) -> Kind:
    if kind not in Kind:
        raise Malformed("Please choose what you want to report.")
    if kind not in subject.kinds:
        if subject.kinds == OF_STRANGERS:
            raise NotReportable("You haven’t met this person: the only thing you can report is the name.")
        raise Malformed("This can’t be reported here: please choose one of the others.")
    return Kind(kind)


def _clean(text: str) -> str:
    """Line by line what a chat would show, or `Malformed`."""
    lines = [
        " ".join("".join(filter(chat.may_stand, line)).split())
        for line in unicodedata.normalize("NFC", text).splitlines()
    ]
    words = "\n".join(lines).strip()
    if len(words) > LONGEST_TEXT:
        raise Malformed(
            f"Your report can have {LONGEST_TEXT} characters at most, and yours has {len(words)}: please shorten it."
        )
    return words if any(map(chat.is_visible, words)) else ""


def _open_case(subject: Subject, now: datetime) -> Case:
    """The one that is open, locked.

    Two who report at once both find none: the database lets one of them make it, and the other then finds that. And
    the one that was found may be closed before we have its lock: then there is none again.
    """
    whose = {"person": subject.person} if subject.person else {"game_id": subject.game_id}
    while True:
        Case.objects.get_or_create(**whose, closed_at=None, defaults={"opened_at": now})
        case = Case.objects.select_for_update(no_key=True).filter(**whose, closed_at=None).first()
        if case is not None:
            return case


def require_new(subject: Subject, *, now: datetime) -> None:
    """Nobody reports a line twice, nor within a day the same person or game, unless they were answered."""
    own = Report.objects.filter(by=subject.by)
    if subject.line is not None:
        if own.filter(line=subject.line).exists():
            raise ReportedAlready("You have already reported this line. “Your reports” shows how it stands.")
        return
    same = Q(case__person=subject.person) if subject.person else Q(case__person=None, game=subject.game_id)
    lately = own.filter(same, line=None, outcome=Report.Outcome.OPEN, made_at__gt=now - SAME_AGAIN)
    if lately.exists():
        raise ReportedAlready(
            f"You have already reported {subject.name} today, and a moderator will look at it. "
            "“Your reports” shows how it stands."
        )


def _require_patience(by: User, now: datetime) -> None:
    """Guests are counted like everybody else, and how many of them an address can make is counted too."""
    most = settings.REPORTS_AN_HOUR
    times = Report.objects.filter(by=by).order_by("-made_at").values_list("made_at", flat=True)
    earliest = times[most - 1 : most].first()
    if earliest is not None and now - earliest < limits.HOUR:
        raise TooFast(
            f"You have sent {most} reports within an hour, and the moderators read all of them. "
            "This one was not sent; try again later.",
            (earliest + limits.HOUR - now).seconds + 1,
        )


# What became of it


def of_reporter(by: User) -> QuerySet[Report]:
    """Their reports, the latest first, with what was reported; the rest of the evidence is not for them, and long.

    Whoever has no row has none: those that are nobody's any more were made by somebody who has left.
    """
    named = Report.objects.filter(by=by.pk or 0).annotate(about=F("evidence__about__name")).defer("evidence")
    return named.select_related("case__person", "line__conversation__table").order_by("-made_at", "-pk")


# Guests who turn out to have an account


def move(guest: User, account: User) -> None:
    """What the guest has reported, and what was reported of them and decided about them, becomes the account's."""
    _merge_cases(guest, account)
    Case.objects.filter(person=guest).update(person=account)
    reported = Report.objects.filter(by=account, line__isnull=False).values("line")
    # A line that both have reported stays reported by both: nobody reports one twice.
    Report.objects.filter(by=guest).exclude(line__in=reported).update(by=account)
    guest.decisions.update(person=account)


def _merge_cases(guest: User, account: User) -> None:
    """Nobody has two open cases: what weighs on the guest's is added to the account's."""
    both = Case.objects.select_for_update(no_key=True).filter(person__in=(guest, account), closed_at=None)
    cases = {case.person_id: case for case in both.order_by("pk")}
    if len(cases) < 2:
        return
    old, kept = cases[guest.pk], cases[account.pk]
    old.reports.update(case=kept)
    old.decisions.update(case=kept)
    kept.weight += old.weight
    kept.opened_at = min(kept.opened_at, old.opened_at)
    if kept.taken_by_id is None:
        kept.taken_by, kept.taken_at = old.taken_by, old.taken_at
    kept.save(update_fields=["weight", "opened_at", "taken_by", "taken_at"])
    old.delete()
