"""A player who does any of the things that can be done, each as likely as the other."""

from __future__ import annotations

from random import Random
from typing import Any

from games.rules import Move, moves

from .position import Position


def choose(view: dict[str, Any], source: Random) -> Move | None:
    seat = view["viewer"]
    choices = view["moves"]
    if "discard" in choices:
        return _discard(seat, view["seats"][seat]["hand"], choices["discard"]["count"], source)
    if view["active"] != seat:
        return _answer(view, source)
    listed = [
        {"kind": kind, "seat": seat, **arguments}
        for kind, each in choices.items()
        # Offers are not listed, they are made up; this player makes none.
        if kind not in ("offer_trade", "counter_offer")
        for arguments in each
    ]
    return moves.from_json(source.choice(listed)) if listed else None


def _answer(view: dict[str, Any], source: Random) -> Move | None:
    """Yes or no to an offer, once."""
    for offer in Position(view).unanswered_offers():
        kinds = [
            kind
            for kind in ("accept_offer", "reject_offer")
            if {"offer": offer["number"]} in view["moves"].get(kind, [])
        ]
        return moves.from_json({"kind": source.choice(kinds), "seat": view["viewer"], "offer": offer["number"]})
    return None


def _discard(seat: int, hand: dict[str, int], count: int, source: Random) -> Move:
    cards = [name for name, held in hand.items() for _ in range(held)]
    lost = source.sample(cards, count)
    return moves.from_json({"kind": "discard", "seat": seat, "resources": {name: lost.count(name) for name in lost}})
