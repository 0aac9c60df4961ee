"""A codec: the type of an annotation, and how values cross between JSON and Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidArgumentsError, Problem, at
from ..node import ArgType

Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Codec:
    """What an annotation means.

    Attributes:
        type: The JSON Schema node of its values.
        decode: JSON that fits `type` → Python; ``None`` where it stays as it is.
        encode: Python → JSON; ``None`` where it stays as it is. What the annotation does not
            promise passes unchanged, so that the check of the output names it.
        holds: Whether a Python value already is what the annotation says.
    """

    type: ArgType
    decode: Change | None
    encode: Change | None
    holds: Callable[[Any], bool]

    def to_python(self, value: Any) -> Any:
        """Return JSON *value* as the annotation promises it."""
        return value if self.decode is None else self.decode(value)

    def to_json(self, value: Any) -> Any:
        """Return Python *value* as JSON."""
        return value if self.encode is None else self.encode(value)


class Misfit(Exception):  # noqa: N818 - it becomes problems, nobody catches it by name outside
    """JSON that fits its type but cannot become the Python value: ``0000-01-01``, a refusing validator.

    Each container it passes on its way up adds the key under which it stood.
    """

    def __init__(
        self, message: str, hint: str = "", *, code: str = "refused", path: tuple[str | int, ...] = ()
    ) -> None:
        super().__init__(message)
        self.faults: list[tuple[list[str | int], str, str, str]] = [(list(reversed(path)), code, message, hint)]

    def under(self, key: str | int) -> Misfit:
        """Return itself, one level further up."""
        for path, *_ in self.faults:
            path.append(key)
        return self

    def problems(self, path: str = "$") -> list[Problem]:
        """Return what is wrong, with paths that start at *path*."""
        out: list[Problem] = []
        for keys, code, message, hint in self.faults:
            here = path
            for key in reversed(keys):
                here = at(here, key)
            out.append(Problem(code=code, path=here, message=message, hint=hint))
        return out

    def error(self, subject: str = "") -> InvalidArgumentsError:
        """Return the error for callers."""
        return InvalidArgumentsError(self.problems(), subject)


def is_instance(cls: type[Any]) -> Callable[[Any], bool]:
    """Return the test for instances of *cls*."""
    return lambda value: isinstance(value, cls)
