"""Logs for the operator: JSON lines in `<home>/logs/kairos.log`, bounded, with every secret struck out.

Secrets are struck out of the *finished line*, whatever field, traceback or foreign library they came through:
the exact values that are configured, however they are escaped, and whatever has the shape of a key. Lines are
written by a thread of their own, so that a slow disk never holds up a turn.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import queue
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from urllib.parse import quote

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

STRUCK = "[secret]"
MAX_BYTES = 2_000_000  # a file; with BACKUPS older ones beside it
BACKUPS = 4

_SHORTEST = 6  # characters; striking out every "abc" would only garble the log
_SHAPES = re.compile(
    r"""
      (?P<telegram>\b\d{6,12}(?::|%3[aA])[A-Za-z0-9_-]{30,})
    | (?P<key>\b(?:sk|pk|rk|gsk|xai|tvly|hf|nvapi|glpat|github_pat|gh[pousr]|xox[abprs])[-_][\w-]{14,})
    | (?P<aws>\b(?:AKIA|ASIA)[A-Z0-9]{16}\b)
    | (?P<google>\bAIza[A-Za-z0-9_-]{30,})
    | (?P<jwt>\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?)
    | (?P<bearer>(?<=[Bb]earer\s)[^\s"'\\,]{6,})
    | (?P<url>(?<=://)[^\s/@:"']+:[^\s/@"']+(?=@))
    | (?P<named>(?<![A-Za-z])(?:api[-_]?key|secret|passw(?:or)?d|access[-_]token|auth[-_]token)
        \\?["']?\s*[=:]\s*\\?["']?)(?P<value>[^\s"'\\,;&}\]]{6,})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHATTY = (
    "alembic",
    "apscheduler",
    "asyncio",
    "dbos",
    "httpcore",
    "httpcore2",
    "httpx",  # writes whole URLs, and Telegram's hold the token
    "httpx2",
    "openai",
    "PIL",
    "rapidocr",
    "RapidOCR",
    "sqlalchemy",
    "telegram",
)

_handlers: list[logging.Handler] = []
_listener: QueueListener | None = None


class Redactor:
    """Strikes secrets out of text."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spellings: set[str] = set()
        for secret in secrets:
            if len(secret) >= _SHORTEST:
                spellings |= {secret, quote(secret, safe=""), json.dumps(secret, ensure_ascii=False)[1:-1]}
        longest_first = sorted(spellings, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def __call__(self, text: str) -> str:
        """`text` with `[secret]` where one was."""
        if self._known is not None:
            text = self._known.sub(STRUCK, text)
        return _SHAPES.sub(lambda match: (match["named"] or "") + STRUCK, text)


_redactor = Redactor()


def redact(text: str) -> str:
    """`text` without the secrets that `configure` was told of, or anything shaped like one."""
    return _redactor(text)


def configure(home: Path | None, secrets: Iterable[str] = (), verbose: bool = False) -> None:
    """Send all logs, ours and the libraries', to the log file; `verbose` shows them on stderr too.

    A home that cannot be written to is not an error here: without a file the lines go to stderr, from
    warnings up. May be called again; the last call holds.
    """
    global _redactor, _listener  # noqa: PLW0603 - logging is one per process by nature
    close()
    _redactor = Redactor(secrets)
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    file = _file_handler(home) if home is not None else None
    if file is not None:
        lines: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
        to_file = QueueHandler(lines)
        to_file.setFormatter(_formatter(structlog.processors.JSONRenderer(ensure_ascii=False, default=str)))
        _listener = QueueListener(lines, file)
        _listener.start()
        _handlers.append(to_file)
    if verbose or file is None:
        screen = logging.StreamHandler(sys.stderr)
        screen.setLevel(logging.NOTSET if verbose else logging.WARNING)
        screen.setFormatter(
            _formatter(
                structlog.dev.ConsoleRenderer(
                    colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
                )
            )
        )
        _handlers.append(screen)
    for handler in _handlers:
        root.addHandler(handler)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def silence() -> None:
    """No logs at all: for a command that says everything on the screen."""
    close()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.getLogger().setLevel(logging.CRITICAL)


def close() -> None:
    """Write what waits and let go of the file."""
    global _listener
    root = logging.getLogger()
    for handler in _handlers:
        root.removeHandler(handler)
        handler.close()
    _handlers.clear()
    listener, _listener = _listener, None
    if listener is not None:
        listener.stop()
        for target in listener.handlers:
            target.close()


atexit.register(close)


def _file_handler(home: Path) -> logging.Handler | None:
    file = home / "logs" / "kairos.log"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = _Bounded(file, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8", errors="replace")
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(message)s"))
    return handler


class _Bounded(RotatingFileHandler):
    """A log file for its owner's eyes, which a full disk or a deleted folder can silence but not break."""

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        if os.name == "posix":
            os.fchmod(stream.fileno(), 0o600)
        return stream

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """A full disk, of all things, is worth a line: to stderr, where a service's is kept.

        Never over a person's terminal, and no traceback for every line as the standard one writes.
        """
        if record.levelno >= logging.WARNING and not sys.stderr.isatty():
            with suppress(OSError, ValueError):
                print(record.getMessage(), file=sys.stderr, flush=True)


def _strike(_: WrappedLogger, __: str, line: EventDict | str | bytes) -> str:
    """Last processor: the rendered line, redacted."""
    return _redactor(str(line))


def _short_level(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    event.pop("_from_structlog", None)
    event.pop("_record", None)
    return event


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=False),
    structlog.processors.format_exc_info,
]


def _formatter(renderer: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *_SHARED],
        processors=[_short_level, renderer, _strike],
    )
