"""What a game's page, which knows nothing of tables, says of the rematch."""

from django import template

from lobby import selectors
from lobby.selectors import Rematch

register = template.Library()


@register.simple_tag
def rematch_of(game_id: int) -> Rematch | None:
    return selectors.rematch_of(game_id)
