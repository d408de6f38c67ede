"""What is written as YAML is read back as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.outputs.yaml_text import to_yaml

from .templates import read

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = TEXT | st.booleans() | st.integers()
KEYS = TEXT.filter(lambda key: key not in ("Ref", "Fn::Sub", "Fn::GetAtt"))
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(KEYS, DOCUMENTS, min_size=1, max_size=5))
def test_anything_a_template_is_made_of_survives(document: dict[str, Any]) -> None:
    assert read(to_yaml(document)) == document


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "No", "on", "null", "~", "true", "y", "n", "=", "<<", ".inf"),
        *("1", "1e3", "0x1f", "2012-10-17", "12:30:45", "a: b", "a:", "a #b", "a, b", "a -b"),
        *("- a", "*", "&a", "!a", "%a", "@a", "[a]", "{a}", "'", '"', "\\", "", " a", "a "),
        *("a\nb", "\x7f", "\x85", "\u2028", "\ufeff", "é", "👍"),
    ],
)
def test_a_text_stays_a_text(text: str) -> None:
    assert read(to_yaml({"key": text, text: "value"})) == {"key": text, text: "value"}


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"Ref": "Posts"}, "at: !Ref Posts"),
        ({"Fn::Sub": "${Name}-x"}, 'at: !Sub "${Name}-x"'),
        ({"Fn::GetAtt": ["Posts", "Arn"]}, "at: !GetAtt Posts.Arn"),
        ("AWS::DynamoDB::Table", "at: AWS::DynamoDB::Table"),
        ("dynamodb:GetItem", "at: dynamodb:GetItem"),
        ("2012-10-17", 'at: "2012-10-17"'),
        (True, "at: true"),
        (5, "at: 5"),
        ([], "at: []"),
        ({}, "at: {}"),
    ],
)
def test_a_value_is_written_as_a_person_would(value: Any, line: str) -> None:
    assert to_yaml({"at": value}) == f"{line}\n"


def test_lists_and_mappings_are_indented_by_two() -> None:
    document = {"Keys": [{"Name": "pk", "Type": "HASH"}, {"Name": "sk"}], "Tags": ["a", ["b"]]}
    assert to_yaml(document).splitlines() == [
        "Keys:",
        "  - Name: pk",
        "    Type: HASH",
        "  - Name: sk",
        "Tags:",
        "  - a",
        "  - - b",
    ]
