"""The two collections that can be searched: the news as the web has it, and the library with the archive."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .embeddings import Embedder, likeness
from .index import Index, IndexedDocument, read_documents
from .listing import named_in

__all__ = ["MOST_RESULTS", "Collection", "library", "web"]

MOST_RESULTS = 5
"""How many documents a search returns."""

CANDIDATES = 20
"""How many documents each way of searching brings in where there are several."""

RANK_OFFSET = 60
"""Makes the first ranks of two lists count nearly alike, the usual number of reciprocal rank fusion."""

ARCHIVED_BEFORE = "2026-01-01"
"""News from this day on have not found their way into the archive yet."""


class Collection:
    """Documents that are found by their words, and by their meaning too where vectors can be had.

    What is said of a company that the query names counts twice: else news about other companies, in words that are
    nearer to the query, would leave no room for it.
    """

    def __init__(self, documents: Sequence[IndexedDocument], embedder: Embedder | None = None) -> None:
        self.index = Index(documents)
        self._embedder = embedder
        self._vectors: list[list[float]] | None = None
        self._named = [named_in(f"{one.title}. {one.text}") for one in self.index.documents]

    def find(self, query: str) -> list[IndexedDocument]:
        """The documents that fit a query best.

        Raises:
            ToolFailure: Vectors are wanted, and the server does not give them.
        """
        ordered = self.index.find(query, len(self.index.documents))
        rankings = [ordered[:CANDIDATES]]
        if named := named_in(query):
            rankings.append([position for position in ordered if named & self._named[position]][:CANDIDATES])
        if self._embedder is not None:
            rankings.append(self._nearest(query, self._embedder))
        return [self.index.documents[position] for position in _fused(*rankings)]

    def _nearest(self, query: str, embedder: Embedder) -> list[int]:
        if self._vectors is None:
            self._vectors = embedder.embed([f"{one.title}. {one.text}" for one in self.index.documents])
        (wanted,) = embedder.embed([query])
        scores = [likeness(wanted, vector) for vector in self._vectors]
        return sorted(range(len(scores)), key=lambda position: (-scores[position], position))[:CANDIDATES]


def _fused(*rankings: Sequence[int]) -> list[int]:
    """The best of several lists: what stands far up in all of them."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, position in enumerate(ranking):
            scores[position] = scores.get(position, 0.0) + 1 / (RANK_OFFSET + rank)
    return sorted(scores, key=lambda position: (-scores[position], position))[:MOST_RESULTS]


@cache
def web() -> Collection:
    """All news."""
    return Collection(read_documents("news.jsonl"))


@cache
def library(embedder: Embedder | None = None) -> Collection:
    """Explanations, views on industries, and the news of past years."""
    archive = [item for item in read_documents("news.jsonl") if item.date < ARCHIVED_BEFORE]
    return Collection([*read_documents("library.jsonl"), *archive], embedder)
