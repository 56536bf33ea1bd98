"""What stops an agent: finite defaults, which a run or a case may change."""

from __future__ import annotations

from msgspec.structs import replace

from toolgauge.core import Limits

__all__ = ["DEFAULT_LIMITS", "narrowed"]

DEFAULT_LIMITS = Limits(turns=20, calls=50, seconds=120.0, tokens=200_000)


def narrowed(limits: Limits, own: Limits | None) -> Limits:
    """The limits with those in place of them that somebody closer to the case gives."""
    if own is None:
        return limits
    given = {name: value for name in own.__struct_fields__ if (value := getattr(own, name)) is not None}
    return replace(limits, **given)
