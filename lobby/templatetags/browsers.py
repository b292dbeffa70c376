"""What people call the browser that they are signed in with."""

from typing import Final

from django import template

register = template.Library()

#: What browsers say of themselves. The first that is found counts: most claim to be others, too.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS: Final = {
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Android": "Android",
    "CrOS": "a Chromebook",
    "Windows": "Windows",
    "Macintosh": "a Mac",
    "Linux": "Linux",
}


@register.filter
def browser_in_words(agent: str) -> str:
    browser = next((name for sign, name in _BROWSERS.items() if sign in agent), "A browser")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    return f"{browser} on {system}" if system else browser
