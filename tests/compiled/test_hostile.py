"""Texts, numbers and dicts of somebody's own run code when they are looked at: nothing is used that it took away.

What a failure looks like here is the end of the whole process, so every situation is tried in one of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiled.needed import needs_compiled_part

pytestmark = needs_compiled_part

ROOT = Path(__file__).parent.parent.parent

OPENING = """
import gc, sys
from msgspec.structs import force_setattr, replace
from toolgauge.compiled import PlainCase, PlainTotals, score_plain
from toolgauge.core import Call, Case, Expect, ExpectedCall, Issue, Score, Suite, ToolCounts, Trajectory
from toolgauge.metrics.exact import UNIT_BITS
from toolgauge.scoring import Scorer
from toolgauge.scoring.issues import missing_call

ran, held, calls = [], [], ()

class Text(str):
    '''A text that runs code whenever it is hashed or compared.'''
    act = staticmethod(lambda: None)
    def __hash__(self):
        self.run()
        return str.__hash__(self)
    def __eq__(self, other):
        self.run()
        return str.__eq__(self, other)
    def run(self):
        ran.append(1)
        self.act()
        noise = [bytes(48) for _ in range(2000)]  # takes the place of what was let go
        gc.collect()

def fresh(text):
    '''A text that nobody else holds.'''
    return "".join(list(text))

NOTHING = frozenset()
def plain_case(*args, tool="t"):
    slots = ((tool, 0, missing_call(tool, 0, dict(args)), True, tuple(args)),)
    return PlainCase(slots, (0.1, 0.3, 0.3, 0.3), 0.8, (NOTHING, NOTHING, NOTHING))
def trajectory(args=None, tool="t", case="c"):
    made = Call(tool, {"x": 1} if args is None else args)
    return Trajectory(case, "a", 1, calls=(made,), latency_ms=float(len(ran)) + 1.5)
def totals(places=None, groups=None):
    return PlainTotals({"c": 0} if places is None else places, [0] if groups is None else groups, UNIT_BITS)
def score(case="c", issues=()):
    return Score(case, "a", 1, "completed", True, 1.0, 1.0, 1.0, 1.0, 1.0, counts=ToolCounts(calls=1), says_tools=True,
                 issues=issues)
"""

SITUATIONS = {
    "the tool of an issue takes the totals away": """
class Tool(Text): act = staticmethod(lambda: sums.take())
sums = totals()
issues = tuple(Issue(kind, Tool("t"), call=0) for kind in ("missing_call", "unexpected_call", "wrong_arg"))
for _ in range(20):
    sums.add([trajectory()], [score(issues=issues)])
sums.take()
""",
    "the tool of an issue lets go of the issues": """
class Tool(Text): act = staticmethod(lambda: [force_setattr(one, "issues", ()) for one in held])
for _ in range(20):
    held[:] = [score(issues=tuple(Issue("missing_call", Tool(fresh("tool")), call=0) for _ in range(9)))]
    totals().add([trajectory()], held)
""",
    "the number of a call lets go of the issues": """
class Number(int):
    def __eq__(self, other):
        ran.append(1)
        for one in held: force_setattr(one, "issues", ())
        gc.collect()
        return False
    __hash__ = int.__hash__
for _ in range(20):
    held[:] = [score(issues=tuple(Issue("wrong_arg", fresh("tool"), call=Number(n)) for n in range(9)))]
    totals().add([trajectory()], held)
ran.append(1)
""",
    "the case of a score lets go of itself, its issues and the latency": """
class Name(Text):
    @staticmethod
    def act():
        for one in held[:1]:
            for field in ("case", "issues", "counts"): force_setattr(one, field, None)
        for one in held[1:]: force_setattr(one, "latency_ms", None)
class Key(Name): pass
for _ in range(20):
    held = [score(Name(fresh("c")), (Issue("missing_call", fresh("tool")),)), trajectory()]
    totals({Key("c"): 0}).add([held[1]], [held[0]])
""",
    "the place of a case is a number that lets go of itself": """
class Number:
    def __index__(self):
        ran.append(1)
        places.clear()
        gc.collect()
        return 0
for _ in range(20):
    places = {"c": Number()}
    try: totals(places).add([trajectory()], [score()])
    except TypeError: pass
""",
    "groups that become fewer while they are counted": """
class Number(int):
    def __index__(self):
        ran.append(1)
        groups.clear()
        gc.collect()
        return 0
class Other:
    def __index__(self):
        return Number.__index__(Number())
for kind in (Number, Other):
    groups = [kind() for _ in range(2000)]
    try: totals({}, groups)
    except (TypeError, ValueError): pass
ran.append(1)
""",
    "the name of a case lets go of the trajectory's own": """
class Name(Text):
    @staticmethod
    def act():
        for one in held:
            for field in ("case", "agent", "trial", "calls"): force_setattr(one, field, None)
            cases.clear()
for _ in range(20):
    held = []
    cases = {Name("c"): plain_case(("x", 1))}
    made = Call(fresh("t"), {"x": fresh("y")})
    held = [Trajectory(Name(fresh("c")), fresh("agent"), 10**9 + len(ran), calls=(made,))]
    del made
    score_plain(cases, held)
""",
    "the name of an argument lets go of the arguments": """
class Name(Text):
    @staticmethod
    def act():
        for call in calls:
            if call.args: call.args.clear()
            force_setattr(call, "args", {})
            force_setattr(call, "tool", "other")
for rule in (("city", "Hà Nội"), ("n", 10**30), (Name("city"), 1.5)):
    ready = {"c": plain_case(rule, ("y", 2), tool="tool")}
    for count in (1, 2, 3):
        calls = ()
        given = [{Name(fresh(rule[0])): fresh("Ha Noi"), "y": 10**20 + 1} for _ in range(count)]
        calls = tuple(Call(fresh("tool"), one) for one in given)
        del given
        try: score_plain(ready, [Trajectory("c", "a", 1, calls=calls)])
        except RuntimeError: pass
""",
    "a tool that changes things lets go of the calls": """
class Name(Text): act = staticmethod(lambda: [force_setattr(call, "tool", "other") for call in calls])
slots = (("t", 0, missing_call("t", 0, {}), True, ()),)
ready = {"c": PlainCase(slots, (0.1, 0.3, 0.3, 0.3), 0.8, (NOTHING, {"unexpected_call"}, frozenset({Name("extra")})))}
for _ in range(20):
    calls = tuple(Call(fresh("extra"), {"x": n}) for n in range(4))
    score_plain(ready, [Trajectory("c", "a", 1, calls=calls)])
""",
    "what accepts calls lets go of them": """
def accepts(call):
    ran.append(1)
    for one in calls:
        one.args.clear()
        force_setattr(one, "args", {})
        force_setattr(one, "tool", "other")
    gc.collect()
    return False
def judge(calls, issues):
    issues.clear()
    return 0, 0
slots = (("t", 0, missing_call("t", 0, {}), False, (("x", 1),)),)
ready = {"c": PlainCase(slots, (0.1, 0.3, 0.3, 0.3), 0.8, (NOTHING, NOTHING, NOTHING), accepts, judge)}
for _ in range(20):
    calls = tuple(Call(fresh("t"), {"x": fresh("text")}) for n in range(4))
    score_plain(ready, [Trajectory("c", "a", 1, calls=calls)])
""",
    "what says which issues fail gives something new every time": """
class Three:
    def __len__(self): return 3
    def __getitem__(self, at):
        ran.append(1)
        if at > 2: raise IndexError
        return frozenset({fresh("missing_arg")})
slots = (("t", 0, missing_call("t", 0, {}), True, ()),)
for _ in range(20):
    try: PlainCase(slots, (0.1, 0.3, 0.3, 0.3), 0.8, Three())
    except TypeError: ran.append(1)
""",
    "objects that end in a collection use the totals that are handed over": """
class Ends:
    def __init__(self): self.itself = self
    def __del__(self):
        ran.append(1)
        try: sums.take()
        except RuntimeError: pass
gc.set_threshold(1)
sums = totals({f"c{n}": n for n in range(40)}, list(range(40)))
for _ in range(50):
    sums.add([trajectory(case=f"c{n}") for n in range(40)], [score(f"c{n}") for n in range(40)])
    Ends()
    sums.take()
""",
    "whole suites with texts of somebody's own": """
class Name(Text): pass
case = Case(Name("c"), "q", expect=Expect(calls=(ExpectedCall(Name("t"), {Name("x"): "é"}),)))
scorer = Scorer(Suite("s", (case,)))
done = [Trajectory(Name("c"), Name("a"), 1, calls=(Call(Name("t"), {Name("x"): Name("é")}), Call("t", {"x": "é"})))]
found = scorer.score_all(done * 3)
assert [one.score for one in found] == [scorer.score(done[0]).score] * 3, found
""",
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_nothing_is_used_that_somebody_took_away(situation: str) -> None:
    code = f"{OPENING}\n{SITUATIONS[situation]}"
    command = [sys.executable, "-X", "dev", "-c", code]  # freed memory is overwritten
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
