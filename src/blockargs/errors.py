"""What can be wrong: problems, notes, and the errors that carry them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Self


def at(path: str, key: str | int) -> str:
    """Return the JSONPath of member *key* of what stands at *path*.

    >>> at(at("$.conditions", 0), "op")
    '$.conditions[0].op'
    >>> at("$", "two words")
    "$['two words']"
    """
    if isinstance(key, int):
        return f"{path}[{key}]"
    if key.isidentifier():
        return f"{path}.{key}"
    escaped = key.replace("\\", "\\\\").replace("'", "\\'")
    return f"{path}['{escaped}']"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong: where, what, and how to put it right.

    Attributes:
        code: What kind of fault, in snake_case: ``"not_in_enum"``.
        path: JSONPath of the value itself: ``"$.conditions[0].op"``.
        message: What came, in quotes, and what was expected.
        hint: The cure, or ``""``.
    """

    code: str
    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        """``$.n: '5' is a string, not an integer; write 5 without quotes``."""
        return f"{self.path}: {self.message}; {self.hint}" if self.hint else f"{self.path}: {self.message}"

    def told(self) -> str:
        """Return it as a line of an error, where ``$`` goes without saying."""
        return str(self) if self.path != "$" else f"{self.message}; {self.hint}" if self.hint else self.message

    def under(self, path: str) -> Self:
        """Return the problem of a value that stands at *path*: ``$.n`` under ``$.limits`` is ``$.limits.n``."""
        return replace(self, path=path + self.path.removeprefix("$"))

    def record(self) -> dict[str, str]:
        """Return the problem as a JSON-ready dict."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing that was changed on the way: a rewrite of a schema, a repair of a value.

    Attributes:
        rule: Which rule changed it, in snake_case: ``"trailing_comma"``.
        path: JSONPath of what was changed.
        before: What stood there (JSON, or ``None`` where nothing stood).
        after: What stands there now.
        message: The change in a sentence.
    """

    rule: str
    path: str
    before: Any  # any JSON value
    after: Any  # any JSON value
    message: str

    def __str__(self) -> str:
        """``$.days: read the text '2' as the integer 2``."""
        return f"{self.path}: {self.message}"

    def record(self) -> dict[str, Any]:
        """Return the note as a JSON-ready dict."""
        return asdict(self)


class BlockArgsError(Exception):
    """Base of all errors here: a record of problems, with a sentence.

    Attributes:
        code: The kind of error: that of its class, or of a `ToolFailure` what its author named.
        problems: What is wrong, one `Problem` each.
        subject: What the problems are about: ``"block 'head' (registry/rows.yml:7)"``.
    """

    code: str = "block_args_error"

    def __init__(self, problems: Iterable[Problem] | str = (), subject: str = "") -> None:
        """Keep *problems*; a bare sentence becomes one problem at ``$``."""
        if isinstance(problems, str):
            problems = (Problem(code=self.code, path="$", message=problems),)
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.subject = subject
        super().__init__(self.problems, subject)

    @classmethod
    def of(cls, message: str, *, hint: str = "", path: str = "$", subject: str = "", code: str | None = None) -> Self:
        """Return the error of one problem.

        Args:
            message: What came, in quotes, and what was expected.
            hint: The cure.
            path: Where it stands.
            subject: What the problem is about.
            code: The kind of problem, where it is not the code of the class.
        """
        return cls((Problem(code=cls.code if code is None else code, path=path, message=message, hint=hint),), subject)

    def __str__(self) -> str:
        """One line for one problem, a line each for several."""
        lines = [p.told() for p in self.problems]
        if not lines:
            return self.subject or self.code
        if len(lines) == 1:
            return f"{self.subject}: {lines[0]}" if self.subject else lines[0]
        head = self.subject or f"{len(lines)} problems"
        return "\n  ".join([f"{head}:", *lines])


class InvalidBlockArgError(BlockArgsError, ValueError):
    """A block argument was described in a way that cannot be."""

    code = "block_arg_invalid"


class UnnamedBlockArgsError(BlockArgsError, ValueError):
    """A documented argument has no name, or its name is given twice."""

    code = "block_args_unnamed"


class InvalidEnumError(BlockArgsError, ValueError):
    """`arg_enum` was given something other than distinct strings."""

    code = "arg_enum_invalid"


class UnnamedFieldError(BlockArgsError, ValueError):
    """A field of `arg_object` has no name."""

    code = "arg_object_unnamed"


class InvalidArgTypeError(BlockArgsError, ValueError):
    """An argument type is not a valid JSON Schema node, or its spelling is malformed."""

    code = "arg_type_invalid"


class UnsupportedAnnotationError(BlockArgsError, TypeError):
    """A Python annotation cannot be expressed as an argument type."""

    code = "annotation_unsupported"


class InvalidBlockError(BlockArgsError, ValueError):
    """A block's uid, name, description or other metadata cannot be as given."""

    code = "block_invalid"


class UnknownOptionError(BlockArgsError, TypeError):
    """A block was given an option that no block has."""

    code = "option_unknown"


class InvalidOptionError(BlockArgsError, ValueError):
    """A function was asked for what it does not offer: a limit of nothing, a column or a format that is none."""

    code = "option_invalid"


class UnknownBlockArgError(BlockArgsError, ValueError):
    """A documented argument is no parameter of the constructor."""

    code = "block_arg_unknown"


class InvalidBlockArgTypeError(BlockArgsError, ValueError):
    """The type of a documented argument is no valid node."""

    code = "block_arg_type_invalid"


class UnknownExampleError(BlockArgsError, ValueError):
    """A worked configuration names an argument that the constructor does not have."""

    code = "block_example_unknown"


class NonconformingExampleError(BlockArgsError, ValueError):
    """A worked example does not fit the type of its argument."""

    code = "block_example_nonconforming"


class InvalidExampleError(BlockArgsError, ValueError):
    """The constructor refuses a worked configuration."""

    code = "block_example_invalid"


class DuplicateBlockError(BlockArgsError, ValueError):
    """The uid is taken."""

    code = "block_already_in_registry"


class InvalidIconError(BlockArgsError, ValueError):
    """The icon is no name of Bootstrap Icons."""

    code = "block_icon_invalid"


class UnknownBlockError(BlockArgsError, KeyError):
    """No block has this uid."""

    code = "block_unknown"

    __str__ = BlockArgsError.__str__  # KeyError would show the repr


class UnknownSourceError(BlockArgsError, LookupError):
    """There are no blocks where a folder, a file, a package or an attribute was named."""

    code = "source_unknown"


class MissingDependencyError(BlockArgsError, ImportError):
    """A block, or a door, needs a package that is not installed."""

    code = "block_dependency_missing"


class InvalidDeclarationError(BlockArgsError, ValueError):
    """A YAML declaration cannot be read as blocks."""

    code = "block_declaration_invalid"


class InvalidArgumentsError(BlockArgsError, ValueError):
    """The arguments of a call do not fit the block."""

    code = "arguments_invalid"


class AttemptsExhaustedError(InvalidArgumentsError):
    """No attempt of a model gave a valid answer.

    Attributes:
        attempts: Every attempt, in order, with what was repaired and what was wrong.
    """

    code = "attempts_exhausted"

    def __init__(self, problems: Iterable[Problem] | str = (), subject: str = "", attempts: Iterable[Any] = ()) -> None:
        super().__init__(problems, subject)
        self.attempts: tuple[Any, ...] = tuple(attempts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the attempts."""
        return type(self), (self.problems, self.subject, self.attempts)


class RunningLoopError(BlockArgsError, RuntimeError):
    """An async constructor was run from the thread of a running event loop."""

    code = "event_loop_running"


class InvalidToolsetError(BlockArgsError, ValueError):
    """Blocks cannot be offered together, or not with these options: names clash, an option is no such thing."""

    code = "toolset_invalid"


class InvalidCallError(BlockArgsError, TypeError):
    """What was given to be run, or was answered, is neither text nor a call."""

    code = "call_invalid"


class InvalidContentError(BlockArgsError, TypeError, ValueError):
    """Explicit content of a result is no such thing: a part without text, data that is no base64."""

    code = "content_invalid"


class UnknownDialectError(BlockArgsError, ValueError):
    """There is no such dialect, or it has no strict form."""

    code = "dialect_unknown"


class ToolFailure(BlockArgsError, RuntimeError):  # noqa: N818 - the word of the field
    """A failure that a constructor declares: the model is told *message*.

    Args:
        code: Stable snake_case code for programs.
        message: The sentence the model reads.
        details: JSON-ready facts, or ``None``.
        retryable: Whether the same call may be tried again.
    """

    def __init__(self, code: str, message: str, details: Any = None, *, retryable: bool = False) -> None:
        super().__init__((Problem(code=code, path="$", message=message),))
        self.code = code
        self.message = message
        self.details = details
        self.retryable = retryable

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the constructor's own arguments."""
        return _tool_failure, (self.code, self.message, self.details, self.retryable)

    def __str__(self) -> str:
        """Return the message alone: it is what the model reads."""
        return self.message


def _tool_failure(code: str, message: str, details: Any, retryable: bool) -> ToolFailure:  # noqa: FBT001 - pickle passes by position
    return ToolFailure(code, message, details, retryable=retryable)


class ToolRejected(BlockArgsError, RuntimeError):  # noqa: N818 - the word of the field
    """A call that a person or a policy refused; it is never tried again."""

    code = "tool_rejected"

    def __init__(self, reason: str) -> None:
        super().__init__((Problem(code=self.code, path="$", message=reason),))
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the reason alone."""
        return type(self), (self.reason,)

    def __str__(self) -> str:
        """Say that the call was refused, and why."""
        return f"Tool call rejected. {self.reason}"


class BlockArgsWarning(UserWarning):
    """Base of all warnings here; each class has its `code`."""

    code: str = "block_args_warning"


class DiscouragedCategoryWarning(BlockArgsWarning):
    """A category that is not one of the suggested ones."""

    code = "block_category_discouraged"


class MissingBlockMetadataWarning(BlockArgsWarning):
    """An object of no registered block was asked for its metadata."""

    code = "missing_block_metadata"


class UnnamedConstructorWarning(BlockArgsWarning):
    """A block was written without its constructor, which cannot be imported by a name."""

    code = "block_constructor_unnamed"


class PluginWarning(BlockArgsWarning):
    """A distribution's entry point could not be loaded."""

    code = "block_plugin_broken"
