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
def chat_at(context: dict[str, Any], code: str) -> Door:
    return door(context["request"], "table", code=code)
