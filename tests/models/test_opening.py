"""Finding a model by its name."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from toolgauge.core import Message, ModelRequest
from toolgauge.errors import ModelError, PluginError, UsageError
from toolgauge.models import Retries, Retrying, open_model
from toolgauge.models.opening import BUILT_IN
from toolgauge.testing import ScriptedModel

REQUEST = ModelRequest((Message("user", "Hi"),))


def make_model(name: str) -> ScriptedModel:
    return ScriptedModel([f"I am {name}"], name=name)


READY = ScriptedModel(["ready"], name="ready")


def installed(monkeypatch: pytest.MonkeyPatch, entries: Sequence[tuple[str, str]]) -> None:
    points = EntryPoints(EntryPoint(name, value, "toolgauge.models") for name, value in entries)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **select: points.select(**select))


def said(name: str) -> str:
    return asyncio.run(open_model(name).ask(REQUEST)).text


def test_models_of_other_packages_are_found_by_name_and_by_the_part_before_the_colon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = "tests.models.test_opening"
    installed(monkeypatch, [("acme", f"{here}:make_model"), ("ready", f"{here}:READY"), ("bad", f"{here}:len")])
    assert said("acme:large") == "I am acme:large"
    assert said("ready") == "ready"
    with pytest.raises(PluginError, match="cannot be imported"):
        open_model("bad")
    with pytest.raises(UsageError, match=r"no model is called 'redy'.*did you mean 'ready'"):
        open_model("redy")


def test_what_cannot_be_asked_is_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, [("odd", "builtins:str")])
    with pytest.raises(PluginError, match="not a model but a str"):
        open_model("odd")


def test_a_built_in_model_needs_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "local:echo", "tests.models.test_opening:make_model")
    assert said("local:echo") == "I am local:echo"


def test_without_the_extra_the_message_names_it() -> None:
    program = """
import sys
sys.modules["pydantic_ai"] = None
from toolgauge.errors import UsageError
from toolgauge.models import open_model
try:
    open_model("openai:gpt-5")
except UsageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "needs the extra 'models', which is not installed" in done.stdout, done.stderr
    assert 'pip install "toolgauge[models]"' in done.stdout


def test_importing_models_imports_no_provider() -> None:
    program = "import sys, toolgauge.models; print(sorted({'pydantic_ai', 'httpx2', 'openai'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.deep
def test_a_missing_key_is_named_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("OPENAI", "ANTHROPIC"))]:
        monkeypatch.delenv(name)
    with pytest.raises(UsageError, match="needs a key: set the environment variable OPENAI_API_KEY, or give the base"):
        open_model("openai:gpt-5")
    with pytest.raises(UsageError, match=r"needs a key: set the environment variable ANTHROPIC_API_KEY$"):
        open_model("anthropic:claude-haiku-4-5")


@pytest.mark.parametrize("name", ["", ":", "openai:", ":gpt-5", "gpt-5"])
def test_half_a_name_is_no_name(name: str) -> None:
    with pytest.raises(UsageError, match=f"no model is called '{name}'; write provider:model"):
        open_model(name)


def test_a_base_url_is_a_url() -> None:
    with pytest.raises(UsageError, match="'localhost:8080' does not begin with http"):
        open_model("openai:m", base_url="localhost:8080")


@pytest.mark.deep
def test_a_provider_whose_package_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pydantic_ai") and name.endswith("bedrock")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(UsageError, match=r"needs a package that is not installed.*toolgauge\[bedrock\]"):
        open_model("bedrock:some-model")


@pytest.mark.deep
def test_an_unknown_provider_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"antropic.*did you mean 'anthropic'"):
        open_model("antropic:claude-haiku-4-5")


@pytest.mark.deep
def test_waits_can_be_set() -> None:
    model = open_model("openai:m", base_url="http://127.0.0.1:1/v1", retries=Retries(tries=1, attempt_seconds=5))
    assert isinstance(model, Retrying)

    async def ask() -> None:
        try:
            await model.ask(REQUEST)
        finally:
            await model.close()

    with pytest.raises(ModelError, match=r"connection: .*after 1 try"):
        asyncio.run(ask())


def test_a_scripted_model_says_what_it_is_told_and_remembers_what_it_was_asked() -> None:
    async def later(request: ModelRequest) -> str:
        return request.messages[0].text.upper()

    assert asyncio.run(ScriptedModel(later).ask(REQUEST)).text == "HI"
    model = ScriptedModel(["one", ModelError("down", kind="timeout")])
    assert asyncio.run(model.ask(REQUEST)).text == "one"
    with pytest.raises(ModelError, match="down"):
        asyncio.run(model.ask(REQUEST))
    with pytest.raises(ModelError, match="asked 3 times, and its script has 2 replies"):
        asyncio.run(model.ask(REQUEST))
    assert model.requests == [REQUEST] * 3
