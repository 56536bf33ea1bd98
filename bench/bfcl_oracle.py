"""The official checker of the Berkeley Function-Calling Leaderboard, as a program that answers line by line.

It runs in an environment of its own that has `bfcl-eval` and knows nothing of toolgauge. With `--data` it prints where
the questions and answers of the leaderboard are; otherwise it reads JSON lines from standard input and writes for each
`true`, `false`, or the name of the exception that the checker raised. A line holds either `output`, the calls, or
`result` with the `handler` whose own decoder reads it: the class of the package, with what it knows of its model.
"""

import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import io
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any

CLASSES = {
    "python": ("api_inference.openai_response", "OpenAIResponsesHandler", False, False),
    "fc": ("api_inference.openai_response", "OpenAIResponsesHandler", True, True),
    "objects": ("local_inference.arch", "ArchHandler", True, False),
    "objects-underscores": ("api_inference.nova", "NovaHandler", True, True),
    "cohere": ("api_inference.cohere", "CohereHandler", True, True),
    "mining": ("api_inference.mining", "MiningHandler", True, False),
    "gemini": ("api_inference.gemini", "GeminiHandler", False, False),
    "phi": ("local_inference.phi", "PhiHandler", False, False),
    "gorilla": ("api_inference.gorilla", "GorillaHandler", True, False),
    "raven": ("api_inference.nexus", "NexusHandler", True, False),
    "nemotron": ("api_inference.nemotron", "NemotronHandler", True, False),
    "xlam": ("local_inference.salesforce_qwen", "SalesforceQwenHandler", True, False),
    "bitagent": ("local_inference.bitagent", "BitAgentHandler", True, False),
    "hammer": ("local_inference.hammer", "HammerHandler", True, False),
    "llama": ("local_inference.llama_3_1", "LlamaHandler_3_1", True, False),
    "qwen": ("local_inference.qwen_fc", "QwenFCHandler", True, False),
    "falcon": ("local_inference.falcon_fc", "Falcon3FCHandler", True, False),
    "glm": ("local_inference.glm", "GLMHandler", True, True),
    "granite": ("local_inference.granite", "GraniteFunctionCallingHandler", True, True),
    "think-agent": ("local_inference.think_agent", "ThinkAgentHandler", True, False),
}
"""The handlers by our names: the module and class, whether it is a model with an interface for calls, and whether that
allows no dots."""

EARLIER_CLASSES = {
    "mixtral": ("api_inference.mistral", "MistralHandler", False, False),
    "arctic": ("api_inference.nvidia", "NvidiaHandler", False, False),
    "dbrx": ("api_inference.databricks", "DatabricksHandler", False, False),
    "hermes": ("local_inference.hermes", "HermesHandler", False, False),
    "glaive": ("local_inference.glaive", "GlaiveHandler", False, False),
}
"""The same of those that only earlier versions of the package have; they were there in 2025.6.8."""


class _Open(type):
    """A class with every attribute that somebody asks for."""

    def __getattr__(cls, name: str) -> Any:
        return _attribute(name)


class _Stand(metaclass=_Open):
    """Stands for whatever a module that is not installed would have."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        return _Stand


class _Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Lets modules be imported that are not installed: clients of vendors, which a decoder has no use for."""

    def find_spec(self, name: str, *_: Any) -> Any:
        if name.partition(".")[0] in {"bfcl_eval", "org", *sys.stdlib_module_names}:
            return None  # what is there or not for reasons of its own
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        module: Any = types.ModuleType(spec.name)
        plain = {"override", "overrides", "final"} if spec.name == "overrides" else set()
        module.__getattr__ = lambda name: (lambda item: item) if name in plain else _attribute(name)
        module.__path__ = []
        return module

    def exec_module(self, _: Any) -> None:
        pass


def _attribute(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Open(name, (_Stand,), {})


def official_checker() -> tuple[Any, Any]:
    """The checker and its language for Python.

    The table of models is the one part that is not the real one: it imports the clients of every vendor, and all that
    the checker wants to know of it is whether the model had to write underscores for dots.
    """
    table: Any = types.ModuleType("bfcl_eval.constants.model_config")
    table.MODEL_CONFIG_MAPPING = {
        "dots": types.SimpleNamespace(underscore_to_dot=False),
        "underscores": types.SimpleNamespace(underscore_to_dot=True),
    }
    sys.modules["bfcl_eval.constants.model_config"] = table
    checker = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker").ast_checker
    try:
        return checker, importlib.import_module("bfcl_eval.constants.enums").Language.PYTHON
    except ModuleNotFoundError:
        return checker, "Python"


@functools.cache
def handler_of(name: str) -> Any:
    """A handler of the package, made without the client that its own way of being made would ask for."""
    sys.meta_path.append(_Missing())
    place, kind, has_calls, underscores = {**CLASSES, **EARLIER_CLASSES}[name]
    module = importlib.import_module(f"bfcl_eval.model_handler.{place}")
    handler = object.__new__(getattr(module, kind))
    handler.is_fc_model = has_calls
    handler.model_name = f"{name}-FC" if has_calls else name
    return handler, "underscores" if underscores else "dots"


def decode(name: str, result: Any) -> Any:
    """What the decoder of a handler makes of a result; raises whatever it raises."""
    handler, _ = handler_of(name)
    asked = inspect.signature(handler.decode_ast).parameters
    if "has_tool_call_tag" not in asked:
        return handler.decode_ast(result, "Python")
    form = importlib.import_module("bfcl_eval.constants.enums").ReturnFormat.PYTHON
    return handler.decode_ast(result, form, False)


def in_format(calls: Any) -> bool:
    """Whether these are calls, as the runner of the leaderboard asks before it asks the checker."""
    if type(calls) is not list:
        return False
    return all(type(call) is dict and len(call) == 1 and type(next(iter(call.values()))) is dict for call in calls)


def verdict_on(asked: dict[str, Any], check: Any, language: Any) -> bool | str:
    """What the runner of the leaderboard says of an output."""
    category, spelling = asked["category"], asked.get("spelling", "dots")
    output = asked.get("output")
    if "handler" in asked:
        _, spelling = handler_of(asked["handler"])
        try:
            with contextlib.redirect_stdout(io.StringIO()):  # some decoders evaluate what they read
                output = decode(asked["handler"], asked["result"])
        except Exception:  # noqa: BLE001 - whatever a decoder raises, the runner takes it for no call
            output = None
        output = output if in_format(output) else None
    if "relevance" in category:
        # What the runner of the leaderboard does: the checker is not asked.
        return bool(output) != ("irrelevance" in category)
    if output is None:
        return False
    try:
        return bool(check(asked["function"], output, asked["truth"], language, category, spelling)["valid"])
    except Exception as error:  # noqa: BLE001 - whatever it raises is what is to be known
        return type(error).__name__


def main() -> None:
    warnings.simplefilter("ignore")
    if "--data" in sys.argv:
        found = importlib.import_module("bfcl_eval").__file__
        print(Path(str(found)).parent / "data")
        return
    checker, language = official_checker()
    for line in sys.stdin:
        print(json.dumps(verdict_on(json.loads(line), checker, language)))


if __name__ == "__main__":
    main()
