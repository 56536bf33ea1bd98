"""Faults in suites: what contradicts the tools or itself, what can never count, what is too little to compare."""

from .check import lint
from .words import word_finding

__all__ = ["lint", "word_finding"]
