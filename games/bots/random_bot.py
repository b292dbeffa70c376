"""A player who does any of the things that can be done, each as likely as the other."""

from __future__ import annotations

from random import Random

from games.rules import Move, View, moves
from games.rules.cards import Counts
from games.rules.views import listed, own_seat

from .position import Position


def choose(view: View, source: Random) -> Move | None:
    own = own_seat(view)
    seat = own["seat"]
    choices = view["choices"]
    if "discard" in choices:
        return _discard(seat, own["hand"], choices["discard"]["count"], source)
    if view["active"] != seat:
        return _answer(view, source)
    ways = [
        {"kind": kind, "seat": seat, **arguments}
        for kind, each in listed(choices).items()
        # Offers are not listed, they are made up; this player makes none.
        if kind not in ("offer_trade", "counter_offer")
        for arguments in each
    ]
    return moves.from_json(source.choice(ways)) if ways else None


def _answer(view: View, source: Random) -> Move | None:
    """Yes or no to an offer, once."""
    for offer in Position(view).unanswered_offers():
        kinds = [
            kind
            for kind in ("accept_offer", "reject_offer")
            if {"offer": offer["number"]} in listed(view["choices"]).get(kind, [])
        ]
        return moves.from_json({"kind": source.choice(kinds), "seat": view["viewer"], "offer": offer["number"]})
    return None


def _discard(seat: int, hand: Counts, count: int, source: Random) -> Move:
    cards = [name for name, held in hand.items() for _ in range(held)]
    lost = source.sample(cards, count)
    return moves.from_json({"kind": "discard", "seat": seat, "resources": {name: lost.count(name) for name in lost}})
