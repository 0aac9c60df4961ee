"""Every export is put before the provider's own client, where its package encodes the rules.

Run it with ``python tests/full/provider_clients.py``; it exits 1 where a client refuses something.
The bundled registry and 200 generated blocks are exported in every dialect.
"""

# needs: openai anthropic google-genai ollama openai-agents botocore llguidance

from __future__ import annotations

import copy
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import anthropic
import botocore.session
import ollama
from agents.strict_schema import ensure_strict_json_schema
from botocore.validate import ParamValidator
from google.genai import types as genai
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from llguidance import LLMatcher
from mcp.types import Tool as McpTool
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from blockargs.dialects import DIALECTS, STRICT, export_tools
from blockargs.node import ArgType
from blockargs.registry import load_registry
from blockargs.spec import Block, BlockArg, BlockArgs
from strategies import arg_types, names, values_for, values_near

GENERATED = 200
SAMPLES = 4  # values of each kind that a transformed schema is asked about


@st.composite
def blocks(draw):
    """Draw a block without constructor, with values that fit it and values that nearly do."""
    types = draw(st.dictionaries(names, arg_types(max_leaves=6), max_size=4))
    needed = {name: draw(st.booleans()) for name in types}
    args = {name: BlockArg("What it is.", type=kind, required=needed[name]) for name, kind in types.items()}
    return Block(uid=f"drawn_{draw(st.integers(0, 10**9))}", description="Drawn by chance.", arguments=BlockArgs(args))


def generated():
    """Return the generated blocks, the same in every run."""
    found = []

    @seed(20261130)
    @settings(
        max_examples=GENERATED * 2,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(block=blocks())
    def draw(block):
        if len(found) < GENERATED:
            found.append(block)

    draw()
    return found


@cache
def adapter(kind):
    return TypeAdapter(kind)


def openai_chat(tool, _):
    adapter(ChatCompletionFunctionToolParam).validate_python(tool)
    if tool["function"].get("strict"):
        unchanged_by_agents(tool["function"]["parameters"])
        compiles(tool["function"]["parameters"])


def openai_responses(tool, _):
    adapter(FunctionToolParam).validate_python(tool)
    if tool["strict"]:
        unchanged_by_agents(tool["parameters"])
        compiles(tool["parameters"])


def unchanged_by_agents(schema):
    strict = ensure_strict_json_schema(copy.deepcopy(schema))
    if strict != schema:
        raise ValueError(f"openai-agents makes of {json.dumps(schema)}: {json.dumps(strict)}")


def compiles(schema):
    """Compile *schema* as a grammar; a keyword without effect there is refused too."""
    wrong = LLMatcher.validate_grammar(LLMatcher.grammar_from_json_schema(json.dumps(schema)))
    if wrong:
        raise ValueError(f"llguidance: {wrong}: {json.dumps(schema)}")


def claude(tool, values):
    adapter(anthropic.types.ToolParam).validate_python(tool)
    if tool.get("strict"):
        same_verdicts(tool["input_schema"], anthropic.transform_schema(tool["input_schema"]), values)
        compiles(tool["input_schema"])


def same_verdicts(ours, theirs, values):
    mine, other = Draft202012Validator(ours), Draft202012Validator(theirs)
    for value in values:
        if mine.is_valid(value) != other.is_valid(value):
            raise ValueError(
                f"transform_schema changes the verdict on {value!r}: {json.dumps(ours)} {json.dumps(theirs)}"
            )


def gemini(tool, _):
    read = genai.Tool.model_validate({"functionDeclarations": [tool]})
    back = read.model_dump(by_alias=True, exclude_none=True, mode="json")["functionDeclarations"][0]
    if back != tool:
        raise ValueError(f"google-genai makes of {json.dumps(tool)}: {json.dumps(back)}")


@cache
def converse():
    service = botocore.session.get_session().get_service_model("bedrock-runtime")
    return service.operation_model("Converse").input_shape.members["toolConfig"]


def bedrock(tool, _):
    report = ParamValidator().validate({"tools": [tool]}, converse())
    if report.has_errors():
        raise ValueError(f"botocore: {report.generate_report()}")
    if tool["toolSpec"].get("strict"):
        compiles(tool["toolSpec"]["inputSchema"]["json"])


def ollama_client(tool, _):
    ollama.Tool.model_validate(tool)


def mistral(tool, values):
    openai_chat(tool, values)


def mcp(tool, _):
    read = McpTool.model_validate(tool)
    if read.model_dump(by_alias=True, exclude_none=True, mode="json")["inputSchema"] != tool["inputSchema"]:
        raise ValueError(f"mcp changes {json.dumps(tool)}")


# dialect -> what its provider's client says; llama.cpp has no client of its own, its element is OpenAI's
CLIENTS = {
    "openai": openai_chat,
    "openai-responses": openai_responses,
    "anthropic": claude,
    "gemini": gemini,
    "gemini-json": gemini,
    "bedrock": bedrock,
    "mistral": mistral,
    "ollama": ollama_client,
    "llama-cpp": openai_chat,
    "mcp": mcp,
}


def sampled(schema):
    """Return values that fit *schema* and values that nearly do."""
    found = []

    @seed(7)
    @settings(
        max_examples=SAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def draw(data):
        for value in (data.draw(values_for(schema)), data.draw(values_near(schema))):
            try:
                json.dumps(value)
            except (TypeError, ValueError, UnicodeEncodeError):
                continue
            found.append(value)

    draw()
    return found


def main():
    """Put all exports before all clients; say what was refused."""
    given_blocks = [*load_registry().values(), *generated()]
    accepted, refused = Counter(), []
    for dialect in [*DIALECTS.values(), *STRICT.values()]:
        ask = CLIENTS[dialect.name]
        for block in given_blocks:
            export = export_tools(block, dialect)
            if export.refused:
                refused.append((dialect.key, block.uid, str(export.problems[0])))
                continue
            tool = json.loads(export.json())  # as it is sent
            one = next(iter(_tools(tool)))
            values = sampled(ArgType(one["input_schema"])) if dialect.key == "anthropic strict" else []
            try:
                ask(one, values)
                accepted[dialect.key] += 1
            except Exception as reason:
                refused.append((dialect.key, block.uid, f"{type(reason).__name__}: {reason}"[:1500]))
    for key, count in accepted.items():
        print(f"{key}: {count} accepted of {len(given_blocks)}")
    for line in refused:
        print("REFUSED", *line)
    return 1 if refused else 0


def _tools(request):
    tools = request.get("toolConfig", {}).get("tools") or request["tools"]
    return tools[0].get("functionDeclarations", tools)


if __name__ == "__main__":
    sys.exit(main())
