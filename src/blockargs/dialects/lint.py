"""`lint_tools`: which block, which dialect, where and why, before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

from .._text import did_you_mean, listing, quoted
from ..errors import InvalidOptionError, Note, Problem
from ..keywords import walk
from ..spec import Block
from .clients import CLIENTS, UNRULED, Client, said_by
from .export import ToolExport
from .limits import EXACT_INTEGER
from .rewrites.objects import undeclared_in

ALL = "*"  # the uid of a row about all tools together
MARKS = {"ok": "ok", "notes": "notes", "refused": "refused"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LintRow:
    """What one dialect or client makes of one block.

    Attributes:
        uid: The block; ``"*"`` where all blocks together are meant.
        target: The dialect or client.
        status: ``"ok"``, ``"notes"`` or ``"refused"``.
        notes: What is changed for it.
        problems: Why it is refused.
    """

    uid: str
    target: str
    status: str
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the row as a JSON-ready dict."""
        return {
            "uid": self.uid,
            "dialect": self.target,
            "status": self.status,
            "notes": [n.record() for n in self.notes],
            "problems": [p.record() for p in self.problems],
        }


class LintReport(Sequence[LintRow]):
    """Rows of a lint: blocks x dialects and clients."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Iterable[LintRow]) -> None:
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> LintRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[LintRow]: ...
    def __getitem__(self, index: int | slice) -> LintRow | Sequence[LintRow]:
        """Return a row."""
        return self._rows[index]

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)

    @property
    def problems(self) -> list[Problem]:
        """All that is refused."""
        return [p for row in self._rows for p in row.problems]

    @property
    def notes(self) -> list[Note]:
        """All that is changed."""
        return [n for row in self._rows for n in row.notes]

    @property
    def ok(self) -> bool:
        """Whether nothing is refused."""
        return not self.problems

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as JSON-ready dicts."""
        return [row.record() for row in self._rows]

    def matrix(self) -> dict[str, dict[str, str]]:
        """Return block -> dialect -> ``"ok"``, ``"notes"`` or ``"refused"``."""
        out: dict[str, dict[str, str]] = {}
        for row in self._rows:
            out.setdefault(row.uid, {})[row.target] = row.status
        return out

    def render(self) -> str:
        """Return the matrix as text, and below it a line for each problem."""
        table = self.matrix()
        columns = list(dict.fromkeys(row.target for row in self._rows))
        if not columns:
            return "nothing to lint"
        lines = [["block", *columns], *([uid, *(cells.get(c, "") for c in columns)] for uid, cells in table.items())]
        widths = [max(len(line[i]) for line in lines) for i in range(len(columns) + 1)]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        ]
        said = [f"{row.target}: {p}" for row in self._rows for p in row.problems]
        return "\n".join([*text, *([""] if said else []), *said])

    def __str__(self) -> str:
        """Return `render`."""
        return self.render()

    def __repr__(self) -> str:
        """Show how many rows there are of each status."""
        count = {status: sum(row.status == status for row in self._rows) for status in MARKS}
        return f"<LintReport {', '.join(f'{n} {status}' for status, n in count.items())}>"


def rows_of(export: ToolExport, blocks: Sequence[Block]) -> list[LintRow]:
    """Return what the dialect of *export* makes of each of *blocks*."""
    rows = []
    own = {id(p) for problems in export.refused.values() for p in problems}
    for block in {b.uid: b for b in blocks}.values():
        problems = export.refused.get(block.uid, [])
        notes = [*export.notes_of(block.uid), *_inexact(block), *([] if problems else _unlisted(block, export))]
        rows.append(_row(block.uid, export.dialect.key, notes, problems))
    if together := [p for p in export.problems if id(p) not in own]:
        rows.append(_row(ALL, export.dialect.key, [], together))
    return rows


def rows_of_client(client: Client, export: ToolExport, blocks: Sequence[Block], server: str) -> list[LintRow]:
    """Return what *client* makes of each of *blocks*, as the server lists them."""
    by_uid = {b.uid: b for b in blocks}
    said = said_by(client, {wire: by_uid[uid] for wire, uid in export.names.items()}, server)
    rows = []
    for uid in [*by_uid, *([""] if "" in said else [])]:
        found = said.get(uid, [])
        problems = [*export.refused.get(uid, []), *(p for p in found if isinstance(p, Problem))]
        rows.append(_row(uid or ALL, client.name, [n for n in found if isinstance(n, Note)], problems))
    return rows


def _row(uid: str, target: str, notes: Iterable[Note], problems: Iterable[Problem]) -> LintRow:
    notes, problems = tuple(notes), tuple(problems)
    status = "refused" if problems else "notes" if notes else "ok"
    return LintRow(uid=uid, target=target, status=status, notes=notes, problems=problems)


def _inexact(block: Block) -> list[Note]:
    """Advise text for whole numbers that a client which reads doubles would round."""
    notes = []
    for pointer, node in walk(block.type):
        values = [
            node.get("const"),
            node.get("default"),
            *node.get("enum", ()),
            node.get("minimum"),
            node.get("maximum"),
        ]
        large = [v for v in values if isinstance(v, int) and abs(v) > EXACT_INTEGER]
        if large:
            where = "/".join(map(str, pointer))
            message = (
                f"{quoted(large[0])} at {where} is beyond 2**53 and is rounded by clients that read doubles; take text"
            )
            notes.append(Note(rule="inexact_integer", path="$", before=large[0], after=None, message=message))
    return notes


def _unlisted(block: Block, export: ToolExport) -> list[Note]:
    """Tell which keys are required and described nowhere, where the dialect leaves that to the model."""
    listed = any(note.rule == "required_listed" for note in export.notes_of(block.uid))
    notes = []
    for pointer, name, possible in undeclared_in(block.type):
        if possible and listed:
            continue
        where = f" at {'/'.join(map(str, pointer))}" if pointer else ""
        why = "some providers refuse that" if possible else "no call can give it"
        message = f"{quoted(name)}{where} is required and none of the properties: {why}; describe it"
        notes.append(Note(rule="required_unlisted", path="$", before=name, after=None, message=message))
    return notes


def client_named(name: str) -> Client:
    """Return the client called *name*.

    Raises:
        InvalidOptionError: There is none, or no rule of it is known.
    """
    known = name if isinstance(name, str) else ""  # what is no text may have no hash
    if known in CLIENTS:
        return CLIENTS[known]
    if known in UNRULED:
        message, hint = f"no rule of the client {quoted(name)} is known", f"there are rules of {listing(CLIENTS)}"
    else:
        message, hint = f"{quoted(name)} is no client; there are {listing(CLIENTS)}", did_you_mean(name, CLIENTS)
    raise InvalidOptionError.of(message, hint=hint, path="$.clients")
