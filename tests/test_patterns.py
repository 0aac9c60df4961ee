"""Patterns and their time: of one text, and of all texts of one value."""

from __future__ import annotations

from time import process_time, sleep
from typing import Annotated

import pytest

from blockargs import patterns
from blockargs.derive import Arg, derive_block
from blockargs.patterns import found, pattern_of, run_down, wound_up
from blockargs.types import arg_string

EVIL = "a" * 40 + "!"


class Waiting:
    """A pattern of which each search waits, as on a machine that is busy with something else."""

    def search(self, text, timeout):
        sleep(0.02)
        return text


def test_waiting_is_no_time_of_a_pattern(monkeypatch):
    """
    Only the processor's time counts: on a loaded machine good values are not refused as too slow.
    """
    monkeypatch.setattr(patterns, "ALL_PATTERNS_SECONDS", 0.01)
    new = wound_up()
    try:
        answers = [found(Waiting(), "x") for _ in range(3)]
    finally:
        run_down()

    assert (new, answers) == (True, [True] * 3)


def test_a_value_inside_a_value_has_the_outer_ones_time(monkeypatch):
    """
    What is looked at inside a value neither restarts its clock nor stops it; the next value has its own.
    """
    monkeypatch.setattr(patterns, "ALL_PATTERNS_SECONDS", 0.01)
    slow = pattern_of("^(a|aa)+$")

    assert (wound_up(), wound_up()) == (True, False)
    with pytest.raises(TimeoutError):
        found(slow, EVIL)  # it takes its 50 ms
    with pytest.raises(TimeoutError):
        found(slow, "aa")  # nothing is left
    run_down()
    assert (found(slow, "aa"), wound_up()) == (True, True)
    run_down()


def test_a_list_of_slow_texts_takes_no_longer_than_one_value_may():
    """
    Each item is tried as each variant, and all of that is one value's time.
    """
    one, other = (Annotated[str, Arg(type=arg_string(pattern=p))] for p in ("^(a|aa)+$", "^(aa|a)+$"))

    def take(x):
        pass

    take.__annotations__["x"] = list[one | other | bytes]
    binding = derive_block(take).binding
    start = process_time()
    binding.bind({"x": [EVIL] * 60}, {})

    assert process_time() - start < 5
