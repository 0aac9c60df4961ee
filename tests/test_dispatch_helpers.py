"""What is filled in by annotation: context, progress, cancellation and log."""

from __future__ import annotations

from blockargs import (
    Cancellation,
    Context,
    Logger,
    Progress,
    ToolFailure,
    Toolset,
)


def audit(message: str, context: Context, progress: Progress, cancellation: Cancellation, logger: Logger) -> str:
    context.log("info", message)
    logger.error("e")
    progress.report(1, 2)
    return f"{context.request_id} {context.remaining()} {cancellation.cancelled}"


def test_helpers_are_filled_in_by_annotation():
    """
    What a constructor asks for by annotation it gets; the schema has only its own arguments.
    """
    lines, steps = [], []
    given = {
        Context: Context(request_id="r1", logger=Logger(lambda *line: lines.append(line))),
        Progress: Progress(lambda *step: steps.append(step)),
        Cancellation: Cancellation(lambda: True),
        Logger: Logger(lambda *line: lines.append(line)),
    }
    toolset = Toolset(audit)

    run = toolset.run({"name": "audit", "arguments": {"message": "hi"}}, helpers=given)

    assert run.text == "r1 None True"
    assert (lines, steps) == ([("info", "hi"), ("error", "e")], [(1, 2, None)])
    assert list(toolset.schema()["properties"]) == ["tool", "message"]


def test_helpers_that_nobody_gave_are_inert():
    """
    A constructor with helpers runs without a host that listens; a context knows the provider's call id.
    """
    call = {"type": "tool_use", "id": "c7", "name": "audit", "input": {"message": "hi"}}

    assert Toolset(audit).run(call).text == "c7 None False"
    assert Toolset(audit).run(call, helpers={Progress: Progress()}).ok


def test_progress_never_goes_back_when_a_call_is_tried_again():
    """
    A second attempt starts its report anew; the caller sees only what is further on.
    """
    steps: list = []
    attempts: list = []

    def slow(progress: Progress) -> str:
        attempts.append(1)
        for step in range(len(attempts) + 1):
            progress.report(step)
        if len(attempts) == 1:
            raise ToolFailure("busy", "busy", retryable=True)
        return "done"

    Toolset(slow, retries=1).run(
        {"name": "slow", "arguments": {}}, helpers={Progress: Progress(lambda p, *_: steps.append(p))}
    )

    assert steps == [0, 1, 2]
