"""The patterns of the tolerant parser; none of them looks at a character more than a fixed number of times."""

from __future__ import annotations

import re

WS = r"[ \t\n\r]*+"
QUOTES = "\"'`“”„‟″‘’‚‛′"  # noqa: RUF001 - they are what this is about
CLOSERS = {
    '"': '"',
    "'": "'",
    "`": "`",
    **dict.fromkeys("“”„‟″", "“”‟″"),
    **dict.fromkeys("‘’‚‛′", "‘’‛′"),  # noqa: RUF001 - as above
}
MAX_WORDS = 300  # characters of unquoted text
MAX_KEY = 200
MAX_COMMENT = 2000

# a well-formed key, a string in an object, a string in a list, a number, a word: what nearly every token is
KEY = re.compile(rf'{WS}"([^"\\\x00-\x1f]*+)"{WS}:{WS}').match
MEMBER = re.compile(rf'"([^"\\\x00-\x1f]*+)"(?={WS}(?:\}}|,{WS}"[^"\\\x00-\x1f]*+"{WS}:))').match
ITEM = re.compile(rf'"([^"\\\x00-\x1f]*+)"(?={WS}[,\]])').match
# the same in single quotes, and keys without any: what Python and JavaScript write
OTHER_KEY = re.compile(rf"{WS}(?:'([^'\"\\\x00-\x1f]*+)'|([A-Za-z_$][\w$]*+)){WS}:{WS}").match
OTHER_MEMBER = re.compile(rf"'([^'\"\\\x00-\x1f]*+)'(?={WS}(?:\}}|,{WS}'[^'\\\x00-\x1f]*+'{WS}:))").match
OTHER_ITEM = re.compile(rf"'([^'\"\\\x00-\x1f]*+)'(?={WS}[,\]])").match
NUMBER = re.compile(rf"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?={WS}[,\]}}])").match
WORD = re.compile(rf"(?:true|false|null|True|False|None|undefined)(?={WS}[,\])}}])").match
NEXT = re.compile(rf"{WS}([,\]}}])?").match
# many members at once, each with the comma behind it: as JSON writes them, without escapes, two levels at most
_SCALAR = r'(?:"[^"\\\x00-\x1f]*+"|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)'
_LIST = rf"\[{WS}(?:{_SCALAR}{WS}(?:,{WS}{_SCALAR}{WS}){{0,100}})?\]"
_PAIR = rf'"[^":\\\x00-\x1f]++"{WS}:{WS}(?:{_SCALAR}|{_LIST}){WS}'
_PLAIN = rf"(?:{_SCALAR}|{_LIST}|\{{{WS}{_PAIR}(?:,{WS}{_PAIR}){{0,100}}\}})"
ITEMS = re.compile(rf"(?:{WS}{_PLAIN}{WS},){{4,500}}").match
MEMBERS = re.compile(
    rf'(?:{WS}"[^":\\\x00-\x1f]++"{WS}:{WS}{_PLAIN}{WS},){{4,500}}(?={WS}"[^":\\\x00-\x1f]++"{WS}:)'
).match

# atomic, not possessive: Python up to 3.11.4 loses its way in a possessive group whose branches go back
REMARK = rf"//[^\n]{{0,{MAX_COMMENT}}}+|\#[^\n]{{0,{MAX_COMMENT}}}+|/\*(?>(?:[^*]|\*(?!/)){{0,{MAX_COMMENT}}})\*/"
SKIP = re.compile(rf"(?:\s++|\\[ntr]|{REMARK})*+").match
COMMENT = re.compile(r"//|/\*|#")
# quotes and backticks in a comment, without the apostrophes inside a word
DELIMITER = re.compile(rf"(?<!\w)[{QUOTES}]|[{QUOTES}](?!\w)")
# a name, a quote or none, and a colon: what may be a key inside a text or a comment
NAME_COLON = re.compile(rf"([\w$-]{{1,{MAX_KEY}}}+)[{QUOTES}]?\s*+(?::|=>)")
END = re.compile(r"```|~~~|</|\Z").match  # a fence or a closing tag ends the text
LOOSE_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![\w.%])").match
LOOSE_WORD = re.compile(r"(?:true|false|null|True|False|None|undefined)(?!\w)").match
BARE = re.compile(rf"[^,{{}}\[\]()\"“”`\n\r]{{1,{MAX_WORDS + 1}}}").match
BARE_COMMENT = re.compile(r"\s(?://|#|/\*).*")
TO_QUOTE = re.compile(rf'(?:[^"\\{{}}\[\]\n\r]|\\.){{1,{MAX_WORDS}}}+"').match
# the text up to the closing quote of each kind, where the opening one is lost
TO_CLOSER = {
    opening: re.compile(rf"(?:[^{closing}\"\\{{}}\[\]\n\r]|\\.){{1,{MAX_WORDS}}}+[{closing}]").match
    for opening, closing in CLOSERS.items()
}
GAP = re.compile(rf"[{QUOTES}]:([ \t\r\n]*+)")
BEGINS_AS_JSON = re.compile(r"-?[0-9]|true|false|null|True|False|None").match
STARTS_AS_JSON = re.compile(r"(?:-?[0-9][0-9.eE+-]*+|true|false|null|True|False|None)\s").match
QUOTED_KEY = re.compile(r"""(?s)("(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')\s*+(?:::?|=>)""").match
KEY_AND_COMMENT = re.compile(
    rf"""("[^"\\\x00-\x1f]*+"|'[^'\\\x00-\x1f]*+'|[A-Za-z_$][\w$]{{0,80}}+)\s*+(?:{REMARK})(?:\s++|{REMARK})*+:(?!:)"""
).match
# a key and the text right behind it, between which the colon is lost
KEY_AND_TEXT = re.compile(
    rf"""(?:"([^"\\\x00-\x1f]++)"(?="[^"\\\x00-\x1f]++"{WS}[,}}])|'([^'\\\x00-\x1f]++)'(?='[^'\\\x00-\x1f]++'{WS}[,}}]))"""
).match
# any spelling of a key: quotes or none on either side, then what stands for the colon
ODD_KEY = re.compile(
    rf"([{QUOTES}]{{0,2}})([^{QUOTES}:{{}}\[\],=\\\n\r]{{1,{MAX_KEY}}}+)([{QUOTES}]{{0,2}})\s*+(::?|=>)?\s*+"
).match
CUT_KEY = re.compile(rf"[{QUOTES}]?[^{QUOTES}:{{}}\[\],\n\r]{{0,{MAX_KEY}}}+[{QUOTES}]?\s*+\Z").match
BARE_KEY = re.compile(r"[^\W\d][\w$]*(?:-\w+)*\Z|\$\w+\Z").match
# a value that is whole as it stands: what must follow where a quote or a colon was damaged
WHOLE_VALUE = re.compile(
    rf"\s*+(?:[{QUOTES}{{\[]|(?:-?[0-9][0-9.eE+-]*+|true|false|null|True|False|None)\s*+[,}}\]])"
).match
VALUE_START = re.compile(rf"[{QUOTES}{{\[(\-0-9tfnTFN]").match
COMMAS = re.compile(r"\s*+,(?:\s*+,)*+").match
COLON_INSIDE = re.compile(r":(?:\s|\Z)").search
ELIDED = ("...", "…")

# up to and with the next quote of a kind that no backslash escapes
NEXT_QUOTE = {
    opening: re.compile(rf"(?s)[^{closing}\\]*+(?:\\.[^{closing}\\]*+)*+[{closing}]").match
    for opening, closing in CLOSERS.items()
}
# strings whose every backslash begins an escape, or none does
ALL_ESCAPES = re.compile(r"""(?s)(?:[^\\]|\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt'`]))*+\Z""").match
NO_ESCAPES = re.compile(r"""(?s)(?!.*?\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt'`]|\Z))""").match
CONTROL = re.compile(r"[\x00-\x1f]").search


def after_blanks(text: str, i: int, end: int) -> int:
    """Return where the white space and comments at *i* end."""
    found = SKIP(text, i, end)
    return i if found is None else found.end()
