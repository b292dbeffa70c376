"""What the pages of the staff need beside Django's own tags."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from lobby import restrictions

register = template.Library()

_CELL: Final = re.compile(r"^\s*<t[dh]")


@register.filter
def ends(until: datetime) -> str:
    """As whoever it ends for reads it: a decision ends at one time on all pages."""
    return restrictions.moment(until)


@register.simple_tag
def labelled(row: Iterable[SafeString], headers: Iterable[Mapping[str, Any]]) -> SafeString:
    """The cells of one row of a list, as Django has drawn them, each with the name of its column: on a phone they stand
    below one another, and the headings are gone."""
    # Both were escaped when they were drawn; what is added here is escaped now.
    return mark_safe("".join(_labelled(cell, header) for cell, header in zip(row, headers, strict=True)))  # noqa: S308


def _labelled(cell: str, header: Mapping[str, Any]) -> str:
    if "action-checkbox" in header.get("class_attrib", ""):
        return cell
    label = format_html(' data-label="{}"', capfirst(str(header["text"])))
    return _CELL.sub(lambda found: found[0] + label, cell, count=1)
