"""The helpers that a constructor may ask for: useful when somebody listens, inert when nobody does."""

from __future__ import annotations

import time

import pytest

from blockargs.inject import HELPERS, LEVELS, Cancellation, CancelledCall, Context, Logger, Progress


def test_every_helper_is_inert_when_nobody_listens():
    """
    A constructor that asks for helpers can be called from a test with bare ones.
    """
    context, progress, cancellation, logger = (cls() for cls in HELPERS)

    context.log("info", "started")
    logger.debug("loading")
    progress.report(1, 2, "half")
    cancellation.check()

    assert (context.request_id, context.client, context.remaining(), cancellation.cancelled) == (None, {}, None, False)


def test_a_logger_sends_what_each_level_is_given():
    """
    Every level of the protocol can be logged, the usual four by name.
    """
    lines: list = []
    logger = Logger(lambda level, data: lines.append((level, data)))

    logger.debug("a")
    logger.info({"rows": 3})
    logger.warning("b")
    logger.error("c")
    for level in LEVELS:
        logger.log(level, level)

    assert lines == [("debug", "a"), ("info", {"rows": 3}), ("warning", "b"), ("error", "c"), *zip(LEVELS, LEVELS)]


def test_an_unknown_level_is_refused_with_the_known_ones():
    """
    A level that the protocol does not know is an error that names those it does.
    """
    with pytest.raises(ValueError) as caught:
        Logger().log("loud", "x")

    assert str(caught.value) == f"level 'loud' is none of {', '.join(LEVELS)}"


def test_a_context_logs_through_its_logger():
    """
    `context.log` and the injected logger reach the same listener.
    """
    lines: list = []

    Context(logger=Logger(lambda *line: lines.append(line))).log("notice", "x")

    assert lines == [("notice", "x")]


def test_progress_reaches_the_caller_as_it_was_reported():
    """
    Progress, total and message arrive; total and message may be left out.
    """
    sent: list = []
    progress = Progress(lambda *step: sent.append(step))

    progress.report(0)
    progress.report(1, 4)
    progress.report(2.5, 4, "more than half")

    assert sent == [(0, None, None), (1, 4, None), (2.5, 4, "more than half")]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([(-1,)], "progress -1 is outside 0 to None"),
        ([(5, 4)], "progress 5 is outside 0 to 4"),
        ([(1,), (1,)], "progress 1 does not increase: 1 was reported before"),
        ([(2,), (1,)], "progress 1 does not increase: 2 was reported before"),
    ],
)
def test_progress_that_goes_astray_is_refused_and_not_sent(steps, words):
    """
    Progress is at least 0, at most the total, and always increases.
    """
    sent: list = []
    progress = Progress(lambda *step: sent.append(step[0]))

    with pytest.raises(ValueError) as caught:
        for step in steps:
            progress.report(*step)

    assert (str(caught.value), sent) == (words, [step[0] for step in steps[:-1]])


def test_a_cancelled_call_learns_of_it_when_it_asks():
    """
    `cancelled` and `check` ask anew each time, so that a long loop can stop.
    """
    state = {"gone": False}
    cancellation = Cancellation(lambda: state["gone"])
    cancellation.check()

    state["gone"] = True

    assert cancellation.cancelled
    with pytest.raises(CancelledCall):
        cancellation.check()


def test_a_context_tells_the_seconds_that_are_left():
    """
    The time left counts down to 0 and never below.
    """
    left = Context(deadline=time.monotonic() + 60).remaining()
    over = Context(deadline=time.monotonic() - 1).remaining()

    assert left is not None
    assert 0 < left <= 60
    assert over == 0.0
