"""A tool that remembers how it was called, for the tests of dispatch."""

from __future__ import annotations

from dataclasses import dataclass

from blockargs import ToolFailure, Toolset, derive_block


class Recorder:
    """A tool that remembers how it was called."""

    def __init__(self, *answers):
        self.calls: list = []
        self.answers = list(answers)

    def __call__(self, city: str, days: int = 1):
        """Tell the weather."""
        self.calls.append((city, days))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


def weather(*answers, **block):
    """Return a recorder and the toolset that offers it as `get_weather`."""
    options = {
        k: block.pop(k) for k in list(block) if k in ("retries", "validators", "tells", "before", "after", "strict")
    }
    recorder = Recorder(*(answers or ("sunny",)))
    return recorder, Toolset(derive_block(recorder, uid="get_weather", kind="tool", **block), **options)


GOOD = {"name": "get_weather", "arguments": {"city": "PAR", "days": 2}}


def failing(**known):
    """Return a declared failure."""
    return ToolFailure("missing_key", "key is required", {"key": ""}, **known)


@dataclass
class Head:
    """Keep rows."""

    n: int = 5


def reporting(result, annotation=None, **block):
    """Return the run of a tool that returns *result*, and promises *annotation*."""

    def report():
        return result

    if annotation is not None:
        report.__annotations__["return"] = annotation
    return Toolset(derive_block(report, kind="tool", **block)).run({"name": "report", "arguments": {}})


def hook_answering(answer):
    """Return a hook that returns *answer*, or raises it."""

    def hook(_):
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return hook
