"""Conditions: what they say to DynamoDB, and that they say it about fields."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import Field

from gotgan.errors import UsageError
from gotgan.store import Attribute, Condition, Entity, Id, Key, Prefixed, Timestamp, attr, raw
from gotgan.store.conditions import Expression
from gotgan.store.schema import EntityScope

from .declaring import things

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)


class Offer(Entity, table=things()):
    key = Key("OFFER#{id}", "METADATA")
    id: Id
    title: str
    price: Decimal
    tags: frozenset[str] = frozenset()
    country: Annotated[str, Field(max_length=2), Prefixed("COUNTRY#")]
    made_at: Annotated[Timestamp, Attribute("MadeAt")]
    sold_at: Timestamp | None = None


def written(condition: Condition) -> str:
    """A condition with names and values in place of their placeholders."""
    expression = Expression(EntityScope.of([Offer]))
    text = condition.write(expression)
    members = expression.members()
    for mark, name in members.get("ExpressionAttributeNames", {}).items():
        text = text.replace(mark, name)
    for mark, value in members.get("ExpressionAttributeValues", {}).items():
        [(kind, content)] = value.items()
        text = text.replace(mark, f"{kind}:{content}")
    return text


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (attr("title") == "x", "title = S:x"),
        (attr("title") != "x", "title <> S:x"),
        (attr("price") < 5, "price < N:5"),
        (attr("price") <= Decimal("1.5"), "price <= N:1.5"),
        (attr("price") > 5, "price > N:5"),
        (attr("price") >= 5, "price >= N:5"),
        (attr("price").between(1, 5), "price BETWEEN N:1 AND N:5"),
        (attr("title").is_in("a", "b"), "title IN (S:a, S:b)"),
        (attr("title").begins_with("a"), "begins_with(title, S:a)"),
        (attr("tags").contains("a"), "contains(tags, S:a)"),
        (attr("sold_at").exists(), "attribute_exists(sold_at)"),
        (attr("sold_at").missing(), "attribute_not_exists(sold_at)"),
        (attr("sold_at") > attr("made_at"), "sold_at > MadeAt"),
        (attr("made_at") < NOON, "MadeAt < S:2025-11-06T12:00:00Z"),
        (attr("made_at").is_in(NOON), "MadeAt IN (S:2025-11-06T12:00:00Z)"),
        (attr("country") == "DE", "country = S:COUNTRY#DE"),
        (attr("country").begins_with("D"), "begins_with(country, S:COUNTRY#D)"),
        (attr("country").is_in("DE", "AT"), "country IN (S:COUNTRY#DE, S:COUNTRY#AT)"),
        (raw("theirs") == 1, "theirs = N:1"),
        (raw("MadeAt") == "x", "MadeAt = S:x"),
    ],
)
def test_a_condition_is_written_in_stored_names_and_forms(condition: Condition, text: str) -> None:
    assert written(condition) == text


def test_conditions_are_joined() -> None:
    one, two, three = attr("title") == "a", attr("title") == "b", attr("sold_at").exists()
    assert written(one & two) == "(title = S:a AND title = S:b)"
    assert (
        written(one | two & three) == "(title = S:a OR (title = S:b AND attribute_exists(sold_at)))"
    )
    assert written(~(one | two)) == "(NOT (title = S:a OR title = S:b))"


def test_a_value_may_stand_on_the_left() -> None:
    condition: Any = 5 < attr("price")  # noqa: SIM300 - that is the case
    assert written(condition) == "price > N:5"


@pytest.mark.parametrize("join", [lambda a, b: a and b, lambda a, b: a or b, lambda a, _: not a])
def test_words_of_python_do_not_join_conditions(join: Any) -> None:
    with pytest.raises(TypeError, match=r"join conditions with & and \|"):
        join(attr("title") == "a", attr("title") == "b")


def test_a_name_has_one_placeholder_and_each_value_its_own() -> None:
    expression = Expression(EntityScope.of([Offer]))
    condition = (attr("title") == "a") | (attr("title") == "a")
    assert condition.write(expression) == "(#n0 = :v0 OR #n0 = :v1)"
    assert expression.members() == {
        "ExpressionAttributeNames": {"#n0": "title"},
        "ExpressionAttributeValues": {":v0": {"S": "a"}, ":v1": {"S": "a"}},
    }


def test_a_path_goes_into_a_map_step_by_step() -> None:
    expression = Expression(EntityScope.of([Offer]))
    assert (raw("prices.now") > 1).write(expression) == "#n0.#n1 > :v0"
    assert expression.names == {"prices": "#n0", "now": "#n1"}


def test_an_expression_without_placeholders_says_nothing_of_them() -> None:
    assert Expression(EntityScope.of([Offer])).members() == {}
    expression = Expression(EntityScope.of([Offer]))
    attr("title").exists().write(expression)
    assert set(expression.members()) == {"ExpressionAttributeNames"}


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Offer has no field 'tilte'; use raw\('tilte'\)"):
        written(attr("tilte") == "x")


def test_reserved_words_are_no_trouble() -> None:
    expression = Expression(EntityScope.of([Offer]))
    assert (raw("name") == 1).write(expression) == "#n0 = :v0"


def test_attributes_can_be_told_apart_in_a_dictionary() -> None:
    title = attr("title")
    assert {title: 1}[title] == 1
