"""Scoring a large file in several processes: each takes one piece of it after the other, and all of it is put together.

What comes of a piece can depend on another only where lines leave open which trial they are. Then, or where something
is wrong with a line, there is no result, and the file has to be scored by one process, which also says what is wrong.
"""

from .dividing import Piece, divide
from .processes import score_in_shares
from .worker import Shared

__all__ = ["Piece", "Shared", "divide", "score_in_shares"]
