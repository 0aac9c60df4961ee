"""What the command line answers: output that programs can read, exit codes by one rule, and a cure for each typo."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from blockargs.cli import main
from blockargs.keywords import MAX_TEXT

STEPS = '''
"""Steps."""
import os

import blockargs

print("imported")
registry = blockargs.Registry()


class LostError(Exception):
    """A file is lost."""


@registry.block(category="transform")
def cut(n: int = 1):
    """Cut rows.

    Args:
        n: How many.
    """
    print("called")
    os.system("echo child")
    if n == 2:
        raise blockargs.ToolFailure("negative", "n must not be two", {"n": n})
    if n == 3:
        raise LostError("secret")
    if n == 4:
        raise KeyError("secret")
    return {"n": n}
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a module of one block."""
    (tmp_path / "cut_steps.py").write_text(STEPS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("cut_steps", None)


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line, with bytes on stdin; give its exit code, stdout and stderr."""

    def run_(*args, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return code, out, err

    return run_


def started(*args, stdin="", redirect=""):
    """Run a command line as a process; give its exit code, stdout and stderr."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1] / "src"), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        ["bash", "-c", f'"$0" -m blockargs "$@" {redirect}', sys.executable, *args],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_what_constructors_and_their_children_print_is_no_output(folder):
    """`blockargs call … --json | jq` can be relied on."""
    code, out, err = started("call", "cut", "--in", "cut_steps:registry", "--json")

    assert (code, json.loads(out)["content"]) == (0, {"n": 1})
    assert err.splitlines() == ["imported", "called", "child"] or set(err.split()) == {"imported", "called", "child"}


@pytest.mark.parametrize(
    "args",
    [
        ("table", "cut_steps:registry", "--format", "json"),
        ("list", "cut_steps:registry"),
        ("show", "cut", "--in", "cut_steps:registry"),
        ("check", "cut_steps:registry", "--construct"),
        ("collect", "cut_steps"),
        ("lint", "cut_steps:registry", "--json"),
        ("schema", "cut_steps:registry"),
        ("decode", "cut", "--in", "cut_steps:registry"),
    ],
)
def test_imports_print_to_stderr(run, folder, args):
    """With every command that imports modules of authors."""
    _, out, err = run(*args, stdin=b'{"n": 1}')

    assert "imported" not in out
    assert "imported\n" in err


def test_call_as_json_is_the_whole_run(run, folder):
    """A failure has its code and its details."""
    code, out, _ = run("call", "cut", '{"n": "2"}', "--in", "cut_steps:registry", "--json")
    record = json.loads(out)

    assert [n["path"] for n in record.pop("notes")] == ["$.n"]
    assert (code, record) == (
        1,
        {
            "ok": False,
            "uid": "cut",
            "name": "cut",
            "arguments": {"n": 2},
            "code": "negative",
            "text": "n must not be two",
            "content": "n must not be two",
            "problems": [],
            "attempts": 1,
            "details": {"n": 2},
            "exception": "blockargs.errors.ToolFailure",
            "error_id": None,
        },
    )


@pytest.mark.parametrize(("n", "name"), [(3, "cut_steps.LostError"), (4, "KeyError")])
def test_call_as_json_names_the_exception(run, folder, n, name):
    """Its class, and the number under which the log has its traceback; its text stays in the log."""
    code, out, _ = run("call", "cut", json.dumps({"n": n}), "--in", "cut_steps:registry", "--json")
    record = json.loads(out)

    assert (code, record["code"], record["exception"]) == (1, "tool_error", name)
    assert record["error_id"] in record["text"]
    assert "secret" not in out


def test_what_cannot_run_is_wrong_use(run, folder):
    """An extra that is missing, a block without a constructor, one whose module fails: one line, exit 2."""
    (folder / "odd.yml").write_text(
        "a:\n  name: A\n  constructor: no_such_package_at_all:f\nb:\n  name: B\nc:\n  name: C\n  constructor: os:nope\n"
    )

    for uid, said in (("a", "'no_such_package_at_all', which is not"), ("b", "metadata only"), ("c", "os:nope")):
        for form in ((), ("--json",)):
            code, out, err = run("call", uid, "--in", "odd.yml", *form)
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert said in err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["collect", "cut_stepz"], "did you mean 'cut_steps'"),
        (["collect", "zzz"], "the modules here are 'cut_steps' and 'fails_on_load'"),
        (["collect", "cut_steps.py"], "did you mean 'cut_steps'"),
        (["collect", ""], "there is no module ''"),
        (["collect", "fails_on_load.part"], "ZeroDivisionError"),
        (["collect", "json"], "no block was decorated in json"),
        (["collect", "fails_on_load"], "ZeroDivisionError"),
        (["collect", "cut_steps:cutt"], "did you mean 'cut'"),
        (["collect", "cut_steps", "--link", "{foo}"], "there are '{uid}'"),
        (["table", "cut_steps"], "'cut_steps:registry'; `blockargs collect cut_steps`"),
        (["table", "cut_steps.py"], "is a Python file: name what it holds, as 'cut_steps:registry'"),
        (["table", "fails_on_load.py"], "as 'fails_on_load:NAME'"),
        (["table", "cut_step"], "did you mean 'cut_steps"),
        (["table", "cut_steps:registri"], "did you mean 'registry'"),
        (["table", "cut_steps:zzz"], "it holds 'registry'"),
        (["table", "cut_stepz:registry"], "did you mean 'cut_steps'"),
        (["table", "zzz:registry"], "the modules here are 'cut_steps' and 'fails_on_load'"),
        (["table", "blockarg"], "did you mean 'blockargs'"),
        (["table", "declaration"], "did you mean 'declarations'"),
        (["table", "declarations/steps.yaml"], "did you mean 'declarations/steps.yml'"),
        (["table", "empty"], "the folder 'empty' holds no YAML file\n"),
        (["table", "fails_on_load:f"], "ZeroDivisionError: division by zero\n"),
        (["schema", "head_blok"], "did you mean 'head_block'"),
        (["decode", "head_blok"], "did you mean 'head_block'"),
        (["call", "head_blok"], "did you mean 'head_block'"),
        (["call", "zzz"], "there are 'arrange_block'"),
        (["call", "cut_steps"], "'cut_steps:registry'"),
        (["show", "zzz", "--in", "cut_steps:registry"], "there are 'cut'"),
        (["show", "cut_steps:both"], "name one of 'a' and 'b', with --in cut_steps:both"),
        (["tabel"], "did you mean 'table'"),
        (["zzz"], "there are 'call', 'check'"),
        (["table", "--categry", "x"], "--category"),
        (["table", "--zzz", "x"], "'--format'"),
        (["table", "--format", "jsn"], "did you mean 'json'"),
        (["table", "--yaml", "1.3"], "there are '1.1' and '1.2'"),
        (["schema", "--dialect", "openia"], "did you mean 'openai'"),
        (["schema", "--detail", "zzz"], "there are 'full' and 'lean'"),
        (["lint", "--dialect", "openia"], "did you mean 'openai'"),
        (["lint", "--client", "vscod"], "did you mean 'vscode'"),
        (["check", "--allow", "allw.yml"], "did you mean 'allow.yml'"),
        (["decode", "head_block", "allw.yml"], "did you mean 'allow.yml'"),
        (["decode", "head_block", "declaration/steps.yml"], "did you mean 'declarations'"),
        (["decode", "head_block", "no/such/folder"], "No such file"),
        (["table", "-o", "declaration/x/table.md"], "did you mean 'declarations'"),
    ],
)
def test_a_typo_is_one_line_with_its_cure(run, folder, args, said):
    """The nearest name, or the list; exit code 2 with every command."""
    (folder / "fails_on_load.py").write_text("1 / 0\n")
    (folder / "allow.yml").write_text("{}\n")
    (folder / "declarations").mkdir()
    (folder / "empty").mkdir()
    (folder / "declarations" / "steps.yml").write_text("a:\n  name: A\n")
    (folder / "cut_steps.py").write_text(
        f"{STEPS}\ndef a(): pass\ndef b(): pass\nboth = [a, b]\n".replace("print", "#")
    )

    code, out, err = run(*args)

    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert said in err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--category", "transfrom"], "no block has the category 'transfrom'; did you mean 'transform'?"),
        (["--package", "zzz"], "no block has the package 'zzz'; there are 'local'"),
    ],
)
def test_an_empty_table_says_why(run, args, said):
    """On stderr: the table itself is right."""
    code, out, err = run("table", *args, "--fields", "id", "--format", "csv")

    assert (code, out, err) == (0, "id\n", f"blockargs: {said}\n")


def test_a_python_file_elsewhere_is_named_in_its_folder(run, folder):
    """A module has no path."""
    _, _, err = run("table", folder / "cut_steps.py")

    assert err.endswith(f"run it in the folder '{folder}'\n")


@pytest.mark.parametrize(
    "args",
    [
        ("decode", "head_block"),
        ("call", "head_block", "-"),
        ("decode", "head_block", "binary"),
        ("check", "--allow", "binary"),
        ("collect", "cut_steps", "-o", "binary", "--check"),
    ],
)
def test_what_is_no_text_is_wrong_use(run, folder, args):
    """One line, exit 2."""
    (folder / "binary").write_bytes(b"{}\xff\xfe")

    code, out, err = run(*args, stdin=b"{}\xff\xfe")

    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("byte 2 is not UTF-8; give a text")


def test_text_that_is_too_long_is_a_problem(run, folder):
    """Whatever its letters are: the limit is of bytes."""
    text = b'{"n": "' + "é".encode() * (MAX_TEXT // 2) + b'"}'
    (folder / "long").write_bytes(text)

    for args in (("decode", "head_block", "long"), ("call", "head_block", "-")):
        code, out, err = run(*args, stdin=text)
        assert (code, (out + err).count("at most 4194304 are read")) == (1, 1)


def test_a_folder_is_no_file(run, folder):
    """One line, exit 2."""
    for args in (
        ("decode", "head_block", folder),
        ("check", "--allow", folder),
        ("collect", "cut_steps", "-o", folder),
    ):
        code, out, err = run(*args)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_closed_stdin_is_wrong_use(run, monkeypatch):
    """As `<&-` leaves it."""
    real = main

    def closed(args):
        monkeypatch.setattr(sys, "stdin", None)
        return real(args)

    assert closed(["decode", "head_block"]) == 2


@pytest.mark.parametrize("args", [("list",), ("--help",), ("call", "--help"), ("lint", "--json")])
@pytest.mark.parametrize("redirect", [">&-", "| true; exit ${PIPESTATUS[0]}"])
def test_a_reader_that_is_gone_is_no_fault(args, redirect):
    """Nothing is said of it, whatever was printed."""
    code, out, err = started(*args, redirect=redirect)

    assert (code, out) == (0, "")
    assert "Traceback" not in err
    assert "rror" not in err


def test_all_streams_may_be_closed(folder):
    """A constructor can still be called."""
    assert started("call", "cut", "--in", "cut_steps:registry", redirect="2>&-")[:2] == (0, '{"n": 1}\n')
    assert started("call", "cut", "--in", "cut_steps:registry", redirect=">&- 2>&-")[0] == 0


def test_a_full_disk_is_told(folder):
    """In one line."""
    code, _, err = started("list", redirect=">/dev/full")

    assert (code, err) == (2, "blockargs: [Errno 28] No space left on device\n")


def test_descriptors_lead_aside_while_a_command_runs(folder, capfd, monkeypatch):
    """What a child prints is told from our own output, and all is as it was afterwards."""
    with open(1, "w", encoding="utf-8", closefd=False) as real:
        monkeypatch.setattr(sys, "stdout", real)
        code = main(["call", "cut", "--in", "cut_steps:registry"])
        os.system("echo after")
        monkeypatch.undo()
    out, err = capfd.readouterr()

    assert (code, out) == (0, '{"n": 1}\nafter\n')
    assert "child\n" in err


def test_a_closed_descriptor_is_given_to_no_file(run, folder):
    """It leads nowhere instead."""
    kept = os.dup(0)
    os.close(0)
    try:
        code, out, _ = run("list", "cut_steps:registry")
        there = os.path.samestat(os.fstat(0), Path(os.devnull).stat())
    finally:
        os.dup2(kept, 0)
        os.close(kept)

    assert (code, out, there) == (0, "cut\n", True)


def test_completion_of_an_unknown_command_is_silent(capsys, monkeypatch):
    """The shell asks in the middle of a word."""
    monkeypatch.setenv("_BLOCKARGS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "blockargs tabel --")
    monkeypatch.setenv("COMP_CWORD", "2")

    main([])

    assert capsys.readouterr().err == ""


def test_help_that_nobody_reads_is_no_fault(monkeypatch):
    """As in `blockargs --help | head -1`."""
    end, start = os.pipe()
    os.close(end)

    with os.fdopen(start, "w") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["--help"]) == 0
