"""The ways by which somebody is told, as panels that any page of theirs can draw."""

from typing import Any

from django import template

from lobby.forms_ways import WebhookForm
from lobby.models import PushSubscription, User, Webhook
from lobby.notices import push, webhook
from lobby.notices.ways import device_of

register = template.Library()


@register.inclusion_tag("account/_push.html", takes_context=True)
def push_panel(context: dict[str, Any]) -> dict[str, Any]:
    request = context["request"]
    person: User = request.user
    return {
        "is_offered": push.is_offered(),
        "key": push.public_key() if push.is_offered() else "",
        "devices": PushSubscription.objects.filter(person=person).order_by("added_at", "pk"),
        "own": device_of(request.session),
        "next": request.path,
    }


@register.inclusion_tag("account/_webhook.html", takes_context=True)
def webhook_panel(context: dict[str, Any]) -> dict[str, Any]:
    """With `webhook_form` in the page's context if what was typed has to be shown again."""
    request = context["request"]
    person: User = request.user
    kept = Webhook.objects.filter(person=person).first()
    return {
        "webhook": kept,
        "address": webhook.shortened(kept.url) if kept else "",
        "form": context.get("webhook_form") or WebhookForm(),
        # A form that was refused is drawn on a page of its own: the way back is still to where it was.
        "next": request.POST.get("next") or request.path,
    }
