"""What is said of a pair: the figures in sentences, each with how far it is from usual."""

from __future__ import annotations

from typing import NamedTuple

from moderation.models import ADDRESSES_KEPT, Pair
from moderation.pairs import figures_of


class Said(NamedTuple):
    about: str
    sentences: list[str]
    #: In standard deviations; nothing, if it is no favour.
    score: float | None = None


def said_of(pair: Pair) -> list[Said]:
    figures = figures_of(pair)
    scores = figures["scores"]
    return [
        Said("Cards given away", _cards(pair), scores["balance"]),
        Said("The robber", _robber(pair), scores["spared"]),
        Said("Who wins", _wins(pair), scores["wins"]),
        Said("Resigning", _resigning(pair), scores["resigned"]),
        Said("Trade with others", _trade(pair)),
        Said("Together", _together(pair)),
    ]


def _cards(pair: Pair) -> list[str]:
    figures = figures_of(pair)
    given = figures["given"]
    over = f"in {_counted(figures['trades'], 'trade')} over {_counted(pair.games, 'game')}"
    if given:
        giver, taker = _in_order(pair, is_turned=given < 0)
        said = f"{giver} gave {taker} {_counted(abs(given), 'card')} more than they got back, {over}."
        usual = figures["usual_given"] if given > 0 else -figures["usual_given"]
    else:
        said, usual = f"They gave each other the same number of cards, {over}.", figures["usual_given"]
    return [said, f"Usual is {_number(usual)} ± {_number(figures['give_or_take'])}."]


def _robber(pair: Pair) -> list[str]:
    figures = figures_of(pair)
    first, second = _in_order(pair)
    sentences = []
    # The figures are of whoever was robbed.
    for place, thief, robbed in ((1, first, second), (0, second, first)):
        stole, hits = _counted(figures["thefts"][place], "time"), figures["robbed"][place]
        sentences.append(f"{thief} stole {stole}, {hits} of them from {robbed}.")
        sentences.append(f"Usual is {_number(figures['usually_robbed'][place])}.")
    return sentences


def _wins(pair: Pair) -> list[str]:
    figures, names = figures_of(pair), _in_order(pair)
    return [
        f"{name} won {won} of these games. Usual, by their other games, is {_number(usual)}."
        for name, won, usual in zip(names, figures["wins"], figures["usual_wins"], strict=True)
    ]


def _resigning(pair: Pair) -> list[str]:
    figures = figures_of(pair)
    helped, usual = figures["helped"], _number(figures["usually_helped"])
    said = f"In {_counted(helped, 'game')} one of them resigned and the other won."
    return [
        said if helped else "In none of their games did one of them resign and the other win.",
        f"Usual is {usual}.",
    ]


def _trade(pair: Pair) -> list[str]:
    figures = figures_of(pair)
    trades, elsewhere = _counted(figures["trades"], "trade"), figures["trades_elsewhere"]
    own, others = _accepted(figures["answers"]), _accepted(figures["answers_to_others"])
    return [
        f"At these tables they made {trades} with each other, and {elsewhere} with others.",
        f"Of the offers they made each other {own}, and of everybody else’s to them, in all their games, {others}.",
    ]


def _together(pair: Pair) -> list[str]:
    figures = figures_of(pair)
    first, second = _in_order(pair)
    mine, theirs = figures["games"]
    shared = pair.shared_addresses
    return [
        f"They played {_counted(pair.games, 'game')} together: {first} played {mine} in all, {second} {theirs}.",
        f"They came from {_counted(shared, 'shared address', 'shared addresses')} within {ADDRESSES_KEPT.days} days."
        if shared
        else f"They came from no shared address within {ADDRESSES_KEPT.days} days.",
    ]


def _in_order(pair: Pair, *, is_turned: bool = False) -> tuple[str, str]:
    first, second = pair.first.shown_name, pair.second.shown_name
    return (second, first) if is_turned else (first, second)


def _accepted(answers: list[int]) -> str:
    accepted, declined = answers
    return f"{accepted} of {accepted + declined} were accepted" if accepted + declined else "none was answered"


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def _number(value: float) -> str:
    """Whole from ten on; nobody reads a minus into a hyphen."""
    text = f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}"
    return "0" if text in ("0.0", "-0.0", "-0") else text.replace("-", "−").removesuffix(".0")
