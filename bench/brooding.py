"""`manage.py play` with bots that look far ahead: each thinks for BENCH_BROODING seconds more than it would."""

from __future__ import annotations

import os
import time

from games import bots
from games.rules import Move, View


def choose(bot: str, view: View, memory: bots.Memory, seed: int) -> Move | None:
    end = time.thread_time() + float(os.environ["BENCH_BROODING"])
    while time.thread_time() < end:
        pass
    return bots.BOTS[bot](view, memory, bots.Random(seed))


def main() -> None:
    import django
    from django.core.management import call_command

    from bench import brooding

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
    django.setup()
    bots.choose = brooding.choose
    call_command("play")


if __name__ == "__main__":
    main()
