"""The Celery application, for workers, for beat and for whoever queues a task."""

import os
from typing import Any

from celery import Celery, signals
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")

app = Celery("catan_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A task's log lines carry the id of the request that queued it.
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Celery sets up its own logging unless someone listens here; Django's is set up already."""
