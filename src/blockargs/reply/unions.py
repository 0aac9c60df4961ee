"""Which branch of a union a value means: by its tag, by fitting, or as the only one it can be brought to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._text import quoted
from ..errors import at
from ..node import json_key
from ..sentences import missing_key, near, not_in_enum, write_one_of
from .fits import fits
from .keys import may_mean
from .leaves import Bad, InexactError, Num, holds, plain, sure
from .log import ELEMENT, REFUSED, Align, Log
from .names import fold, one_typo, same_style
from .normal import inexact, normal
from .shape import Shape
from .values import NOTHING, says_yes_or_no


def align_union(value: Any, shape: Shape, path: str, place: str, log: Log, align: Align) -> Any:
    """Return *value* in the form of the one branch of *shape* that it means; *align* does it for one branch."""
    given = _as_it_stands(value, shape, log)
    if given is not NOTHING:
        return _exact(given, value, shape, path, log)
    if shape.tag is not None and isinstance(value, dict):
        return _by_tag(value, shape, shape.tag, path, log, align)
    found = list(_readings(value, shape, path, place, log, align))
    distinct = {json_key(new): new for new, _ in found} if len(found) > 1 else {}
    if len(distinct) > 1:
        log.problem("ambiguous", path, f"it can be read as {' or '.join(quoted(v) for v in distinct.values())}")
        return REFUSED
    if not found:
        return value if log.is_json else plain(value)
    new, trial = found[0] if len(found) == 1 else min(found, key=lambda one: one[1].count)
    log.take(trial)
    return new


def _as_it_stands(value: Any, shape: Shape, log: Log) -> Any:
    """Return *value* as JSON, `NOTHING` where it is not valid so."""
    if shape.recursive:
        return plain(value) if fits(value, shape, log.fitting) else NOTHING
    if log.is_json:
        return value if shape.fits(value) else NOTHING
    try:
        given = sure(value)
    except ValueError:
        return NOTHING
    return given if shape.accepts(given) else NOTHING


def _exact(value: Any, tree: Any, shape: Shape, path: str, log: Log) -> Any:
    """Return the valid *value*, as *tree* has it, with whole floats as integers; those of no text are what they are."""
    try:
        return normal(value, shape, written=True)
    except InexactError:
        if not holds(tree, Num):
            return normal(value, shape)
        found = inexact(value, shape, path)
        log.problem(found.code, found.path, found.message, found.hint, covers=path)
        return REFUSED


def _readings(value: Any, shape: Shape, path: str, place: str, log: Log, align: Align) -> Iterator[tuple[Any, Log]]:
    for branch in shape.branches:
        if _is_another(value, branch):
            continue
        new, trial = _tried(value, branch, path, place, log, align)
        if isinstance(new, bool) and says_yes_or_no(value):
            continue  # a boolean is not alone here
        if _is_right(new, branch, trial):
            yield new, trial


def _is_right(new: Any, branch: Shape, trial: Log) -> bool:
    """Tell whether *trial* brought its value into the form of *branch*."""
    if trial.problems:
        return False
    if branch.recursive:
        return fits(new, branch, trial.fitting)
    return branch.fits(new) if trial.is_json else branch.accepts(new)


def _is_another(value: Any, branch: Shape) -> bool:
    """Tell cheaply that no repair of *value* leads to *branch*.

    So it is where a key of it has no place there, or a key of its first item, and where
    it is a list of several and an object is wanted.
    """
    if branch.branches:
        return all(_is_another(value, inner) for inner in branch.branches)
    if type(value) is list and value:
        if branch.types == ("object",):
            return len(value) > 1  # only a list of one may be read as its item
        if branch.types != ("array",) or branch.prefix or branch.element is None:
            return False
        return _is_another(value[0], branch.element)
    if type(value) is not dict or branch.types != ("object",) or not branch.closed:
        return False
    if "patternProperties" in branch.node:
        return False
    fields = branch.fields
    for key in value:  # noqa: SIM110 - a generator costs more than the check
        if key not in fields and not may_mean(key, branch):
            return True
    return False


def _tried(value: Any, branch: Shape, path: str, place: str, log: Log, align: Align) -> tuple[Any, Log]:
    key = (id(value), id(branch))
    if (known := log.known.get(key)) is not None and (known[2].room or not known[2].dropped or not log.has_room):
        return known[1], known[2]
    trial = log.trial()
    new = align(value, branch, path, place, trial)
    if isinstance(value, dict | list):
        log.known[key] = (value, new, trial)  # the value too, so that its id stays its own
    return new, trial


def words_of(shape: Shape, tag: str) -> dict[str, Shape]:
    """Return the words of *tag* in a tagged union: word -> branch."""
    return {
        word: branch
        for branch in shape.branches
        if tag in branch.fields
        for word in branch.fields[tag].options or ()
        if isinstance(word, str)
    }


def meant_word(written: str, words: dict[str, Any]) -> tuple[str | None, str]:
    """Return the one of *words* that *written* means and the rule that tells so."""
    if written in words:
        return written, ""
    by_fold: dict[str, list[str]] = {}
    for word in words:
        by_fold.setdefault(fold(word), []).append(word)
    if (name := same_style(written, by_fold)) is not None:
        return name, "name_style"
    name = one_typo(written, words)
    return name, "name_typo" if name is not None else ""


def _by_tag(value: dict[str, Any], shape: Shape, tag: str, path: str, log: Log, align: Align) -> Any:
    words = words_of(shape, tag)
    key = tag if tag in value else next((k for k in value if fold(k) == fold(tag)), None)
    if key is None:
        return _untagged(value, shape, tag, path, log, align)
    written = value[key]
    if isinstance(written, Bad):
        found = written.problem
        log.problem(found.code, at(path, key), found.message, found.hint, covers=path)
        return REFUSED
    name, rule = meant_word(written, words) if isinstance(written, str) else (None, "")
    if name is None:
        code, message = not_in_enum(plain(written), list(words))
        log.problem(code, at(path, tag), message, near(written, words), covers=path)
        return REFUSED
    if rule:
        log.note(rule, at(path, tag), str(written), name, f"read {quoted(written)} as '{name}'")
    meant = {tag if k == key else k: name if k == key else v for k, v in value.items()}
    return align(meant, words[name], path, ELEMENT, log)


def _untagged(value: dict[str, Any], shape: Shape, tag: str, path: str, log: Log, align: Align) -> Any:
    """Return *value* with the tag of the only branch that it fits."""
    found: dict[str, tuple[Any, Log]] = {}
    for word, branch in words_of(shape, tag).items():
        if _is_another(value, branch):
            continue
        trial = log.trial()
        new = align({tag: word, **value}, branch, path, ELEMENT, trial)
        if _is_right(new, branch, trial):
            found[word] = (new, trial)
    if len(found) == 1:
        word, (new, trial) = next(iter(found.items()))
        log.note("tag_inferred", at(path, tag), None, word, f"only '{word}' takes these arguments")
        log.take(trial)
        return new
    code, message = missing_key(tag)
    log.problem(code, at(path, tag), message, write_one_of(list(found or words_of(shape, tag))), covers=path)
    return REFUSED
