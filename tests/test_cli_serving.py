"""`blockargs serve`: what it refuses, and settings that start elsewhere."""

from __future__ import annotations

import json
import os
import sys

import pytest

STEPS = '''
import blockargs

print("imported")
registry = blockargs.Registry()


@registry.block(category="transform")
def slice_rows(n: int = 1):
    """Keep rows.

    Args:
        n: How many.
    """
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a module of one block."""
    (tmp_path / "slice_steps.py").write_text(STEPS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("slice_steps", None)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["serve", "--print-config", "vscod"], "did you mean 'vscode'"),
        (["serve", "--print-config", "zzz"], "there are 'claude-code'"),
        (["serve", "--transport", "htp"], "did you mean 'http'"),
        (["serve", "--tools", "leen"], "did you mean 'lean'"),
        (["serve", "nosuch", "--print-config", "vscode"], "there is no folder"),
        (["serve", "--token-file", "allw.yml"], "did you mean 'allow.yml'"),
    ],
)
def test_a_typo_is_one_line_with_its_cure(run, folder, args, said):
    """The nearest name, or the list; exit code 2."""
    (folder / "allow.yml").write_text("{}\n")

    code, out, err = run(*args)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize(
    "option", ["--port=9000", "--host=localhost", "--token-file=token.txt", "--allow-host=a", "--allow-origin=b"]
)
def test_what_only_http_has_is_refused_over_stdio(run, folder, option):
    """An option that is ignored would be a promise that is not kept."""
    (folder / "token.txt").write_text("short")

    code, _, err = run("serve", option)

    assert (code, err) == (
        2,
        f"blockargs: '{option.partition('=')[0]}': only a server over HTTP has it; add --transport http\n",
    )


def test_the_settings_name_the_folder_of_modules(run, folder):
    """A client starts the server elsewhere: what it prints has to start there too."""
    _, out, err = run("serve", "slice_steps:registry", "--print-config", "vscode")
    entry = json.loads(out)["servers"]["blockargs"]
    claude = run("serve", "slice_steps:registry", "--print-config", "claude-code")[1]

    assert err == "imported\n"
    assert entry["args"] == ["serve", "slice_steps:registry"]
    assert entry["env"] == {"PYTHONPATH": str(folder)}
    assert claude.startswith(f"claude mcp add --env PYTHONPATH={folder} --transport stdio blockargs -- ")


def test_the_settings_name_the_folder_of_constructors(run, folder, monkeypatch):
    """Those of declarations are imported when they are called; so are modules on the PYTHONPATH."""
    (folder / "far").mkdir()
    (folder / "far" / "far_steps.py").write_text("def f(): pass\n")
    monkeypatch.setenv("PYTHONPATH", str(folder / "far"))
    monkeypatch.syspath_prepend(str(folder / "far"))
    (folder / "d.yml").write_text(
        "a:\n  name: A\n  constructor: slice_steps:slice_rows\nb:\n  name: B\n  constructor: far_steps:f\n"
    )
    (folder / "none.yml").write_text("a:\n  name: A\n  constructor: no_such_module:cut\n")

    def settings(source):
        return json.loads(run("serve", source, "--print-config", "cursor")[1])["mcpServers"]["blockargs"]

    assert settings("d.yml")["env"] == {"PYTHONPATH": os.pathsep.join([str(folder), str(folder / "far")])}
    assert "env" not in settings("none.yml")


def test_a_module_without_a_spec_lies_in_no_folder(run, folder, monkeypatch):
    """Such as the program itself."""
    monkeypatch.setitem(sys.modules, "made_by_hand", type(sys)("made_by_hand"))
    (folder / "d.yml").write_text("a:\n  name: A\n  constructor: made_by_hand:f\n")

    assert "PYTHONPATH" not in run("serve", "d.yml", "--print-config", "cursor")[1]
