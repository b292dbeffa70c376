"""Holidays that people take from games over days; `lobby.holidays` says which they may."""

from datetime import date, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Holiday(models.Model):
    """From one moment to another, by UTC; a day that it touches counts. One that was called off is deleted."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="holidays")
    begins_at = models.DateTimeField()
    until = models.DateTimeField(help_text="The end of the last day, or when its person came back before.")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(until__gt=F("begins_at")), name="a_holiday_ends_after_it_begins"),
        ]
        indexes: ClassVar = [models.Index(fields=["until"], name="holidays_by_their_end")]

    def __str__(self) -> str:
        return f"holiday of {self.person_id} until {self.until}"

    @property
    def first_day(self) -> date:
        return self.begins_at.date()

    @property
    def last_day(self) -> date:
        return (self.until - timedelta.resolution).date()

    @property
    def days(self) -> int:
        return (self.last_day - self.first_day).days + 1

    def days_in(self, year: int) -> int:
        """One over a year's end takes of both years."""
        first, last = max(self.first_day, date(year, 1, 1)), min(self.last_day, date(year, 12, 31))
        return max(0, (last - first).days + 1)
