"""What the schemas of JUnit reports have in common, as far as it can go wrong: elements, their order, attributes.

The strictest in use is the one for Ant's reports, in which every attribute below is required. Those of Jenkins ask for
less; what keeps to this keeps to them.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

__all__ = ["faults"]

WORDS = r"\S(.*\S)?"
WHOLE = r"-?\d+"
DECIMAL = r"\d+\.\d+|\d+"
ANY = r"(?s).*"

ATTRIBUTES = {
    "testsuites": {},
    "testsuite": {
        "package": WORDS,
        "id": WHOLE,
        "name": WORDS,
        "timestamp": r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}",
        "hostname": WORDS,
        "tests": WHOLE,
        "failures": WHOLE,
        "errors": WHOLE,
        "skipped": WHOLE,
        "time": DECIMAL,
    },
    "properties": {},
    "property": {"name": WORDS, "value": ANY},
    "testcase": {"name": WORDS, "classname": WORDS, "time": DECIMAL},
    "failure": {"message": ANY, "type": ANY},
    "error": {"message": ANY, "type": ANY},
    "skipped": {},
    "system-out": {},
    "system-err": {},
}
CHILDREN = {
    "testsuites": r"(testsuite )*",
    "testsuite": r"properties (testcase )*system-out system-err ",
    "properties": r"(property )*",
    "testcase": r"(skipped |error |failure )?",
}


def faults(element: Element) -> list[str]:
    """Where an element and what is in it do not keep to the schema."""
    found = []
    allowed = ATTRIBUTES.get(element.tag)
    if allowed is None:
        return [f"unknown element {element.tag}"]
    if set(element.attrib) != set(allowed):
        found.append(f"{element.tag}: attributes {sorted(element.attrib)}")
    found += [
        f"{element.tag}: {name}={value!r}"
        for name, value in element.attrib.items()
        if not re.fullmatch(allowed.get(name, ANY), value)
    ]
    inside = "".join(f"{child.tag} " for child in element)
    if not re.fullmatch(CHILDREN.get(element.tag, ""), inside):
        found.append(f"{element.tag}: holds {inside}")
    return found + [fault for child in element for fault in faults(child)]
