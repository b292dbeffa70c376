"""Sentences with names in them."""

import re
from typing import Final

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

#: What is written from right to left, with the spaces in between.
_LETTERS: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_BACKWARDS: Final = re.compile(f"[{_LETTERS}]+(?: [{_LETTERS}]+)*")


@register.filter
def isolated_names(sentence: str) -> SafeString:
    """A name that reads from right to left takes nothing along that stands beside it: no number, no full stop."""
    # Escaped first, so that what is marked safe holds no tags but these.
    return mark_safe(_BACKWARDS.sub(r"<bdi>\g<0></bdi>", escape(sentence)))  # noqa: S308
