"""The recipes of docs/recipes.md, word for word, against a local server that speaks each provider's wire format.

The real client packages are used; nothing but the address and the key is set. Each recipe is answered twice:
first with a meeting of 0 minutes, then with one of 30, so that the retry goes over the wire too.
"""
# needs: openai anthropic google-genai

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RECIPES = Path(__file__).parents[2] / "docs" / "recipes.md"
BLOCK = re.compile(r"(?:<!-- recipe: (?P<name>[\w-]+) -->\n)?```(?:py|python)\n(?P<code>.*?)```", re.DOTALL)
REASON = "$.minutes: a meeting takes at least 5 minutes"
BOOKED = "booked 30 minutes for 1"


def chat(name: str, arguments: Any, number: int) -> Any:
    """Return an answer of OpenAI's chat completions."""
    call = {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def responses(name: str, arguments: Any, number: int) -> Any:
    """Return an answer of OpenAI's responses."""
    call = {"id": f"fc_{number}", "call_id": f"call_{number}", "type": "function_call", "status": "completed"}
    output = [
        {"id": "rs_1", "type": "reasoning", "summary": []},
        {**call, "name": name, "arguments": json.dumps(arguments)},
    ]
    fixed = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "status": "completed"}
    return {"id": "r", "object": "response", "created_at": 0, "model": "m", "output": output, **fixed}


def anthropic(name: str, arguments: Any, number: int) -> Any:
    """Return an answer of Anthropic's messages."""
    use = {"type": "tool_use", "id": f"call_{number}", "name": name, "input": arguments}
    content = [{"type": "text", "text": "I will."}, use]
    usage = {"input_tokens": 1, "output_tokens": 1}
    fixed = {"role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": None, "usage": usage}
    return {"id": "msg", "type": "message", "content": content, **fixed}


def gemini(name: str, arguments: Any, _: int) -> Any:
    """Return an answer of Gemini's generateContent."""
    parts = [{"text": "I will.", "thoughtSignature": "c2ln"}, {"functionCall": {"name": name, "args": arguments}}]
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}


Form = Callable[[str, Any, int], Any]
# path on the wire: form of the answer, where the offered tools' names stand
FORMS: dict[str, tuple[Form, Callable[[Any], list[str]]]] = {
    "/chat/completions": (chat, lambda body: [tool["function"]["name"] for tool in body["tools"]]),
    "/responses": (responses, lambda body: [tool["name"] for tool in body["tools"]]),
    "/messages": (anthropic, lambda body: [tool["name"] for tool in body["tools"]]),
    ":generateContent": (gemini, lambda body: [f["name"] for t in body["tools"] for f in t["functionDeclarations"]]),
}


class Provider(BaseHTTPRequestHandler):
    """Answers each request by its path; remembers what came."""

    asked: list[Any] = []
    answers: list[Any] = []

    def do_POST(self) -> None:
        """Answer with the next call, or in text when there is none left."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        form, names = next(row for end, row in FORMS.items() if self.path.partition("?")[0].endswith(end))
        self.asked.append(body)
        if self.answers:
            answer = form(names(body)[0], self.answers.pop(0), len(self.asked))
        else:
            answer = {**form("", {}, 0), "content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


def recipes() -> tuple[str, dict[str, str]]:
    """Return the toolset that all recipes offer, and each recipe by name."""
    found = [(m["name"], m["code"]) for m in BLOCK.finditer(RECIPES.read_text(encoding="utf-8"))]
    (shared,) = [code for name, code in found if name is None]
    return shared, {name: code for name, code in found if name is not None}


def followed(shared: str, code: str, answers: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    """Run a recipe while the provider gives *answers*; return its names and the requests."""
    Provider.asked.clear()
    Provider.answers[:] = answers
    names: dict[str, Any] = {}
    exec(compile(shared + code, str(RECIPES), "exec"), names)
    return names, list(Provider.asked)


ZERO, HALF = ({"attendees": ["Ada"], "minutes": n} for n in (0, 30))


def told_again(names: dict[str, Any], asked: list[Any]) -> None:
    """Check a recipe of `ask`: two requests, the second with the reason, one call, its result in the messages."""
    report = names["report"]
    first, second = (json.dumps(body, ensure_ascii=False) for body in asked)
    assert report.ok, report
    assert report.result() == BOOKED
    assert len(report.attempts) == 2
    assert REASON not in first
    assert REASON in second
    assert BOOKED in json.dumps(report.messages[-1])
    assert "Book half an hour with Ada." in first
    # what a provider wants to see again: Gemini's signatures, OpenAI's reasoning items
    assert ("contents" in asked[1]) == ("c2ln" in second)
    assert ("input" in asked[1]) == ("rs_1" in second)


def extracted(names: dict[str, Any], asked: list[Any]) -> None:
    """Check the recipe of `extract`."""
    assert names["numbers"] == [1, 2, 3]
    assert "$.value" in json.dumps(asked[1])


def looped(names: dict[str, Any], asked: list[Any]) -> None:
    """Check the recipe of the own loop: failure and result both go back as tool results."""
    results = [m["content"][0] for m in asked[-1]["messages"] if m["role"] == "user" and isinstance(m["content"], list)]
    assert [r.get("is_error", False) for r in results] == [True, False]
    assert REASON in results[0]["content"][0]["text"]
    assert results[1]["content"][0]["text"] == BOOKED
    assert len(asked) == 3
    assert [run.ok for run in names["runs"]] == [True]


CHECKS: dict[str, tuple[list[Any], Callable[[dict[str, Any], list[Any]], None]]] = {
    "openai": ([ZERO, HALF], told_again),
    "openai-responses": ([ZERO, HALF], told_again),
    "anthropic": ([ZERO, HALF], told_again),
    "gemini": ([ZERO, HALF], told_again),
    "extract": ([{"value": ["one"]}, {"value": [1, 2, 3]}], extracted),
    "loop": ([ZERO, HALF], looped),
}


def main() -> int:
    """Follow every recipe; say which went wrong."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    os.environ |= {
        "OPENAI_BASE_URL": f"{address}/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": address,
        "GEMINI_API_KEY": "none",
        "NO_PROXY": "127.0.0.1",
    }
    shared, found = recipes()
    if found.keys() != CHECKS.keys():
        print(f"recipes without a check, or checks without a recipe: {sorted(found.keys() ^ CHECKS.keys())}")
        return 1
    for name, (answers, check) in CHECKS.items():
        check(*followed(shared, found[name], answers))
        print(f"{name}: as written")
    server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
