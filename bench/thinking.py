"""What the front page and a person's move take while bots think, beside what they take while none does.

The site is the embedded one of `make play`; who asks it, and when bots play, is `bench.beside_bots`, another process.
``BENCH_BROODING=0.3 python -m bench thinking`` has every bot think for so many seconds longer, ``THINKERS=0`` has them
think in the server's own process, and with ``BENCH_ROUNDS=1`` it is over sooner.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from deploy import throwaway
from tests.sites import UNSET, embedded

from .persistence import UNHURRIED, manage

#: What is tried out is told to the site too.
TRIED: Final = {name: os.environ[name] for name in ("BENCH_BROODING", "THINKERS") if name in os.environ}


def measure() -> None:
    words = ["-m", "bench.brooding"] if "BENCH_BROODING" in TRIED else ["manage.py", "play"]
    with (
        throwaway.folder() as folder,
        embedded(folder, command=[sys.executable, *words], **UNHURRIED, **TRIED) as site,
    ):
        environment = {**UNSET, "DATA_DIR": str(folder), "LOG_LEVEL": "ERROR", "SITE": site.address}
        manage(environment | {"DJANGO_SETTINGS_MODULE": "catan_site.settings"}, "-m", "bench.beside_bots")
