"""The house stays easy to live in: few rooms, short modules, small functions, one meaning per public name."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "toolgauge"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAX_MODULES = 411
"""Without the rooms below, which have a module for each source, kind of evidence, page, series, or place to send to."""
MAX_OF = {
    ("traces/formats", "traces/textcalls", "suites/formats"): 83,
    ("answers",): 66,
    ("pages", "viewer"): 43,
    ("watch", "drift", "exports"): 43,
}
"""How many modules these have: readers of other tools' files; what finds answers; pages and
what serves them; what looks at production."""
MAX_ROOMS = 31
MAX_LAYERS = 9
MAX_LINES = 450
MAX_FUNCTION_LINES = 80
MAX_PARAMETERS = 10


def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


TREES = {module: parsed(module) for module in MODULES}


def place(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def dotted(module: Path) -> str:
    parts = module.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_there_are_few_modules_and_rooms() -> None:
    rooms = {module.relative_to(PACKAGE).parts[0] for module in MODULES if module.parent != PACKAGE}
    counted = 0
    for places, most in MAX_OF.items():
        inside = [module for module in MODULES if place(module).startswith(places)]
        assert len(inside) <= most, places
        counted += len(inside)
    assert len(MODULES) - counted <= MAX_MODULES
    assert len(rooms) <= MAX_ROOMS


def test_there_are_few_layers_and_every_room_is_on_one() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = contracts[0]["layers"]
    assert len(layers) <= MAX_LAYERS
    assert contracts[0]["exhaustive"] is True


def test_no_module_is_long() -> None:
    lengths = {place(module): len(module.read_text(encoding="utf-8").splitlines()) for module in MODULES}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_no_function_is_long() -> None:
    long = {
        f"{place(module)}:{node.name}": length
        for module, tree in TREES.items()
        for node in functions(tree)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_FUNCTION_LINES
    }
    assert long == {}


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a click command, which has a parameter for each of its options."""
    return any(
        "click." in ast.unparse(decorator) or "_options" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def test_no_function_has_many_parameters() -> None:
    many = {}
    for module, tree in TREES.items():
        for node in functions(tree):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            count = len([argument for argument in arguments if argument.arg not in ("self", "cls")])
            if count > MAX_PARAMETERS and not is_command(node):
                many[f"{place(module)}:{node.name}"] = count
    assert many == {}


def imported(module: Path, tree: ast.Module) -> Iterator[str]:
    """What a module imports of the package when it is itself imported."""
    known = {dotted(one) for one in MODULES}
    package = dotted(module) if module.name == "__init__.py" else dotted(module).rpartition(".")[0]
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
        source = ".".join(part for part in (base, node.module) if part)
        for name in node.names:
            for target in (f"{source}.{name.name}", source):
                if target in known:
                    yield target
                    break


def test_no_modules_import_each_other() -> None:
    graph = {dotted(module): sorted({*imported(module, tree)} - {dotted(module)}) for module, tree in TREES.items()}
    done: set[str] = set()

    def look(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            for target in graph[name]:
                look(target, (*path, name))
            done.add(name)

    for name in graph:
        look(name, ())


def exported(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return set(ast.literal_eval(node.value))
    return set()


def test_no_exported_class_name_has_two_meanings() -> None:
    homes = defaultdict(list)
    for module, tree in TREES.items():
        names = exported(tree)
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name in names:
                homes[node.name].append(place(module))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
