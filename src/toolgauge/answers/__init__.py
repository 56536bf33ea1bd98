"""Typed answers: the value is found in what the agent said, and compared by the rules of its type."""

from .prepare import prepare
from .specs import check_spec

__all__ = ["check_spec", "prepare"]
