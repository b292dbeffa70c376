"""Time for tests."""

from datetime import datetime, timedelta

from django.utils import timezone


class Clock:
    """The time as the site sees it. It stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def move(self, seconds: float) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now
