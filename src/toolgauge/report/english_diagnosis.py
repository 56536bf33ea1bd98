"""The words of diagnoses in English. `vietnamese_diagnosis.py` has the same keys and places."""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    "diagnosis.title": "What goes wrong: {suite}",
    "diagnosis.counts": "{failed} of {trajectories} did not pass[; {not_run} more were not run].",
    "diagnosis.nothing": "No faults were found.",
    "diagnosis.section.groups": "Kinds of faults",
    "diagnosis.section.patterns": "Patterns, and what to change",
    "diagnosis.column.group": "Kind",
    "diagnosis.column.trajectories": "Seen in",
    "diagnosis.column.failed": "Not passed",
    "diagnosis.column.share": "Of all not passed",
    "diagnosis.column.first": "First to go wrong",
    "group.parameters": "parameter errors",
    "group.wrong_tool": "wrong tool",
    "group.missing_tool": "missing tool",
    "group.over_calling": "over-calling",
    "group.faults": "agent and tool faults",
    "group.answers": "wrong answers",
    "pattern.title": "{number}. {name}",
    "pattern.counts": (
        "{group}: seen in {trajectories}, of which {failed} did not pass ({share} of all that did not); first to go "
        "wrong in {first}; usually at call {step}[; up to {most} times in one]."
    ),
    "pattern.counts.end": (
        "{group}: seen in {trajectories}, of which {failed} did not pass ({share} of all that did not); first to go "
        "wrong in {first}; at the end[; up to {most} times in one]."
    ),
    "pattern.agents": "By agent: {parts}",
    "pattern.labels": "By {label}: {parts}",
    "pattern.label": "{value}: {count} of {of}",
    "pattern.companions": "Often together with: {parts}",
    "pattern.companion": "{name} ({count} times, {lift} times as often as by chance)",
    "pattern.example": "{case} ({agent}[, trial {trial}])",
    "pattern.example.values": "{case} ({agent}[, trial {trial}]): expected {want}, got {got}",
    "pattern.example.want": "{case} ({agent}[, trial {trial}]): expected {want}",
    "pattern.example.got": "{case} ({agent}[, trial {trial}]): {got}",
    "pattern.advice": "→ {text}",
    "kind.missing_arg": "{tool}: argument {argument} is left out",
    "kind.wrong_arg": "{tool}: argument {argument} has the wrong value",
    "kind.forbidden_arg": "{tool}: argument {argument} is given and must not be",
    "kind.invalid_arg": "{tool}: argument {argument} has a value that is not allowed",
    "kind.schema_error": "{tool}: [argument {argument} ]breaks the schema",
    "kind.ungrounded_arg": "{tool}: argument {argument} comes from nowhere",
    "kind.missing_call": "{tool} is not called[: {other} is called in its place]",
    "kind.unknown_tool": "{tool} does not exist[, and is called in place of {other}]",
    "kind.forbidden_tool": "{tool} is forbidden and called[, in place of {other}]",
    "kind.wrong_order": "{tool} is called too early[, before {other}]",
    "kind.unexpected_call": "{tool} is called without need",
    "kind.duplicate_call": "{tool} is called again with the same arguments",
    "kind.too_many_calls": "more calls than the budget allows[, mostly of {tool}]",
    "kind.tool_error": "{tool} fails, and works when called again",
    "kind.unrecovered_error": "{tool} fails for good",
    "kind.agent_error": "the agent does not finish[ ({state})]",
    "kind.over_latency": "it takes longer than the budget allows[, mostly in {tool}]",
    "kind.missing_content": "the answer lacks what it has to contain",
    "kind.wrong_answer": "the answer is wrong",
    "advice.describe_argument": (
        "Describe argument {argument} in the schema of {tool}{undescribed}: what it means and how it is written[, with "
        "examples such as {examples}]."
    ),
    "advice.require_argument": (
        "Make argument {argument} required in the schema of {tool}, or say when it has to be given[, with examples "
        "such as {examples}]."
    ),
    "advice.leave_out_argument": (
        "Say in the schema of {tool} when argument {argument} has to be left out{undescribed}, or take it away."
    ),
    "advice.fix_schema": (
        "State type and format of [argument {argument} ]in the schema of {tool} with an example, and have the model "
        "keep to schemas strictly[; most often: {detail}]."
    ),
    "advice.ground_argument": (
        "Tell the agent to take argument {argument} of {tool} from the question or from earlier results only, and to "
        "ask where neither has it."
    ),
    "advice.tell_apart": (
        "Tell {tool} and {other} apart: say in both descriptions{undescribed} when to use which, and when not[; {tool} "
        "is for questions about {phrases}]."
    ),
    "advice.rename_tool": (
        "There is no tool {tool}: check the names in the agent's instructions and examples[; it may mean {other}, "
        "which could be renamed]."
    ),
    "advice.fence_tool": (
        "Take {tool} away from the agent for such questions, or say in its description when it must not be used[, and "
        "that {other} is there for it]."
    ),
    "advice.add_triggers": (
        "Say in the description of {tool}{undescribed} which questions need it[, with phrases such as {phrases}]."
    ),
    "advice.state_order": (
        "Say in the description of {tool} what has to come first[: {other}], or have {tool} ask for what only that "
        "call gives."
    ),
    "advice.stop_calling": (
        "Give the agent a stop rule: once it has what the question asks for, it answers; say in the description of "
        "{tool} when it is not needed."
    ),
    "advice.answer_without": (
        "Tell the agent which questions it answers without tools[, such as those about {phrases}], and say in the "
        "description of {tool} what it is not for."
    ),
    "advice.break_loop": (
        "Stop the agent from calling {tool} again with the same arguments: keep results at hand, and end a loop after "
        "the second identical call."
    ),
    "advice.set_budget": ("Give the agent a limit of calls[ ({examples})] and a stop rule[; look at {tool} first]."),
    "advice.retry_tool": (
        "Retry {tool} with growing pauses inside the tool, so that the agent does not see failures that pass[; most "
        "often: {detail}]."
    ),
    "advice.recover_tool": (
        "Mend {tool}, retry it with growing pauses, and have its error messages say what the agent can do instead[; "
        "most often: {detail}]."
    ),
    "advice.mend_agent": "Look at why the agent ends with an error[; most often: {detail}].",
    "advice.raise_limits": (
        "Find out whether the agent runs in circles; if it does not, raise its limits of time and turns[; most often: "
        "{detail}]."
    ),
    "advice.speed_up": (
        "Make [{tool} ]faster, or call independent tools at the same time[; the budget is {examples} ms]."
    ),
    "advice.state_content": "Have the instructions ask for what the answer has to contain[, such as {examples}].",
    "advice.mend_answer": (
        "Compare the answers with the results of the tools: if those are right, ask in the instructions for the value "
        "as it is wanted, with its unit."
    ),
    "advice.undescribed": "(which says nothing about it now)",
}
