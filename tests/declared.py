"""Declarations for tests, and what reading them gives."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from blockargs.declare import (
    read_declarations,
)
from blockargs.errors import InvalidDeclarationError

HERE = Path(__file__).parent
REGISTRY = HERE.parent / "registry"
STORIES = {
    file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in sorted((HERE / "cases" / "declare").glob("*.yaml"))
}


def stories(key):
    return [pytest.param(story, id=name) for name, story in STORIES.items() if key in story]


def refused(text, **how):
    with pytest.raises(InvalidDeclarationError) as caught:
        read_declarations(text, **how)
    return caught.value


def one(text, **how):
    (block,) = read_declarations(text, **how)
    return block
