"""Saved runs."""

from .runfile import RunFile, Spool, encode_header, encode_scored

__all__ = ["RunFile", "Spool", "encode_header", "encode_scored"]
