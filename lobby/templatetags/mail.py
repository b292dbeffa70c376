"""Where mails lie on a site that sends none, and names in those that are sent."""

from django import template
from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from lobby.notices import words

register = template.Library()


@register.simple_tag
def mail_folder() -> str:
    return settings.EMAIL_FILE_PATH or ""


@register.filter
def isolated(text: str) -> SafeString:
    """What is told, with its names in elements of their own: one that reads from right to left turns nothing else."""
    escaped = escape(text)
    # Escaped first, so that what is marked safe holds no tags but these.
    return mark_safe(escaped.replace(words.FIRST_MARK, "<bdi>").replace(words.LAST_MARK, "</bdi>"))  # noqa: S308


@register.filter
def plain(text: str) -> str:
    return words.plain(text)
