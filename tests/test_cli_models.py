"""The commands that speak with models and with code: schema, lint, decode, call, collect, serve."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from blockargs.cli import main
from blockargs.declare import read_declarations

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


def test_schema_and_decode_find_a_block_at_a_source(run, steps):
    """`--in` names where, as for `show` and `call`."""
    source = f"{steps}:new_cut_block"

    code, out, _ = run("schema", "cut_block", "--in", source, "--dialect", "mcp")
    assert (code, [t["name"] for t in json.loads(out)["tools"]]) == (0, ["cut_block"])
    assert run("schema", "--in", source)[0] == 0
    assert run("decode", "cut_block", "--in", source, "--json", stdin='{"n": 2}')[0] == 0
    assert run("schema", "cut_blok", "--in", source)[0] == 2


def test_schema_tells_which_block_was_left_out(run, tmp_path):
    """And exits 1; the others are printed."""
    path = tmp_path / "two.yml"
    words = "|".join(f"w{n}" for n in range(1001))
    path.write_text(f"good:\n  name: Good\nbad:\n  name: Bad\n  arguments: {{a: {{type: enum({words})}}}}\n")

    code, out, err = run("schema", path, "--dialect", "openai", "--strict")

    assert code == 1
    assert [t["function"]["name"] for t in json.loads(out)["tools"]] == ["good"]
    assert err == (
        "blockargs: $: block 'bad' has 1002 enum values, and openai strict takes 1000 (read 2026-02); "
        "split the block, or make its arguments flatter and fewer\n"
    )


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
    code, out, err = run("decode", "head_block", stdin='Sure: {"n": "3", "direction": "Tail",}')

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "head_block:",
        "{",
        '  "n": 3,',
        '  "direction": "tail"',
        "}",
        "note: $: left out the text around the call",
        "note: $: left out a comma after the last member",
        "note: $.n: read '3' as the integer 3",
        "note: $.direction: read 'Tail' as the choice 'tail'",
    ]


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

    assert (code, out, err) == (2, "", "blockargs: --arguments needs one block; blockargs has 5\n")


def test_call_constructs_and_prints(run, steps):
    """The result as JSON; repairs are told on stderr."""
    code, out, err = run("call", f"{steps}:new_cut_block", '{"n": "2"}')

    assert (code, json.loads(out)) == (0, {"n": 2, "side": "top"})
    assert err == "note: $.n: read '2' as the integer 2\n"


def test_call_tells_what_was_wrong(run, steps):
    """Problems of the arguments, and failures that the constructor declares."""
    code, out, err = run("call", f"{steps}:new_cut_block", '{"m": 2}')
    assert (code, out, err) == (1, "", "problem: $.m: 'm' is no known key; known keys: 'n', 'side'\n")

    code, out, err = run("call", f"{steps}:new_cut_block", "-", stdin='{"n": -1}')
    assert (code, out, err) == (1, "", "blockargs: n must not be negative\n")


def test_a_failure_that_nobody_declared_is_opaque(run, tmp_path, monkeypatch):
    """Its text is for the host's log alone; a block without arguments is shown without them."""
    (tmp_path / "fails_when_called.py").write_text("def f():\n    raise RuntimeError('secret')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    code, out, err = run("call", "fails_when_called:f")
    assert (code, out) == (1, "")
    assert re.sub("error [0-9a-f]{8}", "error …", err) == (
        "blockargs: The tool failed; nothing more can be said (error …).\n"
    )

    assert run("show", "fails_when_called:f")[1].splitlines()[:6] == [
        "f (f)",
        "",
        "category: uncategorized",
        "package: fails_when_called",
        "",
        "Schema",
    ]


def test_call_as_json_holds_everything(run, steps):
    """For programs."""
    code, out, _ = run("call", f"{steps}:new_cut_block", "--json")

    assert code == 0
    assert json.loads(out) == {
        "ok": True,
        "uid": "cut_block",
        "name": "cut_block",
        "arguments": {},
        "code": "",
        "text": '{"n": 5, "side": "top"}',
        "content": {"n": 5, "side": "top"},
        "notes": [],
        "problems": [],
        "attempts": 1,
        "details": None,
        "exception": None,
        "error_id": None,
    }


def test_collect_writes_and_checks_declarations(run, steps, tmp_path):
    """Drift is a diff and exit 1; nothing is changed."""
    target = tmp_path / "steps.yml"

    assert run("collect", steps, "-o", target) == (0, "", "")
    assert run("collect", steps, "-o", target, "--check") == (0, "", "")
    text = target.read_text()
    target.write_text(text.replace("How many rows", "Rows"))
    code, out, _ = run("collect", steps, "-o", target, "--check")

    changed = [line for line in out.splitlines() if line[0] in "+-"]
    assert code == 1
    assert changed == [
        "--- steps.yml (file)",
        "+++ steps.yml (code)",
        "-      description: Rows.",
        "+      description: How many rows.",
    ]
    assert target.read_text() == text.replace("How many rows", "Rows")


def test_collect_prints_and_its_check_needs_a_file(run, steps):
    """Without --output the declarations are printed."""
    code, out, err = run("collect", steps)
    assert (code, err) == (0, "")
    assert [b.uid for b in read_declarations(out)] == ["cut_block"]

    assert run("collect", steps, "--check") == (
        2,
        "",
        "blockargs: --check compares with a file: name it with --output\n",
    )


@pytest.mark.parametrize(
    ("client", "key", "kind"),
    [("claude-desktop", "mcpServers", {}), ("cursor", "mcpServers", {}), ("vscode", "servers", {"type": "stdio"})],
)
def test_serve_prints_the_settings_of_a_client(run, client, key, kind, tmp_path, monkeypatch):
    """With whole paths, and serves nothing."""
    (tmp_path / "decl").mkdir()
    (tmp_path / "decl" / "a.yml").write_text("a:\n  name: A\n")
    monkeypatch.chdir(tmp_path)

    code, out, err = run("serve", "decl", "--print-config", client)

    settings = json.loads(out)
    assert (code, err) == (0, "")
    assert Path(settings[key]["blockargs"].pop("command")).name == "blockargs"
    assert settings == {key: {"blockargs": {**kind, "args": ["serve", str(tmp_path / "decl")]}}}


def test_serve_prints_the_command_of_a_client_that_has_one(run, monkeypatch):
    """It can be pasted into a shell."""
    monkeypatch.delenv("PYTHONPATH", raising=False)

    code, out, err = run("serve", "--print-config", "claude-code")

    start, _, served = out.partition(" -- ")
    assert (code, start, err) == (0, "claude mcp add --transport stdio blockargs", "")
    assert Path(served.removesuffix(" serve\n")).name == "blockargs"


def test_the_settings_hold_every_option_that_was_given(run, tmp_path, monkeypatch):
    """The client starts the server as the user would, with whole paths; what is a default stays one."""
    monkeypatch.chdir(tmp_path)
    options = ("--name", "my-blocks", "--strict", "--tools", "lean", "--page-size", "50", "--yaml", "1.1")

    _, out, _ = run("serve", "--print-config", "cursor", *options)
    entry = json.loads(out)["mcpServers"]["my-blocks"]
    plain = json.loads(run("serve", "--print-config", "cursor")[1])["mcpServers"]["blockargs"]

    asked = [*zip(*[iter(w for w in entry["args"][1:] if w != "--strict")] * 2, strict=True)]
    assert "--strict" in entry["args"]
    assert sorted(asked) == sorted([options[:2], *zip(options[3::2], options[4::2], strict=True)])
    assert plain["args"] == ["serve"]


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_the_settings_of_a_server_over_http_are_its_address(run, tmp_path, host, shown):
    """With the place of the token, never the token itself."""
    (tmp_path / "token.txt").write_text("0123456789abcdef")
    http = ("serve", "--transport", "http", "--host", host, "--port", "9000", "--print-config", "vscode")

    plain = json.loads(run(*http)[1])
    secret = json.loads(run(*http, "--token-file", str(tmp_path / "token.txt"))[1])["servers"]["blockargs"]

    assert plain == {"servers": {"blockargs": {"type": "http", "url": f"http://{shown}:9000/mcp"}}}
    assert secret["headers"] == {"Authorization": "Bearer ${BLOCKARGS_TOKEN}"}


def test_a_free_port_has_no_address_yet(run):
    """It is known only when the server runs."""
    code, _, err = run("serve", "--transport", "http", "--port", "0", "--print-config", "cursor")

    assert (code, err) == (
        2,
        "blockargs: Invalid value for --port: which port is free is known only when it serves; name one\n",
    )


def test_serve_knows_its_clients(run):
    """An unknown one is wrong use."""
    there = "'claude-code', 'claude-desktop', 'cursor', 'gemini-cli' and 'vscode'"
    said = f"blockargs: Invalid value for --print-config: 'emacs' is no client; there are {there}\n"

    assert run("serve", "--print-config", "emacs") == (2, "", said)


def test_a_module_that_fails_to_load_is_wrong_use(run, tmp_path, monkeypatch):
    """One line, whatever it raised."""
    (tmp_path / "fails_on_load.py").write_text("1 / 0\n")
    (tmp_path / "exits_on_load.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "exits.yml").write_text("new_a_block:\n  name: A\n  constructor: 'exits_on_load:f'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    code, _, err = run("show", "fails_on_load:f")
    assert (code, err) == (2, "blockargs: 'fails_on_load:f' cannot be loaded: ZeroDivisionError: division by zero\n")

    code, _, err = run("show", "exits_on_load:f")
    assert (code, err) == (2, "blockargs: 'exits_on_load:f' cannot be loaded: SystemExit: 0\n")

    code, _, err = run("collect", "exits_on_load")
    assert (code, err) == (2, "blockargs: 'exits_on_load' fails when it is imported: SystemExit: 0\n")

    code, _, err = run("collect", "fails_on_load")
    assert (code, err) == (
        2,
        "blockargs: 'fails_on_load' fails when it is imported: ZeroDivisionError: division by zero\n",
    )

    code, out, _ = run("check", "exits.yml")
    assert (code, out) == (
        1,
        "exits.yml:1: a_block: $: the constructor exits_on_load:f cannot be loaded: SystemExit\n",
    )


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("name=5", "block 'f' was not registered: $.name: 5 is not a line of text"),
        (
            "icon='tabel'",
            "block 'f' was not registered: $.icon: 'tabel' is no name of Bootstrap Icons; did you mean 'table', 'tablet' or 'bell'?",
        ),
        ("keywords='one'", "function 'faulty_blocks.f': $.keywords: 'one' is no list; write a list"),
    ],
)
def test_a_fault_of_the_blocks_of_a_module_is_a_problem(run, tmp_path, monkeypatch, option, says):
    """The command was used rightly, so it exits 1."""
    (tmp_path / "faulty_blocks.py").write_text(f"import blockargs\n@blockargs.block({option})\ndef f(): ...\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    assert run("list", "faulty_blocks:f") == (1, "", f"blockargs: {says}\n")


def test_a_name_that_holds_several_blocks_is_asked_to_be_one(run, tmp_path, monkeypatch):
    """`show` shows one."""
    (tmp_path / "holds_two.py").write_text("def a(): pass\ndef b(): pass\nboth = [a, b]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    assert run("show", "holds_two:both") == (
        2,
        "",
        "blockargs: holds_two:both holds 2 blocks; name one of 'a' and 'b', with --in holds_two:both\n",
    )


def test_show_prints_facts_hidden_arguments_and_outputs(run, tmp_path, monkeypatch):
    """Everything that is known."""
    (tmp_path / "full_page.py").write_text(
        "import blockargs\nfrom blockargs import new_block_arg\n"
        "def count(n: int, strict: bool = False, key=None) -> int:\n    'Count.'\n    return n\n"
        "block = blockargs.derive_block(count, link='https://example.org', details='Long.', arguments={"
        "'n': new_block_arg(type='integer'), 'strict': None, 'key': new_block_arg('A key.')})\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    out = run("show", "full_page:block")[1]

    head, _, rest = out.partition("Schema\n")
    schema, _, output = rest.partition("Output schema\n")
    assert head.splitlines() == [
        "count (count)",
        "",
        "category: uncategorized",
        "package: full_page",
        "link: https://example.org",
        "",
        "Count.",
        "",
        "Long.",
        "",
        "Arguments",
        "  n: integer, required",
        "  strict: any, hidden",
        "  key: any, default null",
        "      A key.",
        "",
    ]
    assert [list(json.loads(schema)["properties"]), json.loads(output)] == [["n", "key"], {"type": "integer"}]


def test_serve_without_the_extra_says_what_to_install(run, monkeypatch):
    """In one line."""
    for name in [n for n in sys.modules if n.startswith("blockargs.mcp_server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)

    code, _, err = run("serve")

    assert (code, err) == (2, "blockargs: the MCP server needs the package 'mcp'; pip install 'blockargs[mcp]'\n")
    assert run("serve", "--print-config", "cursor")[0] == 0
    assert run("serve", "blockargs", "--print-config", "cursor")[0] == 0


def test_an_interrupt_ends_quietly(run, monkeypatch):
    """As the shell expects it."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("blockargs.cli.readers.registry_at", interrupted)

    assert run("list")[:2] == (130, "")


def test_no_command_shows_the_help(run):
    """And is wrong use."""
    code, out, _ = run()

    assert code == 2
    assert "Commands:" in out


def test_a_constructor_that_exits_is_no_success(run, tmp_path, monkeypatch):
    """Whatever code it exits with."""
    (tmp_path / "exits_when_called.py").write_text("import sys\ndef f(n=1): sys.exit(0)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    assert run("call", "exits_when_called:f")[0] == 1


@pytest.mark.parametrize("source", ["os:environ", "math:pi", "os:path", ""])
def test_what_holds_no_blocks_is_wrong_use_and_not_shown(run, source):
    """A text in a module is no uid."""
    code, out, err = run("table", source)

    said = "holds no blocks; name a registry, a constructor, or a list of these"
    wanted = (
        f"{source!r} {said}" if source else "there is no folder, YAML file, installed package or module:attribute ''"
    )
    assert (code, out, err) == (2, "", f"blockargs: {wanted}\n")
