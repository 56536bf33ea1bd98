"""The version of toolgauge, which is said here alone."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
