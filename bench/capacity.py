"""How many moves the full stack bears with all pages up to date, what one costs, and what a restart does to it.

The site is the one of `make stack`: nginx, two web processes, two workers and beat, PostgreSQL and Redis. The pages
and their people are `bench.load`, a process of its own.

To try it out, ask for less: ``BENCH_RATES=10,20 BENCH_SECONDS=5 BENCH_PAGES=100 python -m bench capacity``;
without a rate, only processes are killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from deploy import throwaway
from tests.sites import ROOT, full_stack

#: Whoever starts games and signs people in must have these of the site.
SHARED: Final = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DATA_DIR")


def measure() -> None:
    with throwaway.folder() as folder, full_stack(folder, DJANGO_SETTINGS_MODULE="bench.settings") as site:
        (process,) = site.find(r"web-1 runs as process (\d+)")
        # The stack makes its secrets up and tells them to its processes alone.
        told = dict(word.split("=", 1) for word in Path(f"/proc/{process}/environ").read_text().split("\0") if word)
        environment = {**os.environ, **{name: told[name] for name in SHARED}}
        environment |= {"DJANGO_SETTINGS_MODULE": "bench.settings", "LOG_LEVEL": "ERROR"}
        environment |= {"SITE": site.address, "STACK": str(site.process.pid), "STACK_LOG": str(site.log)}
        subprocess.run([sys.executable, "-m", "bench.load"], cwd=ROOT, env=environment, check=True)
