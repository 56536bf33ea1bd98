"""The official checker of the Berkeley Function-Calling Leaderboard, as a program that answers line by line.

It runs in an environment of its own that has `bfcl-eval` and knows nothing of toolgauge. With `--data` it prints where
the questions and answers of the leaderboard are; otherwise it reads JSON lines from standard input and writes for each
`true`, `false`, or the name of the exception that the checker raised.
"""

import importlib
import json
import sys
import types
from pathlib import Path
from typing import Any


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
    return checker, importlib.import_module("bfcl_eval.constants.enums").Language.PYTHON


def main() -> None:
    if "--data" in sys.argv:
        found = importlib.import_module("bfcl_eval").__file__
        print(Path(str(found)).parent / "data")
        return
    checker, language = official_checker()
    for line in sys.stdin:
        asked = json.loads(line)
        category, output = asked["category"], asked["output"]
        verdict: bool | str
        if "relevance" in category:
            # What the runner of the leaderboard does: the checker is not asked.
            verdict = bool(output) != ("irrelevance" in category)
        else:
            try:
                found = checker(asked["function"], output, asked["truth"], language, category, asked["spelling"])
                verdict = bool(found["valid"])
            except Exception as error:  # noqa: BLE001 - whatever it raises is what is to be known
                verdict = type(error).__name__
        print(json.dumps(verdict))


if __name__ == "__main__":
    main()
