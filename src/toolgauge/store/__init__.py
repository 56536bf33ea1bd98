"""Saved runs."""

from .lines import append_scored, encode_header, encode_scored
from .runfile import RunFile
from .spool import Spool

__all__ = ["RunFile", "Spool", "append_scored", "encode_header", "encode_scored"]
