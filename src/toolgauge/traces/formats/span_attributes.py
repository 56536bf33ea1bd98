"""The attributes of spans that a trajectory is made of, by the conventions that spell them."""

from __future__ import annotations

__all__ = ["KEPT", "LATER", "PREFIXES"]

GEN_AI = """
gen_ai.operation.name gen_ai.agent.name gen_ai.conversation.id gen_ai.request.model
gen_ai.tool.name gen_ai.tool.call.id gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.call.response
gen_ai.tool.arguments gen_ai.tool.result gen_ai.tool.response gen_ai.tool.input gen_ai.tool.output
gen_ai.input.messages gen_ai.output.messages gen_ai.prompt gen_ai.completion gen_ai.response.finish_reasons
gen_ai.usage.input_tokens gen_ai.usage.output_tokens gen_ai.usage.prompt_tokens gen_ai.usage.completion_tokens
gen_ai.aggregated_usage.input_tokens gen_ai.aggregated_usage.output_tokens gen_ai.usage.cost operation.cost
error.type
"""
"""OpenTelemetry, the current conventions and those before them."""

PYDANTIC_AI = """
agent_name all_messages_events pydantic_ai.all_messages pydantic_ai.new_message_index events final_result
tool_arguments tool_response logfire.span_type case_name
"""

TRACELOOP = """
traceloop.span.kind traceloop.entity.name traceloop.workflow.name traceloop.entity.input traceloop.entity.output
llm.request.type llm.usage.prompt_tokens llm.usage.completion_tokens
"""

OPENINFERENCE = """
openinference.span.kind input.value input.mime_type output.value output.mime_type llm.input_messages llm.output_messages
llm.token_count.prompt llm.token_count.completion llm.cost.total tool.name tool.parameters tool_call.id tool.id
tool_call.function.name tool_call.function.arguments agent.name session.id tag.tags
"""

OWN = "metadata case case_id case.id test_case_id test_case task_id sample_id example_id question_id"
"""What people add to say which case a span is of."""

KEPT = {name: name for name in " ".join((GEN_AI, PYDANTIC_AI, TRACELOOP, OPENINFERENCE, OWN)).split()}
"""Every attribute that is kept, as one text for all spans."""

LATER_ONES = """
gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.call.response gen_ai.tool.result gen_ai.tool.response
gen_ai.input.messages gen_ai.output.messages gen_ai.prompt gen_ai.completion all_messages_events
pydantic_ai.all_messages events tool_arguments tool_response traceloop.entity.input traceloop.entity.output input.value
output.value llm.input_messages llm.output_messages gen_ai.conversation.id gen_ai.agent.name agent_name metadata
gen_ai.request.model gen_ai.response.finish_reasons final_result
"""
LATER = frozenset(LATER_ONES.split())
"""Those that are long, or of use on few of the spans that have them; they are decoded when they are needed."""

PREFIXES = (
    "gen_ai.prompt.",
    "gen_ai.completion.",
    "llm.input_messages.",
    "llm.output_messages.",
    "metadata.",
    "traceloop.association.properties.",
)
"""How the names of attributes begin that number what they hold, or let people choose the rest."""
