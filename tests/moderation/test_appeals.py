"""What people say against a decision about them: once, and to somebody else if there is somebody else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from games.rules import Refusal
from lobby import restrictions
from lobby.models import User
from lobby.restrictions import moment
from moderation import appeals, cases, deciding
from moderation.appeals import CannotAppeal
from moderation.audit import Act
from moderation.deciding import Measure
from moderation.models import Appeal, AuditLine, Decision
from tests.clock import Clock
from tests.lobby.test_races import all_at_once
from tests.moderation.deciding_cases import DISMISS, WARN, Kind, case_of, decide, moderator, page, press
from tests.staff import browser_of

pytestmark = pytest.mark.slow

MINE = "/account/moderators/"
QUEUE = "/admin/moderation/appeal/"


def ban(period: str = "1 week") -> Measure:
    return Measure(Kind.BAN, period=period)


def appealed(by: User, decision: Decision, text: str = "It was not me.") -> Appeal:
    return appeals.appeal(by, decision.pk, text, now=Clock().now)


def send(person: User, decision: Decision, text: str = "It was not me.") -> Any:
    return browser_of(person).post(f"{MINE}{decision.pk}/appeal/", {"text": text}, follow=True)


def waiting(staff: User, **filters: str) -> list[str]:
    found = browser_of(staff).get(QUEUE, filters).context["cl"].result_list
    return [appeal.decision.person.shown_name for appeal in found]


# Appealing


def test_a_banned_persons_page_offers_an_appeal_once_and_ends_when_the_decision_does(
    mona: User, milo: User, alice: User
) -> None:
    decision = decide(case_of(alice), mona, ban())[0]
    door = browser_of(alice).get("/").content.decode()
    assert "Read more and appeal" in door
    assert decision.until is not None
    assert moment(decision.until) in door
    assert moment(decision.until) in browser_of(alice).get(f"{MINE}{decision.pk}/").content.decode()
    appeal = appealed(alice, decision)
    door = browser_of(alice).get("/").content.decode()
    assert "you can appeal" not in door
    assert "A moderator will look at it again." in door
    appeals.answer(appeal.pk, milo, "It stands.", undo=False, now=Clock().now)
    assert "the decision stands" in browser_of(alice).get("/").content.decode()


def test_somebody_appeals_on_the_page_of_the_decision(mona: User, milo: User, alice: User) -> None:
    decision = decide(case_of(alice), mona, ban())[0]
    shown = browser_of(alice).get(f"{MINE}{decision.pk}/").content.decode()
    assert "Is this wrong?" in shown
    sent = send(alice, decision, "My <i>brother</i> did it.").content.decode()
    assert "Your appeal is with the moderators." in sent
    assert "My &lt;i&gt;brother&lt;/i&gt; did it." in sent
    assert "Is this wrong?" not in sent
    assert waiting(mona) == waiting(milo) == ["alice"]
    assert "1 waiting" in browser_of(milo).get("/admin/moderation/case/").content.decode()
    assert (
        "My &lt;i&gt;brother&lt;/i&gt; did it." in page(milo, "appeal_change", Appeal.objects.get().pk).content.decode()
    )


def test_a_guest_appeals_too(mona: User) -> None:
    guest = User.guest("Sheep")
    guest.save()
    assert "with the moderators" in send(guest, decide(case_of(guest), mona)[0]).content.decode()


def test_a_decision_is_appealed_once(mona: User, alice: User) -> None:
    decision = decide(case_of(alice), mona, ban())[0]
    send(alice, decision, "First.")
    again = send(alice, decision, "Second.")
    assert again.status_code == 409
    assert "each decision can be appealed once" in again.content.decode()
    assert Appeal.objects.get().text == "First."
    appeals.answer(Appeal.objects.get().pk, mona, "No.", undo=False, now=Clock().now)
    assert send(alice, decision, "Third.").status_code == 409


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_appeals_at_once_one_is_made() -> None:
    mona, alice = moderator("Mona"), User.objects.create_user("alice")
    decision = decide(case_of(alice), mona)[0]
    answers = all_at_once([lambda: appealed(alice, decision)] * 5)
    assert sum(isinstance(answer, CannotAppeal) for answer in answers) == 4
    assert Appeal.objects.count() == 1


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1001])
def test_an_appeal_says_something(mona: User, alice: User, text: str) -> None:
    decision = decide(case_of(alice), mona)[0]
    assert send(alice, decision, text).status_code == 400
    with pytest.raises(deciding.BadDecision):
        appealed(alice, decision, text)
    assert not Appeal.objects.exists()


def test_what_has_ended_or_was_taken_back_is_not_appealed(mona: User, alice: User, bob: User, clock: Clock) -> None:
    ended = decide(case_of(alice), mona, ban("1 hour"), now=clock.now)[0]
    undone = decide(case_of(bob), mona, ban("1 week"), now=clock.now)[0]
    deciding.undo(undone.pk, mona, "Sorry.", now=clock.now)
    clock.move(3600)
    for person, decision, why in ((alice, ended, "has already ended"), (bob, undone, "has been taken back")):
        answer = send(person, decision)
        assert (answer.status_code, why in answer.content.decode()) == (409, True)
        assert "Is this wrong?" not in browser_of(person).get(f"{MINE}{decision.pk}/").content.decode()
    assert not Appeal.objects.exists()


def test_nobody_appeals_what_is_not_theirs_or_was_dismissed(mona: User, alice: User, bob: User) -> None:
    decision = decide(case_of(alice), mona)[0]
    dismissed = decide(case_of(bob), mona, DISMISS)[0]
    assert send(bob, decision).status_code == 404
    assert send(bob, dismissed).status_code == 404
    assert send(bob, Decision(pk=4711)).status_code == 404
    with pytest.raises(Decision.DoesNotExist):
        appealed(bob, decision)
    with pytest.raises(CannotAppeal):
        appealed(bob, dismissed)
    assert browser_of(alice).get(f"{MINE}{decision.pk}/appeal/").status_code == 405
    assert not Appeal.objects.exists()


# Answering


def test_another_moderator_answers_and_the_person_reads_it(
    mona: User, milo: User, alice: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona, ban())[0])
    alice_browser = browser_of(alice)
    alice_browser.get(MINE)
    with django_capture_on_commit_callbacks(execute=True):
        assert press(milo, "appeal_uphold", appeal.pk, answer="We looked again.").status_code == 302
    appeal.refresh_from_db()
    alice.refresh_from_db()
    assert (appeal.outcome, appeal.answered_by) == (Appeal.Outcome.UPHELD, milo)
    assert alice.banned_until is not None
    assert alice.has_moderators_news
    told = alice_browser.get(f"{MINE}{appeal.decision_id}/").content.decode()
    assert "The decision stands. We looked again." in told
    assert waiting(milo) == []
    assert waiting(milo, state="answered") == ["alice"]
    line = AuditLine.objects.get(act=Act.ANSWERED_APPEAL)
    assert (line.staff, line.person, line.why, line.details["outcome"]) == (
        milo.pk,
        alice.pk,
        "We looked again.",
        "upheld",
    )


def test_an_appeal_that_is_granted_takes_the_decision_back(mona: User, milo: User, alice: User) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona, ban())[0])
    press(milo, "appeal_undo", appeal.pk, answer="You are right.")
    alice.refresh_from_db()
    appeal.refresh_from_db()
    assert (appeal.outcome, alice.banned_until) == (Appeal.Outcome.UNDONE, None)
    assert appeal.decision.undone_by == milo
    told = browser_of(alice).get(MINE).content.decode()
    assert "took this back" in told
    assert "You are right." in told


def test_whoever_decided_does_not_answer_while_somebody_else_can(mona: User, milo: User, alice: User) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona)[0])
    shown = page(mona, "appeal_change", appeal.pk).content.decode()
    assert "another moderator answers the appeal" in shown
    for name in ("appeal_uphold", "appeal_undo"):
        assert press(mona, name, appeal.pk, answer="No.").status_code == 409
    appeal.refresh_from_db()
    assert appeal.outcome == Appeal.Outcome.OPEN
    assert AuditLine.objects.filter(act=Act.WAS_REFUSED, staff=mona.pk).count() == 2


@pytest.mark.parametrize("others", ["nobody", "a reporter", "somebody without the permission", "somebody who left"])
def test_whoever_is_alone_answers_what_they_decided_themselves(mona: User, alice: User, bob: User, others: str) -> None:
    reporters = [bob]
    if others == "a reporter":
        reporters = [moderator("Milo")]
    elif others == "somebody without the permission":
        User.objects.create_user("nora", is_staff=True)
    elif others == "somebody who left":
        milo = moderator("Milo")
        User.objects.filter(pk=milo.pk).update(is_active=False)
    appeal = appealed(alice, decide(case_of(alice, reporters), mona)[0])
    assert "You made this decision yourself." in page(mona, "appeal_change", appeal.pk).content.decode()
    assert press(mona, "appeal_uphold", appeal.pk, answer="I looked again.").status_code == 302
    appeal.refresh_from_db()
    assert appeal.answered_by == mona


def test_nobody_answers_their_own_appeal(mona: User, milo: User) -> None:
    appeal = appealed(milo, decide(case_of(milo), mona)[0])
    assert waiting(milo) == []
    assert page(milo, "appeal_change", appeal.pk).status_code == 403
    with pytest.raises(cases.NotImpartial):
        appeals.answer(appeal.pk, milo, "I am right.", undo=True, now=Clock().now)


def test_an_appeal_is_answered_once_and_with_a_sentence(mona: User, milo: User, alice: User) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona)[0])
    assert press(milo, "appeal_uphold", appeal.pk, answer=" ").status_code == 400
    assert press(milo, "appeal_uphold", appeal.pk, answer="No.").status_code == 302
    late = press(milo, "appeal_undo", appeal.pk, answer="Yes.")
    assert (late.status_code, "already been answered" in late.content.decode()) == (409, True)
    appeal.refresh_from_db()
    assert (appeal.outcome, appeal.answer, appeal.decision.undone_at) == (Appeal.Outcome.UPHELD, "No.", None)


@pytest.mark.both_stacks
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_once_one_counts() -> None:
    mona, alice = moderator("Mona"), User.objects.create_user("alice")
    people = [moderator(name) for name in ("Milo", "Mira", "Mats", "Mavi")]
    appeal = appealed(alice, decide(case_of(alice), mona, ban())[0])
    now = Clock().now
    calls = [
        lambda one=one, undo=bool(number % 2): appeals.answer(appeal.pk, one, f"{undo}", undo=undo, now=now)
        for number, one in enumerate(people)
    ]
    answers = all_at_once(calls)  # type: ignore[arg-type]
    assert sum(isinstance(answer, Refusal) for answer in answers) == len(calls) - 1
    appeal.refresh_from_db()
    alice.refresh_from_db()
    assert (appeal.answer == "True") == (appeal.outcome == Appeal.Outcome.UNDONE) == (alice.banned_until is None)
    assert AuditLine.objects.filter(act=Act.ANSWERED_APPEAL).count() == 1


def test_a_decision_that_is_taken_back_answers_its_appeal(mona: User, milo: User, alice: User) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona, ban())[0])
    deciding.undo(appeal.decision_id, milo, "A mistake.", now=Clock().now)
    appeal.refresh_from_db()
    assert (appeal.outcome, appeal.answer) == (Appeal.Outcome.UNDONE, "A mistake.")
    with pytest.raises(appeals.AppealAnswered):
        appeals.answer(appeal.pk, milo, "No.", undo=False, now=Clock().now)


def test_an_appeal_against_what_has_ended_meanwhile_is_still_answered(
    mona: User, milo: User, alice: User, clock: Clock
) -> None:
    decision = decide(case_of(alice), mona, ban("1 hour"), now=clock.now)[0]
    appeal = appeals.appeal(alice, decision.pk, "It was not me.", now=clock.now)
    clock.move(3600)
    appeals.answer(appeal.pk, milo, "You are right.", undo=True, now=clock.now)
    decision.refresh_from_db()
    assert decision.undone_at == clock.now


def test_whoever_may_only_look_answers_nothing(mona: User, alice: User, dana: User) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona, WARN)[0])
    dana.user_permissions.add(Permission.objects.get(codename="view_appeal"))
    assert "The decision stands" not in page(dana, "appeal_change", appeal.pk).content.decode()
    for name in ("appeal_uphold", "appeal_undo"):
        assert press(dana, name, appeal.pk, answer="No.").status_code == 403
        assert page(mona, name, appeal.pk).status_code == 405
        assert press(mona, name, 4711, answer="No.").status_code == 404


def test_lists_of_decisions_and_appeals_take_few_queries(
    mona: User, milo: User, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for number in range(20):
        person = User.objects.create_user(f"person {number}")
        appealed(person, decide(case_of(person), mona)[0])
    browser = browser_of(milo)
    for model in ("decision", "appeal"):
        browser.get(f"/admin/moderation/{model}/")
        with django_assert_max_num_queries(14):
            answer = browser.get(f"/admin/moderation/{model}/")
        assert answer.context["cl"].result_count == 20
    latest = Appeal.objects.latest("pk")
    with django_assert_max_num_queries(14):
        page(browser, "appeal_change", latest.pk)


def test_a_moderator_who_is_banned_is_nobody_to_wait_for(mona: User, milo: User, alice: User, clock: Clock) -> None:
    appeal = appealed(alice, decide(case_of(alice), mona, ban("for good"))[0])
    restrictions.ban(milo, clock.now + timedelta(days=1), now=clock.now)
    answered = appeals.answer(appeal.pk, mona, "It stands.", undo=False, now=clock.now)
    assert answered.outcome == Appeal.Outcome.UPHELD
