# needs: instructor langchain-core
"""What decoders make of the project's own cases: a Markdown table.

Run it with ``python tests/full/compare_decoders.py``. Each case is a malformed
reply with the arguments it means, or none. A decoder is right when it gives
exactly these arguments, types included, or refuses where there are none.
instructor and LangChain are compared where they are installed.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from blockargs.reply import decode_reply

CASES = Path(__file__).parents[1] / "cases" / "reply"
REFUSED = object()


def ours(reply: str, schema: dict[str, Any]) -> Any:
    """Decode with blockargs."""
    decoded = decode_reply(reply, schema)
    return decoded.value if decoded.ok else REFUSED


def then_validated(parse: Callable[[str], Any]) -> Callable[[str, dict[str, Any]], Any]:
    """Return the decoder that parses and asks jsonschema."""

    def decode(reply: str, schema: dict[str, Any]) -> Any:
        value = parse(reply)
        jsonschema.Draft202012Validator(schema).validate(value)
        return value

    return decode


def found(module: str, name: str) -> Callable[..., Any] | None:
    """Return the function *name* of an optional *module*, ``None`` where it is not installed."""
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def peers() -> dict[str, Callable[[str, dict[str, Any]], Any]]:
    """Return the decoders that can be compared here."""
    out: dict[str, Callable[[str, dict[str, Any]], Any]] = {
        "**blockargs**": ours,
        "json + jsonschema": then_validated(json.loads),
    }
    if (repaired := found("json_repair", "loads")) is not None:
        out["json_repair + jsonschema"] = then_validated(repaired)
    if (extracted := found("instructor.utils", "extract_json_from_codeblock")) is not None:
        out["instructor extract + jsonschema"] = then_validated(lambda text: json.loads(extracted(text)))
    if (marked := found("langchain_core.utils.json", "parse_json_markdown")) is not None:
        out["LangChain parse_json_markdown + jsonschema"] = then_validated(marked)
    return out


def judged(case: dict[str, Any], decode: Callable[[str, dict[str, Any]], Any]) -> str:
    """Return what *decode* makes of *case*: right, other value, accepted, or refused."""
    try:
        value = decode(case["reply"], case["schema"])
    except Exception:
        value = REFUSED
    if "value" not in case:
        return "right" if value is REFUSED else "accepted"
    if value is REFUSED:
        return "refused"
    return "right" if json.dumps(value, sort_keys=True) == json.dumps(case["value"], sort_keys=True) else "other"


def main() -> None:
    """Print the table."""
    cases = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in sorted(CASES.glob("*.yaml"))]
    meant = sum("value" in case for case in cases)
    print(f"{len(cases)} replies: {meant} mean arguments, {len(cases) - meant} have no single reading.\n")
    print("| decoder | right | refused though readable | another value | accepted though unreadable |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, decode in peers().items():
        seen = [judged(case, decode) for case in cases]
        print(f"| {name} | " + " | ".join(str(seen.count(k)) for k in ("right", "refused", "other", "accepted")) + " |")


if __name__ == "__main__":
    main()
