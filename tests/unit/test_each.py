"""A rule for many things: all are checked, and every one that breaks it is listed."""

from __future__ import annotations

import inspect

import pytest

from tests.each import each


def test_every_thing_that_breaks_the_rule_is_listed_with_its_reason() -> None:
    @each("number", [1, 2, 3, 4], lambda number: f"number {number}")
    def is_even(number: int) -> None:
        assert number % 2 == 0, f"{number} is odd"

    with pytest.raises(pytest.fail.Exception) as failure:
        is_even()
    lines = [line.strip() for line in str(failure.value).splitlines()]
    assert lines[0] == "2 of 4 break this rule:"
    assert [line for line in lines if line.startswith("number")] == ["number 1", "number 3"]
    assert any("3 is odd" in line for line in lines)


def test_another_error_breaks_the_rule_as_well() -> None:
    @each("text", ["1", "one"])
    def is_number(text: str) -> None:
        int(text)

    with pytest.raises(pytest.fail.Exception, match="1 of 2 break this rule:\none\n    ValueError"):
        is_number()


def test_a_rule_for_nothing_fails() -> None:
    @each("thing", [])
    def is_anything(thing: object) -> None:
        assert thing

    with pytest.raises(pytest.fail.Exception, match="0 of 0"):
        is_anything()


def test_fixtures_are_passed_to_the_test() -> None:
    @each("number", [1, 2])
    def is_smaller(limit: int, number: int) -> None:
        assert number < limit

    assert list(inspect.signature(is_smaller).parameters) == ["limit"]
    is_smaller(limit=3)
    with pytest.raises(pytest.fail.Exception, match="1 of 2"):
        is_smaller(limit=2)
