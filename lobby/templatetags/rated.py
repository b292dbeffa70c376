"""What a game's page, which knows nothing of ratings, says of them at the end."""

from django import template

from lobby import profiles
from lobby.profiles import RatedEnd

register = template.Library()


@register.simple_tag
def rated_end(game_id: int) -> RatedEnd | None:
    return profiles.rated_end(game_id)
