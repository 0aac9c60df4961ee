"""Describe the arguments of a block constructor once.

Names are loaded when they are first asked for, so that importing costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from .declare import read_declarations, save_declarations, write_declarations
    from .derive import Arg, arg_type_of, derive_args, derive_block, register_type
    from .dialects import (
        Dialect,
        LintReport,
        LintRow,
        Size,
        Tool,
        ToolExport,
        blocks_from_tools,
        export_tools,
        lint_tools,
    )
    from .dialects.limits import Limit
    from .dialects.names import NameRule
    from .dispatch import (
        Audio,
        Call,
        Effect,
        Image,
        Report,
        Resource,
        Text,
        ToolContent,
        ToolRun,
        Toolset,
        answer_block,
        extract,
        extract_async,
        joined_messages,
        table_effect,
    )
    from .dispatch.conversation import Attempt
    from .errors import (
        AttemptsExhaustedError,
        BlockArgsError,
        BlockArgsWarning,
        DiscouragedCategoryWarning,
        DuplicateBlockError,
        InvalidArgTypeError,
        InvalidArgumentsError,
        InvalidBlockArgError,
        InvalidBlockArgTypeError,
        InvalidBlockError,
        InvalidCallError,
        InvalidContentError,
        InvalidDeclarationError,
        InvalidEnumError,
        InvalidExampleError,
        InvalidIconError,
        InvalidOptionError,
        InvalidToolsetError,
        MissingBlockMetadataWarning,
        MissingDependencyError,
        NonconformingExampleError,
        Note,
        PluginWarning,
        Problem,
        RunningLoopError,
        ToolFailure,
        ToolRejected,
        UnknownBlockArgError,
        UnknownBlockError,
        UnknownDialectError,
        UnknownExampleError,
        UnknownOptionError,
        UnknownSourceError,
        UnnamedBlockArgsError,
        UnnamedConstructorWarning,
        UnnamedFieldError,
        UnsupportedAnnotationError,
    )
    from .icons import icon_names
    from .inject import Cancellation, CancelledCall, Context, Logger, Progress
    from .registry import (
        Blocks,
        Registry,
        block,
        create_block,
        default_registry,
        discover_blocks,
        get_block,
        list_blocks,
        load_registry,
        register_block,
        register_blocks,
        tool,
        unregister_blocks,
    )
    from .reply import Decoded, decode_arguments, decode_calls, decode_reply
    from .search import find_blocks
    from .spec import (
        MISSING,
        Block,
        BlockArg,
        BlockArgs,
        BoundCall,
        as_block_args,
        block_arg_description,
        block_arg_example,
        block_arg_type,
        new_block_arg,
        new_block_args,
    )
    from .spec.options import BlockOptions
    from .spelling import parse_type, spell
    from .tables import MetadataTable, argument_metadata, block_metadata
    from .types import (
        ArgType,
        arg_any,
        arg_array,
        arg_boolean,
        arg_column,
        arg_const,
        arg_enum,
        arg_integer,
        arg_json_array,
        arg_json_object,
        arg_literal,
        arg_map,
        arg_nullable,
        arg_number,
        arg_object,
        arg_schema,
        arg_string,
        arg_tuple,
        arg_union,
        same_type,
    )
    from .validate import Validator, problems_in

    __version__: str

__all__ = [
    "MISSING",
    "Arg",
    "ArgType",
    "Attempt",
    "AttemptsExhaustedError",
    "Audio",
    "Block",
    "BlockArg",
    "BlockArgs",
    "BlockArgsError",
    "BlockArgsWarning",
    "BlockOptions",
    "Blocks",
    "BoundCall",
    "Call",
    "Cancellation",
    "CancelledCall",
    "Context",
    "Decoded",
    "Dialect",
    "DiscouragedCategoryWarning",
    "DuplicateBlockError",
    "Effect",
    "Image",
    "InvalidArgTypeError",
    "InvalidArgumentsError",
    "InvalidBlockArgError",
    "InvalidBlockArgTypeError",
    "InvalidBlockError",
    "InvalidCallError",
    "InvalidContentError",
    "InvalidDeclarationError",
    "InvalidEnumError",
    "InvalidExampleError",
    "InvalidIconError",
    "InvalidOptionError",
    "InvalidToolsetError",
    "Limit",
    "LintReport",
    "LintRow",
    "Logger",
    "MetadataTable",
    "MissingBlockMetadataWarning",
    "MissingDependencyError",
    "NameRule",
    "NonconformingExampleError",
    "Note",
    "PluginWarning",
    "Problem",
    "Progress",
    "Registry",
    "Report",
    "Resource",
    "RunningLoopError",
    "Size",
    "Text",
    "Tool",
    "ToolContent",
    "ToolExport",
    "ToolFailure",
    "ToolRejected",
    "ToolRun",
    "Toolset",
    "UnknownBlockArgError",
    "UnknownBlockError",
    "UnknownDialectError",
    "UnknownExampleError",
    "UnknownOptionError",
    "UnknownSourceError",
    "UnnamedBlockArgsError",
    "UnnamedConstructorWarning",
    "UnnamedFieldError",
    "UnsupportedAnnotationError",
    "Validator",
    "answer_block",
    "arg_any",
    "arg_array",
    "arg_boolean",
    "arg_column",
    "arg_const",
    "arg_enum",
    "arg_integer",
    "arg_json_array",
    "arg_json_object",
    "arg_literal",
    "arg_map",
    "arg_nullable",
    "arg_number",
    "arg_object",
    "arg_schema",
    "arg_string",
    "arg_tuple",
    "arg_type_of",
    "arg_union",
    "argument_metadata",
    "as_block_args",
    "block",
    "block_arg_description",
    "block_arg_example",
    "block_arg_type",
    "block_metadata",
    "blocks_from_tools",
    "create_block",
    "decode_arguments",
    "decode_calls",
    "decode_reply",
    "default_registry",
    "derive_args",
    "derive_block",
    "discover_blocks",
    "export_tools",
    "extract",
    "extract_async",
    "find_blocks",
    "get_block",
    "icon_names",
    "joined_messages",
    "lint_tools",
    "list_blocks",
    "load_registry",
    "new_block_arg",
    "new_block_args",
    "parse_type",
    "problems_in",
    "read_declarations",
    "register_block",
    "register_blocks",
    "register_type",
    "same_type",
    "save_declarations",
    "spell",
    "table_effect",
    "tool",
    "unregister_blocks",
    "write_declarations",
]

# module -> the public names that live there; what is in no row lives in `errors`
_HOMES = {
    "declare": "read_declarations save_declarations write_declarations",
    "derive": "Arg arg_type_of derive_args derive_block register_type",
    "dialects": "Dialect LintReport LintRow Size Tool ToolExport blocks_from_tools export_tools lint_tools",
    "dialects.limits": "Limit",
    "dialects.names": "NameRule",
    "dispatch": "Audio Call Effect Image Report Resource Text ToolContent ToolRun Toolset answer_block extract "
    "extract_async joined_messages table_effect",
    "dispatch.conversation": "Attempt",
    "icons": "icon_names",
    "inject": "Cancellation CancelledCall Context Logger Progress",
    "registry": "Blocks Registry block create_block default_registry discover_blocks get_block list_blocks "
    "load_registry register_block register_blocks tool unregister_blocks",
    "reply": "Decoded decode_arguments decode_calls decode_reply",
    "search": "find_blocks",
    "spec": "MISSING Block BlockArg BlockArgs BoundCall as_block_args block_arg_description block_arg_example "
    "block_arg_type new_block_arg new_block_args",
    "spec.options": "BlockOptions",
    "spelling": "parse_type spell",
    "tables": "MetadataTable argument_metadata block_metadata",
    "types": "ArgType arg_any arg_array arg_boolean arg_column arg_const arg_enum arg_integer arg_json_array "
    "arg_json_object arg_literal arg_map arg_nullable arg_number arg_object arg_schema arg_string arg_tuple arg_union "
    "same_type",
    "validate": "Validator problems_in",
}


def __getattr__(name: str) -> Any:
    """Import the module where public *name* lives, and keep what was found."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - only who asks pays

        return version("blockargs")
    if name not in __all__:
        raise AttributeError(f"module 'blockargs' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only who asks pays

    home = next((module for module, names in _HOMES.items() if name in names.split()), "errors")
    found = getattr(import_module(f"blockargs.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
