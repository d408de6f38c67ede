from __future__ import annotations

import pytest

from gotgan.store.engine.expressions.operands import pick
from gotgan.store.engine.expressions.parser import parse_projection
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import Item

ITEM: Item = {
    "pk": {"S": "k"},
    "n": {"N": "1"},
    "a": {
        "M": {
            "b": {
                "L": [
                    {"S": "0"},
                    {"M": {"c": {"S": "1"}, "d": {"S": "x"}}},
                    {"L": [{"S": "i"}, {"S": "j"}]},
                ],
            },
            "e": {"M": {}},
        },
    },
    "l": {"L": [{"S": "0"}, {"S": "1"}, {"S": "2"}]},
}

PICKED: list[tuple[str, Item]] = [
    ("pk", {"pk": {"S": "k"}}),
    ("pk, n", {"pk": {"S": "k"}, "n": {"N": "1"}}),
    ("absent", {}),
    ("l[1]", {"l": {"L": [{"S": "1"}]}}),
    ("l[2], l[0]", {"l": {"L": [{"S": "0"}, {"S": "2"}]}}),
    ("l[9]", {}),
    ("a.e", {"a": {"M": {"e": {"M": {}}}}}),
    ("a.e.x", {}),
    ("n.x", {}),
    ("n[0]", {}),
    ("a[0]", {}),
    ("l.x", {}),
    ("a.b[1].c", {"a": {"M": {"b": {"L": [{"M": {"c": {"S": "1"}}}]}}}}),
    (
        "a.b[1].d, a.b[1].c",
        {"a": {"M": {"b": {"L": [{"M": {"c": {"S": "1"}, "d": {"S": "x"}}}]}}}},
    ),
    ("a.b[2][1], a.b[0]", {"a": {"M": {"b": {"L": [{"S": "0"}, {"L": [{"S": "j"}]}]}}}}),
    ("#a.#b[0]", {"a": {"M": {"b": {"L": [{"S": "0"}]}}}}),
]

REFUSED = [
    ("", "The expression can not be empty;"),
    ("x y", 'Syntax error; token: "y", near: "x y"'),
    ("x,", 'Syntax error; token: "<EOF>", near: ","'),
    (",x", 'Syntax error; token: ",", near: ",x"'),
    ("(x)", 'Syntax error; token: "(", near: "(x"'),
    ("x.", 'Syntax error; token: "<EOF>", near: "."'),
    ("x[1", 'Syntax error; token: "<EOF>", near: "1"'),
    (":v", 'Syntax error; token: ":v", near: ":v"'),
    ("contains(x)", 'Syntax error; token: "(", near: "contains(x"'),
    ("x.name", "Attribute name is a reserved keyword; reserved keyword: name"),
    (
        "#none",
        (
            "An expression attribute name used in the document path is not defined; "
            "attribute name: #none"
        ),
    ),
    (
        "x, x",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [x], path two: [x]"
        ),
    ),
    (
        "x.y, x",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [x, y], path two: [x]"
        ),
    ),
    (
        "x.y, x[0]",
        (
            "Two document paths conflict with each other; must remove or rewrite one of these "
            "paths; path one: [x, y], path two: [x, [0]]"
        ),
    ),
]

NAMES = {"#a": "a", "#b": "b"}


@pytest.mark.parametrize(("text", "picked"), PICKED)
def test_a_projection_picks_its_paths_in_the_shape_of_the_item(text: str, picked: Item) -> None:
    assert pick(parse_projection(text, NAMES).root, ITEM) == picked


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_projection_is_refused_with_the_words_of_aws(text: str, reason: str) -> None:
    with pytest.raises(ValidationException) as refused:
        parse_projection(text, NAMES)
    assert refused.value.message == f"Invalid ProjectionExpression: {reason}"


def test_a_projection_tells_what_it_uses() -> None:
    projection = parse_projection("#a.#b[0], n", NAMES)
    assert projection.names == {"#a", "#b"}
    assert projection.values == frozenset()
    assert [path.steps for path in projection.paths] == [("a", "b", 0), ("n",)]
