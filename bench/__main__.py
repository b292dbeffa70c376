"""``python -m bench`` takes every measurement; ``python -m bench rules`` only the named ones."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from . import capacity, collusion, front, full_stack, http, persistence, rules, thinking

#: Each section measures and prints; a missed goal is told, and is no failure of the program.
SECTIONS: Final[dict[str, Callable[[], None]]] = {
    "rules": rules.measure,
    "collusion": collusion.measure,
    "persistence": persistence.measure,
    "http": http.measure,
    "front": front.measure,
    "news": partial(full_stack.measure, "news"),
    "clocks": partial(full_stack.measure, "clocks"),
    "thinking": thinking.measure,
    "capacity": capacity.measure,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        print(
            f"There is no section {', '.join(unknown)}. Sections: {', '.join(SECTIONS)}.",
            file=sys.stderr,
        )
        return 2
    for name in names or SECTIONS:
        SECTIONS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
