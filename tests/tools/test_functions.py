"""Tools out of Python functions: what the schema says, and what the function gets."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from tests.tools import samples
from toolgauge.errors import PluginError, UsageError
from toolgauge.tools import from_function, load_tools, tools_of


def test_signature_hints_and_a_google_docstring_become_a_schema() -> None:
    definition = from_function(samples.get_weather).definition
    assert definition.name == "get_weather"
    assert definition.description == "The weather of a city.\n\nReads no network."
    assert definition.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Which city, by name."},
            "unit": {"$ref": "#/$defs/Unit", "description": "The unit of temperatures."},
            "days": {"type": "integer", "description": "How many days.", "default": 1},
        },
        "additionalProperties": False,
        "required": ["city"],
        "$defs": {"Unit": {"title": "Unit", "enum": ["celsius", "fahrenheit"]}},
    }


def test_a_numpy_docstring_describes_parameters_too() -> None:
    definition = from_function(samples.history).definition
    assert definition.description == "Prices of a share."
    assert definition.parameters is not None
    properties = definition.parameters["properties"]
    assert properties == {
        "symbol": {"type": "string", "description": "The ticker."},
        "start": {"type": "string", "format": "date", "description": "The first day."},
        "interval": {"enum": ["1D", "1W"], "default": "1D"},
    }


def test_a_rest_docstring_and_an_annotation_describe_parameters_too() -> None:
    definition = from_function(samples.visit).definition
    assert definition.description == "Visit a place."
    assert definition.parameters is not None
    assert definition.parameters["additionalProperties"] is True
    properties = definition.parameters["properties"]
    assert isinstance(properties, dict)
    assert properties["place"] == {"$ref": "#/$defs/Place", "description": "Where to go."}
    assert properties["why"] == {"type": "string", "description": "the reason", "default": ""}


def test_a_function_without_hints_takes_anything() -> None:
    definition = from_function(samples.untyped, name="pair").definition
    assert definition.name == "pair"
    assert definition.parameters == {
        "type": "object",
        "properties": {"a": {}, "b": {"default": 2}},
        "additionalProperties": False,
        "required": ["a"],
    }


def test_arguments_arrive_as_the_types_that_the_function_asks_for() -> None:
    assert asyncio.run(from_function(samples.history).call({"symbol": "FPT", "start": "2024-05-02"})) == "FPT 2024 1D"
    weather = asyncio.run(from_function(samples.get_weather).call({"city": "Huế", "unit": "fahrenheit"}))
    assert weather == {"city": "Huế", "unit": "fahrenheit", "days": 1}
    place = asyncio.run(from_function(samples.visit).call({"place": {"city": "Huế"}}))
    assert place == samples.Place("Huế")  # type: ignore[comparison-overlap]


def test_an_argument_that_cannot_be_converted_is_named() -> None:
    with pytest.raises(ValueError, match="argument 'start'"):
        asyncio.run(from_function(samples.history).call({"symbol": "FPT", "start": "soon"}))


def test_a_method_and_a_callable_object_are_tools_as_well() -> None:
    class Counter:
        """Counts."""

        def __init__(self) -> None:
            self.count = 0

        def __call__(self, step: int) -> int:
            """Count on."""
            self.count += step
            return self.count

        def again(self, day: date) -> str:
            """Say the day."""
            return day.isoformat()

    counter = Counter()
    assert asyncio.run(from_function(counter).call({"step": 2})) == 2
    assert from_function(counter).definition.name == "Counter"
    assert asyncio.run(from_function(counter.again).call({"day": "2024-01-02"})) == "2024-01-02"


def test_positional_parameters_without_names_are_refused() -> None:
    def f(*args: int) -> None: ...

    with pytest.raises(UsageError, match="parameter 'args' of 'f' is positional-only"):
        from_function(f)


def test_tools_are_found_in_functions_lists_and_mappings() -> None:
    found = tools_of([samples.add, {"plus": samples.add}, from_function(samples.sleep)])
    assert [tool.definition.name for tool in found] == ["add", "plus", "sleep"]
    with pytest.raises(UsageError, match="this object is not a tool"):
        tools_of(7)


def test_code_is_imported_only_when_that_is_allowed() -> None:
    with pytest.raises(UsageError, match="only with --allow-code"):
        load_tools("tests.tools.samples:add", allow_code=False)
    assert [tool.definition.name for tool in load_tools("tests.tools.samples:add", allow_code=True)] == ["add"]
    with pytest.raises(UsageError, match="write module:object"):
        load_tools("samples", allow_code=True)
    with pytest.raises(PluginError, match="cannot be imported: ModuleNotFoundError"):
        load_tools("no_such_module:x", allow_code=True)
    with pytest.raises(PluginError, match="cannot be imported: AttributeError"):
        load_tools("tests.tools.samples:nothing", allow_code=True)
