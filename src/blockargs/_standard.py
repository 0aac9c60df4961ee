"""The standard descriptors of the process."""

from __future__ import annotations

import os


def fill_standard() -> None:
    """Let the standard descriptors that are closed lead nowhere: the next file that is opened would become them."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest that is free
