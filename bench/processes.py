"""What the site's processes have used of the processor, by their kind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

#: What stands in a process's command line, and what we call it; the first that fits counts.
KINDS: Final = {
    "nginx": "nginx",
    "postgres": "PostgreSQL",
    "redis-server": "Redis",
    "/web-1": "web-1",
    "/web-2": "web-2",
    "thinker": "thinkers",
    " worker ": "workers",
    " beat ": "beat",
}


def seconds_of_work(stack: int) -> dict[str, float]:
    """Of all that a stack has started, but not of the stack itself, which stands in for systemd."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[int(folder.name)] = int(fields[1])
        # With what its ended children used: PostgreSQL's come and go.
        used[int(folder.name)] = sum(map(int, fields[11:15]))
    total = dict.fromkeys(KINDS.values(), 0.0)
    for process in parents:
        if process != stack and _is_below(stack, process, parents) and (kind := _kind(process)):
            total[kind] += used[process] / os.sysconf("SC_CLK_TCK")
    return total


def _is_below(stack: int, process: int, parents: dict[int, int]) -> bool:
    while process in parents and process != stack:
        process = parents[process]
    return process == stack


def _kind(process: int) -> str | None:
    """``None`` for one that has ended: it has no command line any more."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return next((kind for word, kind in KINDS.items() if word in command), None)
