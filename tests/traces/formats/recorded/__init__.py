"""Records that real libraries wrote, talking to a server on the same machine.

| file | library |
| --- | --- |
| adk.json | google-adk 2.13.0 (sessions, bare_spans) and 1.19.0 |
| ag2.json | pyautogen 0.2.35 (chat02), ag2 0.14.0 (chat, events, run) and 1.2.1 (log) |
| agent_spans.json | aws-opentelemetry-distro with openai-agents; openinference-instrumentation-beeai 0.1.30 |
| assistants.json | openai 3.51.0, its types of threads |
| atif.json | harbor 0.24.0: its agent Terminus 2, and its converters of sessions of other agents |
| autogen.json | autogen-agentchat 0.7.5 |
| gemini.json | google-genai 2.34.0 |
| gemini_cli.json | @google/gemini-cli 0.61.0 and @qwen-code/qwen-code 0.15.10, from npm |
| langsmith.json | langsmith 0.14.17: what its client sent, without what it tells of the machine |
| llama_factory.json | llamafactory 0.9.5, its converters and formatters of calls; the rest needs torch |
| llama_index.json | llama-index-core 0.14.25 |
| openhands.json | openhands-ai 0.62.0 with its runtime without a container (server), openhands-sdk 1.58.0 |
| providers.json | anthropic 2.9.0, openai 3.51.0, boto3 1.44.3, cohere 7.3.1 |
| smolagents.json | smolagents 1.26.0, without what the model was given |
| swe_agent.json | sweagent 0.0.1, its replay model in a plain shell (swe), mini-swe-agent 1.17.5 (mini1) and 2.4.6 |
| vercel.json | ai 4.3.19 (ui4, core4) and 5.0.277, from npm |
| vercel_spans.json | ai 5.0.277 (generate5) and 6.0.326, with @opentelemetry/sdk-trace-node 2.12.0 |

Prompts of the libraries, definitions of tools, and paths and names of the machine are cut or replaced.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

__all__ = ["recorded"]


def recorded(name: str) -> Any:
    """What a library wrote."""
    return msgspec.json.decode((Path(__file__).parent / f"{name}.json").read_bytes())
