"""What a page that knows nothing of chats draws of them."""

from typing import Any

from django import template

from lobby import guests, rooms
from lobby import watching as watchers
from lobby.views_chat import Door, door

register = template.Library()


@register.simple_tag(takes_context=True)
def chats_of(context: dict[str, Any], game_id: int) -> list[Door]:
    """The chats beside a game that a visitor may read."""
    visitor = guests.visitor(context["request"])
    return [Door(room, visitor, {"game_id": game_id}) for room in rooms.of_game(game_id) if room.may_read(visitor)]


@register.simple_tag(takes_context=True)
def chat_at(context: dict[str, Any], code: str) -> Door:
    return door(context["request"], "table", code=code)


@register.simple_tag
def watching(game_id: int) -> str:
    """How many watch a game."""
    return watchers.count(game_id)
