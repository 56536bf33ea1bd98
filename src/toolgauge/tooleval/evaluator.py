"""Running tests against an agent: a model with tools, or whatever somebody brings."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from toolgauge.catalogue import Lang
from toolgauge.core import Case, JsonValue, Message, Model, Run, Suite, Tool, Toolbox

from .conversion import SETTINGS, MockResults, case_of, open_tools, result_of
from .values import EvalResult, TestCase

if TYPE_CHECKING:
    from toolgauge.agents.loop import ToolsAgent
    from toolgauge.runner import Watcher

__all__ = ["DEFAULT_MODEL", "StorePlace", "ToolEvaluator"]

DEFAULT_MODEL = "claude-haiku-4-5"
PROVIDER = "anthropic"
"""Who is asked where the name of a model does not say."""

StorePlace: TypeAlias = str | os.PathLike[str] | Literal[False] | None
"""Where runs are kept: the path of a store; None: `.toolgauge/runs.db`; False: nowhere."""


class ToolEvaluator:
    """Asks an agent, lets it call tools, and scores what it did."""

    def __init__(
        self,
        tools: Sequence[object],
        system_prompt: str = "",
        *,
        model: str | Model = DEFAULT_MODEL,
        base_url: str | None = None,
        max_tokens: int | None = 2000,
        agent: object = None,
        mock_results: MockResults | None = None,
        lang: Lang = "en",
    ) -> None:
        """Make ready. Nothing is asked, and no key is needed, before the first test is run.

        Args:
            tools: What the agent may call: definitions as Anthropic, OpenAI or MCP spell them, which are answered by
                mocks, or Python functions and tools, which are called.
            system_prompt: What the model is told before the question; empty: nothing.
            model: The name of a model of Anthropic, `provider:model` of another, or an object that can be asked.
            base_url: Where it is asked, for anything that speaks as the provider does.
            max_tokens: The most tokens of a single reply.
            agent: What is tested in place of the model with its tools: a name that `--agent` takes, a function of a
                case and its tools, or an agent of another library. A prompt is its own affair then.
            mock_results: What tools answer of which only the definition is there, given name and arguments; default:
                the `results` of the definition, or that all is well.
            lang: In which language issues are worded.

        Raises:
            UsageError: One of the tools is none.
        """
        self.tools = list(tools)
        self.system_prompt = system_prompt
        self.model = model
        self.base_url = base_url
        self.max_tokens = max_tokens
        self.agent = agent
        self.lang = lang
        self._mock_results = mock_results
        self._tools: list[Tool] = open_tools(self.tools, self._mocked, canned=self._takes_canned())

    def evaluate_test_case(self, test: TestCase) -> EvalResult:
        """Run one test.

        Raises:
            ToolgaugeError: It cannot be run: it contradicts itself, there is no key, the model is not there.
        """
        run = self.run_tests(test.id, [test])
        (scored,) = run.scored
        return result_of(run.header.suite, scored, self.lang)

    def _mock_tool_execution(
        self, tool_name: str, tool_input: dict[str, JsonValue]
    ) -> JsonValue | Awaitable[JsonValue]:
        """What a tool answers of which only the definition is there: that all is well, and what it was given.

        To be overridden in a class of one's own; `mock_results` does the same without one.
        """
        return {"status": "success", "result": f"Mock result for {tool_name}", "input_received": tool_input}

    def _mocked(self, name: str, args: dict[str, JsonValue]) -> JsonValue | Awaitable[JsonValue]:
        answer = self._mock_results or self._mock_tool_execution
        return answer(name, args)

    def _takes_canned(self) -> bool:
        """Whether nobody says what mocks answer, so that the `results` of definitions do."""
        overridden = type(self)._mock_tool_execution is not ToolEvaluator._mock_tool_execution
        return self._mock_results is None and not overridden

    def suite_of(self, name: str, tests: Iterable[TestCase]) -> Suite:
        """The tests as a suite, for scoring recorded traces by them: `toolgauge.score(suite, traces)`."""
        return Suite(name, tuple(map(case_of, tests)), tuple(tool.definition for tool in self._tools), SETTINGS)

    def run_tests(
        self,
        name: str,
        tests: Iterable[TestCase],
        *,
        concurrency: int = 1,
        store: StorePlace = False,
        watcher: Watcher | None = None,
    ) -> Run:
        """Run tests, and score what the agent did.

        Args:
            name: What the suite is called.
            tests: The tests.
            concurrency: How many go on at a time.
            store: Where the run is kept.
            watcher: Notified of each finished test.

        Raises:
            ToolgaugeError: Nothing can be run.
        """
        from toolgauge.api import run

        agent, model = self._open()
        return run(
            self.suite_of(name, tests),
            agent,
            model=model,
            tools=self._tools,
            concurrency=concurrency,
            store=store,
            watcher=watcher,
            name=name if store is not False else "",
        )

    def _open(self) -> tuple[object, Model | None]:
        """The agent, and the model that the run closes in the end."""
        if self.agent is not None:
            # An agent that is an object brings its own model.
            return self.agent, self._open_model() if isinstance(self.agent, str) else None
        from toolgauge.agents.loop import ToolsAgent

        model = self._open_model()
        return PromptedLoop(ToolsAgent(model, max_tokens=self.max_tokens), self.system_prompt), model

    def _open_model(self) -> Model:
        if not isinstance(self.model, str):
            return self.model
        from toolgauge.models import open_model

        name = self.model if ":" in self.model else f"{PROVIDER}:{self.model}"
        return open_model(name, base_url=self.base_url)


@dataclass(frozen=True, slots=True)
class PromptedLoop:
    """The tool-calling loop with the prompt of an evaluator before the question, and nothing where that is empty."""

    loop: ToolsAgent
    prompt: str

    uses_toolbox = True
    """Without the tools of the run it has none."""

    @property
    def name(self) -> str:
        """The agent by the name of its model."""
        return self.loop.model.name

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What makes it behave as it does, for telling one run from another."""
        return {**self.loop.settings, "prompt": self.prompt}

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case.

        Raises:
            AgentFailure: The model says nothing, over and over.
            ModelError: The model does not answer.
        """
        opening = [Message("system", self.prompt)] if self.prompt else []
        return await self.loop.work([*opening, Message("user", case.input)], tools, "en")
