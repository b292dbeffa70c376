"""What people send about the ways by which they are told."""

from django import forms
from django.http import QueryDict

from lobby.models import Webhook
from lobby.notice_models import LONGEST_ADDRESS


class WebhookForm(forms.Form):
    url = forms.CharField(
        label="Address of the webhook",
        max_length=LONGEST_ADDRESS,
        widget=forms.URLInput({"autocomplete": "off", "placeholder": "https://…", "spellcheck": "false"}),
        help_text="Anyone who knows it can post there, so we never show it again, not even to you.",
        error_messages={
            "required": "Please paste the address that Discord or Slack gave you.",
            "max_length": f"This address is too long: it can have {LONGEST_ADDRESS} characters at most.",
        },
    )
    form = forms.ChoiceField(
        label="Service",
        required=False,
        choices=[
            ("", "Work it out from the address"),
            (Webhook.Form.DISCORD.value, "Discord"),
            (Webhook.Form.SLACK.value, "Slack, or a service that accepts the same format, such as Mattermost"),
        ],
        error_messages={"invalid_choice": "Please choose one from the list."},
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        # Other forms may stand on the same page, with fields of the same name.
        super().__init__(data, auto_id="webhook-%s")
