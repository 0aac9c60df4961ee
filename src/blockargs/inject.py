"""What a constructor may ask for by annotation: it is filled in at the call and never shown.

Each is inert when nobody listens, so that a constructor can be called from a test.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

LEVELS = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)  # RFC 5424, as MCP names them


class CancelledCall(Exception):  # noqa: N818 - it ends a call, it is no fault
    """The caller no longer wants the answer."""


@dataclass(frozen=True, slots=True)
class Logger:
    """Sends a line to whoever called.

    Attributes:
        send: Takes a level of `LEVELS` and JSON-ready data.
    """

    send: Callable[[str, Any], None] | None = None

    def log(self, level: str, data: Any) -> None:
        """Send *data* (text or JSON) at *level*.

        Raises:
            ValueError: *level* is none of `LEVELS`.
        """
        if level not in LEVELS:
            raise ValueError(f"level {level!r} is none of {', '.join(LEVELS)}")
        if self.send is not None:
            self.send(level, data)

    def debug(self, data: Any) -> None:
        """Send *data* at level debug."""
        self.log("debug", data)

    def info(self, data: Any) -> None:
        """Send *data* at level info."""
        self.log("info", data)

    def warning(self, data: Any) -> None:
        """Send *data* at level warning."""
        self.log("warning", data)

    def error(self, data: Any) -> None:
        """Send *data* at level error."""
        self.log("error", data)


@dataclass(slots=True)
class Cancellation:
    """Tells whether the caller still wants the answer.

    Attributes:
        is_cancelled: Asked at each check; ``None`` means never.
    """

    is_cancelled: Callable[[], bool] | None = None

    @property
    def cancelled(self) -> bool:
        """Whether the call was cancelled."""
        return self.is_cancelled is not None and self.is_cancelled()

    def check(self) -> None:
        """Raise `CancelledCall` when the call was cancelled."""
        if self.cancelled:
            raise CancelledCall("the call was cancelled")


@dataclass(slots=True)
class Progress:
    """Tells the caller how far the work is.

    Attributes:
        send: Takes progress, total (or ``None``) and a message (or ``None``).
    """

    send: Callable[[float, float | None, str | None], None] | None = None
    _last: float = field(default=-1.0, init=False, repr=False)

    def report(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Report *progress* out of *total*; it must be above what was reported before.

        Raises:
            ValueError: *progress* is negative, above *total*, or does not increase.
        """
        if progress < 0 or (total is not None and progress > total):
            raise ValueError(f"progress {progress} is outside 0 to {total}")
        if progress <= self._last:
            raise ValueError(f"progress {progress} does not increase: {self._last} was reported before")
        self._last = progress
        if self.send is not None:
            self.send(progress, total, message)


@dataclass(frozen=True, slots=True)
class Context:
    """The call as a whole: who asks, until when, and a way to log.

    Attributes:
        request_id: The caller's id of this call, or ``None``.
        client: What the caller said of itself (name, version), possibly empty.
        deadline: When the call must be over, on `time.monotonic`'s clock, or ``None``.
        logger: Where `log` goes.
    """

    request_id: str | None = None
    client: Mapping[str, Any] = field(default_factory=dict)
    deadline: float | None = None
    logger: Logger = field(default_factory=Logger)

    def log(self, level: str, data: Any) -> None:
        """Send *data* at *level*, as `Logger.log` does."""
        self.logger.log(level, data)

    def remaining(self) -> float | None:
        """Return the seconds left, at least 0, or ``None`` without a deadline."""
        return None if self.deadline is None else max(self.deadline - time.monotonic(), 0.0)


HELPERS: tuple[type[Any], ...] = (Context, Progress, Cancellation, Logger)
