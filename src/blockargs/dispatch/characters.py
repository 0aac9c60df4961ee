"""Half a character (a lone surrogate), which no message can hold: it is replaced, and the host's log says so."""

from __future__ import annotations

import logging
from typing import Any

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LOG = logging.getLogger("blockargs")


def whole_text(text: str) -> str:
    """Return *text* with `REPLACEMENT` for each half of a character; nearly every text comes back as it is."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        LOG.warning("a text that goes out holds half a character, which is replaced")
        # both halves of one character, one after the other, are that character
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def whole(value: Any) -> Any:
    """Return *value*, JSON or nearly, with `whole_text` in the place of each text in it, keys too."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, dict):
        return {whole(k): whole(v) for k, v in value.items()}
    return [whole(v) for v in value] if isinstance(value, list) else value
