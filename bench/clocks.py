"""Many clocks that run out in the same second, and how soon games move on after a part of the site was gone."""

from __future__ import annotations

import os
import subprocess
import sys

from deploy import throwaway
from deploy.children import free_port
from tests.sites import ROOT, UNSET


def measure() -> None:
    with throwaway.folder() as home, throwaway.postgresql(home / "postgresql") as database:
        # Who queues a task and who does it must meet: the processes that `deadlines` starts use this Redis too.
        redis = f"redis://127.0.0.1:{free_port()}/0"
        environment = {**os.environ, **UNSET, "DATABASE_URL": database, "REDIS_URL": redis, "DATA_DIR": str(home)}
        for words in (["manage.py", "migrate", "--verbosity", "0"], ["-m", "bench.deadlines"]):
            subprocess.run([sys.executable, *words], cwd=ROOT, env={**environment, "LOG_LEVEL": "ERROR"}, check=True)
