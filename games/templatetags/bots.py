"""How strong a bot is, in words."""

from django import template

from games.bots import Strength
from games.words_bots import BOTS
from games.words_rules import Choice

register = template.Library()


@register.filter
def bot(strength: Strength) -> Choice:
    """What people are told of a bot of this strength."""
    return BOTS[strength]
