"""AttributeUpdates: AWS's API reference, dynalite and Alternator's documentation of ADD."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import Shape, item, plain, value
from .tables import Table, unique_name

BEFORE: dict[str, Any] = {"a": 1, "s": "x", "ss": {"x", "y"}, "l": ["x"], "stays": True}


def _update(action: str | None = None, python: object = ...) -> Shape:
    update: Shape = {} if action is None else {"Action": action}
    return update if python is ... else update | {"Value": value(python)}


@pytest.mark.parametrize(
    ("name", "update", "after"),
    [
        ("a", _update(None, 2), {"a": 2}),
        ("a", _update("PUT", "text"), {"a": "text"}),
        ("new", _update("PUT", [1]), {"new": [1]}),
        ("a", _update("ADD", 2), {"a": 3}),
        ("new", _update("ADD", 2), {"new": 2}),
        ("ss", _update("ADD", {"z"}), {"ss": {"x", "y", "z"}}),
        ("l", _update("ADD", ["y", "x"]), {"l": ["x", "y", "x"]}),
        ("new", _update("ADD", ["y"]), {"new": ["y"]}),
        ("ss", _update("DELETE", {"x", "absent"}), {"ss": {"y"}}),
        ("ss", _update("DELETE", {"x", "y"}), {"ss": ...}),
        ("a", _update("DELETE"), {"a": ...}),
        ("absent", _update("DELETE"), {}),
    ],
)
def test_each_action_changes_its_attribute(
    shared: Table, name: str, update: Shape, after: dict[str, Any]
) -> None:
    key = unique_name()
    shared.put(pk=key, **BEFORE)
    shared.update_item(Key=item(pk=key), AttributeUpdates={name: update})
    expected = {"pk": key, **BEFORE, **after}
    assert shared.get(pk=key) == {n: v for n, v in expected.items() if v is not ...}


UPDATES = {"a": _update("ADD", 1), "s": _update("DELETE"), "new": _update("PUT", 7)}


@pytest.mark.parametrize(
    ("returns", "shown"),
    [
        ("NONE", None),
        ("ALL_OLD", BEFORE),
        ("UPDATED_OLD", {"a": 1, "s": "x"}),
        ("ALL_NEW", {"a": 2, "ss": {"x", "y"}, "l": ["x"], "stays": True, "new": 7}),
        ("UPDATED_NEW", {"a": 2, "new": 7}),
    ],
)
def test_return_values_are_those_of_the_named_attributes(
    shared: Table, returns: str, shown: dict[str, Any] | None
) -> None:
    key = unique_name()
    shared.put(pk=key, **BEFORE)
    answer = shared.update_item(Key=item(pk=key), AttributeUpdates=UPDATES, ReturnValues=returns)
    if shown is None:
        assert "Attributes" not in answer
    else:
        own = {"pk": key} if returns.startswith("ALL") else {}
        assert plain(answer["Attributes"]) == shown | own


def test_put_and_add_make_an_item_and_delete_makes_none(shared: Table) -> None:
    # The API reference of AttributeUpdates: without an item, DELETE causes nothing to happen.
    made, absent = unique_name(), unique_name()
    shared.update_item(Key=item(pk=made), AttributeUpdates={"n": _update("ADD", 1)})
    assert shared.get(pk=made) == {"pk": made, "n": 1}
    for update in (_update("DELETE"), _update("DELETE", {"x"})):
        shared.update_item(Key=item(pk=absent), AttributeUpdates={"n": update})
        assert shared.get(pk=absent) is None


def test_no_updates_make_a_bare_item(shared: Table) -> None:
    key = unique_name()
    shared.update_item(Key=item(pk=key), AttributeUpdates={})
    assert shared.get(pk=key) == {"pk": key}


@pytest.mark.parametrize(
    ("name", "update", "message"),
    [
        ("a", _update("PUT"), "Only DELETE action is allowed when no attribute value is specified"),
        ("a", _update("ADD"), "Only DELETE action is allowed when no attribute value is specified"),
        ("s", _update("ADD", "y"), "ADD action is not supported for the type S"),
        ("s", _update("ADD", None), "ADD action is not supported for the type NULL"),
        ("s", _update("DELETE", "x"), "DELETE action with value is not supported for the type S"),
        ("a", _update("ADD", {1}), "Type mismatch for attribute to update"),
        ("s", _update("ADD", 1), "Type mismatch for attribute to update"),
        ("ss", _update("ADD", ["x"]), "Type mismatch for attribute to update"),
        ("ss", _update("DELETE", {1}), "Type mismatch for attribute to update"),
        (
            "pk",
            _update("PUT", "x"),
            "Cannot update attribute pk. This attribute is part of the key",
        ),
        ("a", {"Value": {"N": "many"}}, "cannot be converted to a numeric value: many"),
    ],
)
def test_what_an_action_cannot_do_is_refused(
    shared: Table, name: str, update: Shape, message: str
) -> None:
    key = unique_name()
    shared.put(pk=key, **BEFORE)
    with refused(INVALID, match=message):
        shared.update_item(Key=item(pk=key), AttributeUpdates={name: update})
    assert shared.get(pk=key) == {"pk": key, **BEFORE}


def test_an_update_may_expect_something(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1)
    request: dict[str, Any] = {
        "Key": item(pk=key),
        "AttributeUpdates": {"a": _update("ADD", 1)},
        "Expected": {"a": {"Value": value(1)}},
    }
    shared.update_item(**request)
    with refused("ConditionalCheckFailedException"):
        shared.update_item(**request)
    assert shared.get(pk=key) == {"pk": key, "a": 2}
