"""What one tool and one request may hold: every figure, with the date it was read. Figures move; rules do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

What = Literal[
    "tools", "strict_tools", "properties", "depth", "enum_values", "text", "long_enum_text", "integer_enum_text",
    "optional", "unions", "description", "bounds_in_nested_arrays",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so much of one thing.

    Attributes:
        what: What is counted.
        most: How much may be there.
        per: Whether one tool is meant, or all tools of a request together.
        read: When the figure was read.
        advice: Whether going over it is told only, since the provider may still take it.
    """

    what: What
    most: int
    per: Literal["tool", "request"]
    read: str
    advice: bool = False


Limits = tuple[Limit, ...]

LONG_ENUM = 250  # values; from there on OpenAI counts the text of one enum; read 2026-02

_OPENAI_STRICT = (
    Limit("properties", 5_000, "request", "2026-02"),
    Limit("depth", 10, "tool", "2026-02"),
    Limit("enum_values", 1_000, "request", "2026-02"),
    Limit("text", 120_000, "request", "2026-02"),
    Limit("long_enum_text", 15_000, "tool", "2026-02"),
)
_CLAUDE_STRICT = (
    Limit("strict_tools", 20, "request", "2026-02"),
    Limit("optional", 24, "request", "2026-02"),
    Limit("unions", 16, "request", "2026-02"),
)
_OPENAI = (Limit("tools", 128, "request", "2025-06"), Limit("description", 1_024, "tool", "2025-06"))
_GEMINI = (
    Limit("tools", 512, "request", "2026-10"),
    Limit("integer_enum_text", 2_000, "tool", "2026-10"),
    Limit("bounds_in_nested_arrays", 24, "tool", "2026-10", advice=True),  # own guard: "too many states" has no figure
)

# dialect (key) -> its limits
LIMITS: dict[str, Limits] = {
    "openai": _OPENAI,
    "openai strict": (*_OPENAI, *_OPENAI_STRICT),
    "openai-responses": _OPENAI,
    "openai-responses strict": (*_OPENAI, *_OPENAI_STRICT),
    "anthropic": (Limit("tools", 10_000, "request", "2026-10"),),
    "anthropic strict": _CLAUDE_STRICT,
    "gemini": _GEMINI,
    "gemini strict": _GEMINI,
    "gemini-json": _GEMINI[:1],
    "gemini-json strict": _GEMINI[:1],
    "bedrock": (),
    "bedrock strict": _CLAUDE_STRICT,
    "mistral": (Limit("tools", 128, "request", "2026-10"),),
    "mistral strict": (Limit("tools", 128, "request", "2026-10"), *_OPENAI_STRICT),
    "ollama": (),
    "llama-cpp": (),
    "mcp": (),
}
# guards of our own while a schema is rewritten
MAX_WRITTEN_OUT = 20_000  # nodes of one schema after its references are written out
MAX_LEVELS = 100  # levels of one schema after that
UNROLLED = 3  # how often a recursive definition is written out inside itself

GEMINI_NAME = 128  # characters of a tool's name; read 2026-10 (64 in the documents of 2025, 63 in 2024)

# clients that are no dialect
CURSOR_NAME = 60  # server and tool name together; read 2025-09
CLAUDE_CODE_DESCRIPTION = 2_048  # bytes of a tool's description that are shown; read 2026-10
VSCODE_TOOLS = 128  # tools in one request; read 2025-06
GEMINI_CLI_NAME = 63  # characters with the prefix; longer ones are cut in the middle; read 2026-10
EXACT_INTEGER = 2**53  # beyond it a client that reads numbers as doubles rounds
