"""What people send about their tokens."""

from django import forms

from api.models import LONGEST_NAME, Token


class TokenForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=LONGEST_NAME,
        help_text="For yourself, so that you know which program has it.",
        error_messages={"required": "Please name the token, after the program that will use it."},
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(
        label="What it may do",
        choices=Token.Scope,
        initial=Token.Scope.PLAY,
        help_text="“Read” sees what you see, your hand included. “Read and play” also does what you can do at tables, "
        "in games and in chats. Neither can change your account.",
        error_messages={"required": "Please choose what it may do."},
    )
