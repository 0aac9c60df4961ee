"""The names that an icon may have."""

from __future__ import annotations

from blockargs.icons import icon_names


def test_the_icons_that_categories_use_are_there():
    """Every category's own icon is a name of Bootstrap Icons."""
    used = {"upload", "magic", "asterisk", "file-bar-graph", "table", "gear", "save", "tools", "question-square"}

    assert used <= icon_names()


def test_the_whole_set_is_shipped_and_nothing_else():
    """Names are the bare names of the set: no comment, no CSS prefix, no file suffix."""
    names = icon_names()

    assert len(names) == 2078
    assert [n for n in names if not n.replace("-", "").isalnum() or n.startswith("bi-")] == []


def test_the_names_are_read_once():
    """Asking again costs nothing: the same set comes back."""
    assert icon_names() is icon_names()
