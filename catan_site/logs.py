"""Structured logs: lines for people on one's own machine, JSON on a server, the request's id in both."""

import logging.config
import re
import sys
from typing import Any, Final

import structlog

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

#: Links of mails and of guests begin so, and so do tokens (api/tokens.py). Whoever has one is let in by it.
_KEY: Final = re.compile(r"(/account/link/)[^\s\"'<>]*|(catan_)[A-Za-z0-9_-]{43}")


def without_keys(_: Any, __: str, line: structlog.types.EventDict) -> structlog.types.EventDict:
    """Whoever writes the line: Django names the path of what it could not answer, or refuses for want of a token."""
    return {name: _KEY.sub(r"\1\2…", said) if isinstance(said, str) else said for name, said in line.items()}


SHARED_PROCESSORS: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
]


def configuration(level: str, as_json: bool) -> dict[str, Any]:
    if as_json:
        rendering: list[structlog.types.Processor] = [
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            without_keys,
            structlog.processors.JSONRenderer(),
        ]
    else:
        rendering = [
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.processors.format_exc_info,
            without_keys,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED_PROCESSORS,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
            },
        },
        "filters": {"quiet": {"()": "catan_site.seldom.WithoutTracebacksOfAbsence"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured", "filters": ["quiet"]}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # The request middleware tells of every request already, with its id.
            "django.request": {"level": "ERROR"},
            # These have a line for every task or connection.
            "celery": {"level": "WARNING"},
            "celery.worker.control": {"level": "ERROR"},
            "axes": {"level": "WARNING"},
            # A line for every try to reach a database that is away, with its address. We say it once (seldom.py).
            "psycopg.pool": {"level": "ERROR"},
            # Started from its command line, uvicorn has given its loggers handlers of their own by now.
            "uvicorn": {"level": "WARNING", "propagate": True},
            "uvicorn.error": {"level": "WARNING", "propagate": True},
        },
    }


def configure(configuration: dict[str, Any]) -> None:
    """Django calls this with LOGGING: structlog's own loggers then go the way of all others."""
    logging.config.dictConfig(configuration)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED_PROCESSORS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
