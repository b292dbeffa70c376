"""What stands above the lobby has something to show on its pages: the settings say what, not the lobby."""

from django import template
from django.conf import settings
from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def added(context: Context, place: str) -> str:
    """The template that is drawn at a place of a page, with all that the page knows there."""
    name = settings.ADDED.get(place)
    assert context.template is not None  # noqa: S101 - a tag is always drawn by a template
    return context.template.engine.get_template(name).render(context) if name else ""
