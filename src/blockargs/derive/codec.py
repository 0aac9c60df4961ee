"""A codec: the type of an annotation, and how values cross between JSON and Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidArgumentsError, Problem, at
from ..node import ArgType
from ..validate import MAX_PROBLEMS
from ..validate.budget import begun, over
from .finite import is_finite

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

    def is_ready(self, value: Any) -> bool:
        """Tell whether *value* is what the annotation says, and holds no NaN: the question at every door.

        What cannot be asked (a circle, an attribute that raises) is not ready.
        """
        new = begun()
        try:
            return self.holds(value) and is_finite(value)
        except Exception:  # noqa: BLE001 - a stranger's object may raise anything when it is looked at
            return False
        finally:
            if new:
                over()

    def to_python(self, value: Any) -> Any:
        """Return JSON *value* as the annotation promises it."""
        return value if self.decode is None else self.decode(value)

    def to_json(self, value: Any) -> Any:
        """Return Python *value* as JSON."""
        return value if self.encode is None else self.encode(value)


@dataclass(slots=True)
class Fault:
    """One reason of a `Misfit`: its path from the value up, and what is wrong there."""

    path: list[str | int]
    code: str
    message: str
    hint: str = ""
    below: str = ""  # the path from there on down, where it is known as a text
    cause: Exception | None = None  # what the code of an author raised


class Misfit(Exception):  # noqa: N818 - it becomes problems, nobody catches it by name outside
    """JSON that fits its type but cannot become the Python value: ``0000-01-01``, a refusing validator.

    Each container it passes on its way up adds the key under which it stood.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults)
        self.faults = faults

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> Misfit:
        """Return the misfit that tells *problems*."""
        return cls(*(Fault([], p.code, p.message, p.hint, p.path.removeprefix("$")) for p in problems))

    @property
    def cause(self) -> Exception | None:
        """What the code of an author raised, where that is the reason: the first."""
        return next((fault.cause for fault in self.faults if fault.cause is not None), None)

    def under(self, key: str | int) -> Misfit:
        """Return itself, one level further up."""
        for fault in self.faults:
            fault.path.append(key)
        return self

    def problems(self, path: str = "$") -> list[Problem]:
        """Return what is wrong, with paths that start at *path*."""
        out: list[Problem] = []
        for fault in self.faults:
            here = path
            for key in reversed(fault.path):
                here = at(here, key)
            out.append(Problem(code=fault.code, path=here + fault.below, message=fault.message, hint=fault.hint))
        return out

    def error(self, subject: str = "") -> InvalidArgumentsError:
        """Return the error for callers."""
        return InvalidArgumentsError(self.problems(), subject)


class Gathered:
    """The misfits of the members of one value, told all at once."""

    __slots__ = ("faults",)

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def add(self, key: str | int, reason: Misfit) -> None:
        """Take the misfit of the member under *key*."""
        self.faults += reason.under(key).faults

    @property
    def is_full(self) -> bool:
        """Whether as many are known as one answer tells."""
        return len(self.faults) >= MAX_PROBLEMS

    def tell(self) -> None:
        """Raise the one misfit of all members, where there is any."""
        if self.faults:
            raise Misfit(*self.faults)


def misfit(message: str, hint: str = "", *, code: str = "refused") -> Misfit:
    """Return the misfit of one value."""
    return Misfit(Fault([], code, message, hint))


def is_instance(cls: type[Any]) -> Callable[[Any], bool]:
    """Return the test for instances of *cls*."""
    return lambda value: isinstance(value, cls)
