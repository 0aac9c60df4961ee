"""The commands that speak with models and with code: schema, lint, decode, call, collect, serve."""

from __future__ import annotations

import io
import json
import sys

import pytest

from blockargs.cli import main

STEPS = '''
import blockargs


@blockargs.block(category="transform")
def new_cut_block(n: int = 5, side: str = "top"):
    """Cut rows.

    Args:
        n: How many rows.
        side: Which side.
    """
    if n < 0:
        raise blockargs.ToolFailure("negative", "n must not be negative")
    return {"n": n, "side": side}
'''


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """A module of one decorated block in the working folder."""
    (tmp_path / "steps_of_cli.py").write_text(STEPS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield "steps_of_cli"
    sys.modules.pop("steps_of_cli", None)
    from blockargs.registry import unregister_blocks

    unregister_blocks()


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line, with text on stdin; give its exit code, stdout and stderr."""

    def run_(*args, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return code, out, err

    return run_


def test_schema_prints_the_fragment_of_a_request(run):
    """It can be piped straight into a request body."""
    code, out, err = run("schema", "head_block", "--dialect", "openai", "--strict")
    request = json.loads(out)

    assert (code, err) == (0, "")
    assert [t["function"]["name"] for t in request["tools"]] == ["head_block"]
    assert request["tools"][0]["function"]["strict"] is True


def test_schema_goes_to_a_file(run, tmp_path):
    """Nothing is printed then."""
    target = tmp_path / "tools.json"

    assert run("schema", "--dialect", "anthropic", "--output", target) == (0, "", "")
    assert {t["name"] for t in json.loads(target.read_text())["tools"]} >= {"head_block", "filter_block"}


def test_lint_is_a_matrix_of_blocks_and_dialects(run):
    """And JSON with every note."""
    code, out, err = run("lint", "--dialect", "openai", "--dialect", "gemini")
    assert (code, err) == (0, "0 problems\n")
    assert out.splitlines()[0].split() == ["block", "openai", "gemini"]

    rows = json.loads(run("lint", "--dialect", "openai", "--json")[1])
    assert {(row["uid"], row["dialect"]) for row in rows} >= {("head_block", "openai")}


def test_decode_prints_value_and_notes(run):
    """Of free text on stdin, against all bundled blocks."""
    code, out, _ = run("decode", "head_block", stdin='Sure: {"n": "3", "direction": "Tail",}')

    assert code == 0
    assert '"n": 3' in out
    assert '"direction": "tail"' in out
    assert "note: $.n: " in out


def test_decode_as_json_and_strict(run, tmp_path):
    """A repair is a problem then; exit 1."""
    reply = tmp_path / "reply.txt"
    reply.write_text('{"n": "3"}')

    code, out, _ = run("decode", "head_block", reply, "--strict", "--json", "--arguments")

    found = json.loads(out)
    assert (code, found["ok"], found["value"]) == (1, False, None)
    assert [p["path"] for p in found["problems"]] == ["$.n"]


def test_decode_of_arguments_needs_one_block(run):
    """Wrong use is one line."""
    code, out, err = run("decode", "blockargs", "--arguments", stdin="{}")

    assert (code, out, err.count("\n")) == (2, "", 1)


def test_call_constructs_and_prints(run, steps):
    """The result as JSON; repairs are told on stderr."""
    code, out, err = run("call", f"{steps}:new_cut_block", '{"n": "2"}')

    assert (code, json.loads(out)) == (0, {"n": 2, "side": "top"})
    assert err.startswith("note: $.n: ")


def test_call_tells_what_was_wrong(run, steps):
    """Problems of the arguments, and failures that the constructor declares."""
    code, out, err = run("call", f"{steps}:new_cut_block", '{"m": 2}')
    assert (code, out) == (1, "")
    assert "$.m" in err

    code, out, err = run("call", f"{steps}:new_cut_block", "-", stdin='{"n": -1}')
    assert (code, out, err) == (1, "", "blockargs: n must not be negative\n")


def test_call_as_json_holds_everything(run, steps):
    """For programs."""
    code, out, _ = run("call", f"{steps}:new_cut_block", "--json")

    assert code == 0
    assert json.loads(out) == {
        "ok": True,
        "uid": "cut_block",
        "content": {"n": 5, "side": "top"},
        "notes": [],
        "problems": [],
    }


def test_collect_writes_and_checks_declarations(run, steps, tmp_path):
    """Drift is a diff and exit 1; nothing is changed."""
    target = tmp_path / "steps.yml"

    assert run("collect", steps, "-o", target) == (0, "", "")
    assert run("collect", steps, "-o", target, "--check") == (0, "", "")
    text = target.read_text()
    target.write_text(text.replace("How many rows", "Rows"))
    code, out, _ = run("collect", steps, "-o", target, "--check")

    assert code == 1
    assert "+      description: How many rows." in out.splitlines() or "How many rows" in out
    assert "How many rows" not in target.read_text()


def test_collect_prints_and_its_check_needs_a_file(run, steps):
    """Without --output the declarations are printed."""
    code, out, _ = run("collect", steps)
    assert code == 0
    assert "cut_block" in out

    code, out, err = run("collect", steps, "--check")
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "cursor", "vscode"])
def test_serve_prints_the_settings_of_a_client(run, client):
    """And serves nothing."""
    code, out, err = run("serve", "registry", "--print-config", client)

    assert (code, err) == (0, "")
    assert "blockargs" in out
    assert "registry" in out


def test_serve_knows_its_clients(run):
    """An unknown one is wrong use."""
    code, _, err = run("serve", "--print-config", "emacs")

    assert (code, err.count("\n")) == (2, 1)
