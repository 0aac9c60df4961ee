"""What a docstring describes that is not there: a typo, or a parameter that has gone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._text import close_names, did_you_mean, listing, quoted
from ..errors import Problem, at
from .annotations import annotations_in
from .docstrings import OTHERS, docs_of, own_docs
from .fields import record_kind
from .mistaken import subject_of
from .signature import parameters_of
from .site import innermost

CODE = "docstring_unknown"


def docs_problems(obj: Any) -> list[Problem]:
    r"""Return a problem for each name that the docstring of *obj* describes, and that *obj* does not take.

    With ``**k`` any name may be described, starred ones always. Attributes may be
    anything; only one that looks like a field which nobody describes is told. What
    is said in the docstring of a class above is not looked at: it is true of that class.

    >>> def head(top: int = 5): "Keep rows.\n\nArgs:\n    tpo: How many."
    >>> docs_problems(head)[0].hint
    "did you mean 'top'?"

    Args:
        obj: As in `derive_args`.

    Raises:
        UnsupportedAnnotationError: *obj* is no constructor, or its signature cannot be read.
    """
    parameters = parameters_of(obj)
    if any(p.kind == "var_keyword" for p in parameters):
        return []
    names = list(dict.fromkeys(name for p in parameters for name in (p.name, p.wire_name)))
    inner = innermost(obj)
    texts = own_docs(inner) if isinstance(inner, type) else (docs_of(inner),)
    said = {name for docs in texts for name in (*docs.named, *docs.attributes)}
    known = {*names, *_names_within(inner), "self", "cls"}
    open_ones = [p.documented for p in parameters if said.isdisjoint((p.documented, p.wire_name))]
    wrong = [n for docs in texts for n in docs.named if n not in known and n[0] != "*" and n.lower() not in OTHERS]
    if isinstance(inner, type) and record_kind(inner) is not None:
        wrong += [n for docs in texts for n in docs.attributes if n not in known and close_names(n, open_ones)]
    return [_problem(name, names, open_ones or names, obj) for name in dict.fromkeys(wrong)]


def _names_within(inner: Any) -> Iterable[str]:
    """Return what a docstring may speak of beside the parameters: what a partial has bound, what a class has."""
    if isinstance(inner, type):
        return {name for base in inner.__mro__ for name in (*vars(base), *annotations_in(base))}
    code = getattr(inner, "__code__", None)
    return () if code is None else code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _problem(name: str, names: list[str], likely: list[str], obj: Any) -> Problem:
    message = f"the docstring describes {quoted(name)}, which is no parameter of {subject_of(obj)}"
    hint = did_you_mean(name, likely) or f"there are {listing(names) or 'none'}"
    return Problem(code=CODE, path=at("$", name), message=message, hint=hint)
