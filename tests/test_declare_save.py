"""Saving declarations: a file is whole, the old one or the new one."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from blockargs.declare import (
    read_declarations,
    save_declarations,
)
from blockargs.errors import InvalidDeclarationError
from blockargs.spec import (
    Block,
)


def test_saving_replaces_the_whole_file(tmp_path):
    """The new text is there with the old rights; nothing else is left in the folder."""
    place = tmp_path / "a.yml"
    place.write_text("# old")
    place.chmod(0o640)
    save_declarations(place, [Block(uid="a", name="a")], header="new")

    assert read_declarations(place.read_text()) == [Block(uid="a", name="a")]
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.yml"]


def test_saving_writes_through_a_link(tmp_path):
    """A link stays a link; a file that was not there is made with the usual rights."""
    link = tmp_path / "link.yml"
    link.symlink_to(tmp_path / "real.yml")
    save_declarations(str(link), [])
    umask = os.umask(0)
    os.umask(umask)

    assert link.is_symlink()
    assert (tmp_path / "real.yml").read_text() == "# yaml-language-server: $schema=block.schema.json\n"
    assert stat.S_IMODE((tmp_path / "real.yml").stat().st_mode) == 0o666 & ~umask


def test_a_file_that_cannot_be_made_is_told_by_the_name_it_was_given(tmp_path, monkeypatch):
    """The error names the path that was asked for, as it was written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        save_declarations("no/such/folder.yml", [])

    assert str(caught.value) == "[Errno 2] No such file or directory: 'no/such/folder.yml'"
    assert caught.value.filename == "no/such/folder.yml"


def test_a_name_as_long_as_a_file_may_have_is_written(tmp_path):
    """What the file is called while it is written is no longer than that."""
    place = tmp_path / f"{'n' * 251}.yml"
    save_declarations(place, [])

    assert [p.name for p in tmp_path.iterdir()] == [place.name]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path):
    """What cannot be written, or replaced, changes nothing and leaves nothing."""
    place = tmp_path / "a.yml"
    place.write_text("# old")
    with pytest.raises(InvalidDeclarationError):
        save_declarations(place, [Block(uid="a", name="a", description="\ud800")])
    folder = tmp_path / "folder.yml"
    folder.mkdir()
    with pytest.raises(OSError, match=r"folder\.yml"):
        save_declarations(folder, [])

    assert place.read_text() == "# old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.yml", "folder.yml"]


WRITER = """
import sys
from blockargs.declare import save_declarations
from blockargs.spec import Block
print("ready", flush=True)
n = 0
while True:
    n += 1
    save_declarations(sys.argv[1], [Block(uid=f"b{i}", name="x", details=f"text {n} " * 200) for i in range(200)], header=f"{n}")
"""


def test_a_write_killed_at_any_point_leaves_a_whole_file(tmp_path):
    """SIGKILL at any moment: the file is the old one or the new one, whole."""
    place = tmp_path / "a.yml"
    save_declarations(place, [Block(uid=f"b{i}", name="x", details="text 0 " * 200) for i in range(200)], header="0")
    for attempt in range(6):
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.01 + 0.017 * attempt)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        text = place.read_text()
        details = {b.details for b in read_declarations(text)}

        assert (len(read_declarations(text)), len(details)) == (200, 1)
        assert details.pop().startswith(f"text {text.splitlines()[1].removeprefix('# ')} ")
