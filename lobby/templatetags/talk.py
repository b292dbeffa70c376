"""What a page that knows nothing of chats draws of them."""

from typing import Any

from django import template

from games.page import Page
from lobby import guests, rooms
from lobby.views_chat import Door, door

register = template.Library()


@register.simple_tag(takes_context=True)
def chats_beside(context: dict[str, Any], page: Page) -> list[Door]:
    """The chats beside a game that a visitor may read."""
    visitor = guests.visitor(context["request"])
    return [Door(room, visitor, {"game_id": page["game"]}) for room in rooms.of_page(page) if room.may_read(visitor)]


@register.simple_tag(takes_context=True)
def what_watchers_said(context: dict[str, Any], page: Page) -> str:
    """Where those who played read it, once the game is over; a page that was open then has no tab for it."""
    room = rooms.of_watchers(page["game"])
    visitor = guests.visitor(context["request"])
    is_there = page["viewer"] is not None and room.may_read(visitor) and room.lines().exists()
    return Door(room, visitor, {"game_id": page["game"]}).address if is_there else ""


@register.simple_tag(takes_context=True)
def chat_at(context: dict[str, Any], code: str) -> Door:
    return door(context["request"], "table", code=code)
