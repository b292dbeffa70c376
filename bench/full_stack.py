"""A database of its own, and a Redis to come, for a measurement that starts the site's processes itself."""

from __future__ import annotations

import os
import subprocess
import sys

from deploy import throwaway
from deploy.children import free_port
from tests.sites import ROOT, UNSET


def measure(module: str) -> None:
    """Run a module of this package in a process that has its own settings."""
    with throwaway.folder() as home, throwaway.postgresql(home / "postgresql") as database:
        # Who queues a task and who does it must meet, so the module's own process is told where Redis will be.
        redis = f"redis://127.0.0.1:{free_port()}/0"
        environment = {**os.environ, **UNSET, "DATABASE_URL": database, "REDIS_URL": redis, "DATA_DIR": str(home)}
        environment |= {"LOG_LEVEL": "ERROR", "DJANGO_SETTINGS_MODULE": "catan_site.settings"}
        for words in (["manage.py", "migrate", "--verbosity", "0"], ["-m", f"bench.{module}"]):
            subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, check=True)
