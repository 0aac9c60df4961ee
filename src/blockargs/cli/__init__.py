"""The command line: each command is one thing a person does with a registry."""

from .main import main

__all__ = ["main"]
