"""Saved runs."""

from .lines import encode_header, encode_scored
from .runfile import RunFile
from .spool import Spool

__all__ = ["RunFile", "Spool", "encode_header", "encode_scored"]
