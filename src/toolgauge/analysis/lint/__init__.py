"""Faults in suites: what contradicts the tools or itself, what can never count, what is too little to compare."""

from .check import lint

__all__ = ["lint"]
