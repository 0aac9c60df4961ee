"""Checking a call: decoded, validated, constructed, and nothing handed out."""

from __future__ import annotations

from blockargs import (
    ToolFailure,
    ToolRejected,
    Toolset,
    derive_block,
)
from blockargs.dispatch import Effect
from dispatched import GOOD, Head, hook_answering, weather


def test_a_check_constructs_and_hands_nothing_out():
    """
    `check` builds a block to see that it can be built, tells its effect, and lets it go.
    """
    built: list = []

    def head(n: int):
        """Keep rows."""
        built.append(n)
        return Head(n)

    toolset = Toolset(
        derive_block(head), effects={Head: lambda h, c: Effect(effect=f"keeps {h.n}", preview=[h.n], unchanged=True)}
    )
    run = toolset.check({"name": "head", "arguments": {"n": 3}})

    assert (run.ok, run.outcome, built) == (True, None, [3])
    assert run.content == {"ok": True, "effect": "keeps 3", "preview": [3], "unchanged": True}
    assert run.text == "The call of 'head' is valid; nothing was applied. UNCHANGED: keeps 3\n[3]"


def test_a_check_says_why_a_block_cannot_be_built():
    """
    What the constructor declares is told, as in a run.
    """

    def head(n: int):
        """Keep rows."""
        raise ToolFailure("too_few", "n must be above 0")

    run = Toolset(derive_block(head)).check({"name": "head", "arguments": {"n": 0}})
    plain = Toolset(Head).check({"name": "head", "arguments": {"n": 0}})

    assert (run.ok, run.text, run.code) == (False, "n must be above 0", "too_few")
    assert plain.content == {"ok": True, "effect": "It would build 'head'."}
    assert not Toolset(Head).check({"name": "head", "arguments": {"n": "x"}}).ok


def test_a_check_never_calls_a_tool():
    """
    What does something is not done to see whether it could be.
    """
    recorder, toolset = weather(before=hook_answering(ToolRejected("no")))

    run = toolset.check(GOOD)

    assert (run.ok, run.text, recorder.calls) == (True, "The call of 'get_weather' is valid; nothing was called.", [])


def test_a_check_reports_a_result_that_could_not_be_told(caplog):
    """
    A block whose effect cannot be told fails the check.
    """
    run = Toolset(Head, effects={Head: lambda h, c: 3}).check({"name": "head", "arguments": {}})

    assert (run.ok, run.outcome) == (False, None)
