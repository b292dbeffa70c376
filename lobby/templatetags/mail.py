"""Where mails lie on a site that sends none."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def mail_folder() -> str:
    return settings.EMAIL_FILE_PATH or ""
