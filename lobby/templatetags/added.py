"""What stands above the lobby has something to show on its pages: the settings say what, not the lobby."""

from django import template
from django.conf import settings
from django.template import Context
from django.utils.html import format_html_join

register = template.Library()


@register.simple_tag(takes_context=True)
def added(context: Context, place: str) -> str:
    """The templates that are drawn at a place of a page, with all that the page knows there."""
    assert context.template is not None  # noqa: S101 - a tag is always drawn by a template
    engine = context.template.engine
    templates = (engine.get_template(name) for name in settings.ADDED.get(place, ()))
    return format_html_join("", "{}", ([each.render(context)] for each in templates))
