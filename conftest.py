"""README and docs are tests: every Python block runs, every console session prints what it shows."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "tests"))
from documents import CONSOLE, FILE, ran, saved

if "BLOCKARGS_BARE" not in os.environ:  # a bare run has no sybil: documents are not tests there
    from sybil import Document, Example, Region, Sybil
    from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

    def files(document: Document) -> Iterator[Region]:
        """Find the files that a document shows."""
        for match in FILE.finditer(document.text):
            yield Region(match.start(), match.end(), match, _save)

    def consoles(document: Document) -> Iterator[Region]:
        """Find the console sessions of a document."""
        for match in CONSOLE.finditer(document.text):
            yield Region(match.start(), match.end(), match["text"], _run)

    def _save(example: Example) -> None:
        saved(example.parsed, Path.cwd())

    def _run(example: Example) -> None:
        assert ran(example.parsed, Path.cwd()) == example.parsed

    def in_an_empty_folder(namespace: dict[str, Any]) -> None:
        """Start a document where nothing lies about."""
        namespace["__name__"] = "__main__"  # as where a reader tries it
        namespace["_home"] = Path.cwd()
        namespace["_folder"] = tempfile.mkdtemp()
        os.chdir(namespace["_folder"])
        sys.path.insert(0, namespace["_folder"])

    def back(namespace: dict[str, Any]) -> None:
        """Leave nothing of a document behind."""
        from blockargs import unregister_blocks  # noqa: PLC0415 - coverage starts before the package is loaded

        os.chdir(namespace["_home"])
        sys.path.remove(namespace["_folder"])
        shutil.rmtree(namespace["_folder"])
        unregister_blocks()

    pytest_collect_file = Sybil(
        parsers=[PythonCodeBlockParser(), SkipParser(), files, consoles],
        patterns=["README.md", "docs/*.md"],
        setup=in_an_empty_folder,
        teardown=back,
    ).pytest()
