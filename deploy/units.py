"""Reads the systemd units, so that `make stack` runs the very commands a server runs."""

import configparser
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

UNITS = Path(__file__).parent / "systemd"


@dataclass(frozen=True)
class Process:
    name: str
    command: tuple[str, ...]
    restart_after: float


def processes(places: Mapping[str, str]) -> list[Process]:
    """What catan.target wants, with the server's places (/srv/catan and so on) exchanged for ours."""
    wanted = _read("catan.target")["Unit"]["Wants"].split()
    return [_process(unit, places) for unit in wanted]


def exchange(text: str, places: Mapping[str, str]) -> str:
    for theirs, ours in places.items():
        text = text.replace(theirs, ours)
    return text


def _process(unit: str, places: Mapping[str, str]) -> Process:
    name, _, instance = unit.removesuffix(".service").partition("@")
    service = _read(f"{name}@.service" if instance else unit)["Service"]
    command = tuple(shlex.split(exchange(service["ExecStart"], places).replace("%i", instance)))
    return Process(
        name=f"{name.removeprefix('catan-')}{instance and '-'}{instance}",
        command=command,
        restart_after=float(service["RestartSec"]),
    )


def _read(unit: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNITS / unit)
    return parser
