from celery import shared_task
from django.utils import timezone

from lobby import meeting


@shared_task
def free_chairs_of_those_gone() -> None:
    meeting.free_chairs_of_those_gone(timezone.now())
