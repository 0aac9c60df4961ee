"""Describe the arguments of a block constructor once."""
