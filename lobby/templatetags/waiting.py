"""How many games wait for whoever looks at a page."""

from typing import Any

from django import template

from lobby import guests, waiting

register = template.Library()


@register.simple_tag(takes_context=True)
def games_waiting(context: Any, besides: int | None = None) -> int:
    """Counted once a page, however many of its blocks ask."""
    kept: dict[int | None, int] = context.render_context.setdefault("games_waiting", {})
    if besides not in kept:
        kept[besides] = waiting.count(guests.visitor(context["request"]), besides)
    return kept[besides]
