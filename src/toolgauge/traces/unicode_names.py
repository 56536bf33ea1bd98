"""One spelling for what recorders spell in several ways: names in normal form C, and no error where its text is empty.

Most trajectories are as they should be, so they are looked at first and copied only where something changes.
"""

from __future__ import annotations

from msgspec.structs import replace

from toolgauge.core import LARGEST_AMOUNT, Call, JsonValue, Trajectory, nfc
from toolgauge.errors import UsageError

__all__ = ["checked", "normal_trajectory"]


def normal_trajectory(trajectory: Trajectory) -> Trajectory:
    """The trajectory with the names of its case, agent, tools and arguments in normal form."""
    for call in trajectory.calls:
        # Most names are ASCII, which is soon looked through.
        if not call.tool.isascii() or call.error == "" or (call.args and not "".join(call.args).isascii()):
            if any(map(_differs, trajectory.calls)):
                trajectory = replace(trajectory, calls=tuple(map(_normal_call, trajectory.calls)))
            break
    if trajectory.case.isascii() and trajectory.agent.isascii():
        return trajectory
    case, agent = nfc(trajectory.case), nfc(trajectory.agent)
    if case != trajectory.case or agent != trajectory.agent:
        return replace(trajectory, case=case, agent=agent)
    return trajectory


def _differs(call: Call) -> bool:
    return call.error == "" or any(nfc(name) != name for name in (call.tool, *(call.args or ())))


def _normal_call(call: Call) -> Call:
    args: dict[str, JsonValue] | None = call.args
    if args:
        args = {nfc(name): value for name, value in args.items()}
    return replace(call, tool=nfc(call.tool), args=args, error=call.error or None)


def checked(trajectory: Trajectory) -> Trajectory:
    """A trajectory that was made in Python, checked as recorded ones are.

    Raises:
        UsageError: An amount in it is none.
    """
    usage = trajectory.usage
    amounts = [("latency_ms", trajectory.latency_ms)]
    if usage is not None:
        names = ("requests", "input_tokens", "output_tokens", "cost_usd")
        amounts.extend((f"usage.{name}", getattr(usage, name)) for name in names)
    for name, value in amounts:
        if value is not None and not 0 <= value <= LARGEST_AMOUNT:
            what = f"expected a number from 0 to {LARGEST_AMOUNT:g}, found {value!r}"
            raise UsageError(f"trajectory of case {trajectory.case!r}, {name}: {what}")
    return normal_trajectory(trajectory)
