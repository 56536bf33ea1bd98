"""toolgauge measures how well LLM agents use their tools, and whether their answers are right."""

__version__ = "0.1.0"
