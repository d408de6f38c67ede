"""Filters as DynamoDB writes them, some attributes alone, and tables that are known already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gotgan.errors import UsageError
from gotgan.store.data.browse import BrowseQuery, browse, command_line, command_words
from gotgan.store.data.browse_terms import parse_path, parse_placeholder
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.faults import ValidationException
from gotgan.store.outputs.live import declared_live_table
from gotgan.store.tables import Names, Table
from tests.contract.tables import Index
from tests.unit.store.data.tables import fill, make


class Watched(Embedded):
    """A driver that remembers what it was asked for."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.calls: list[str] = []

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self.calls.append(operation)
        return super().call(operation, request)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Twenty things of a shop, which no test changes."""
    with Engine(None) as engine:
        driver = Embedded(engine)
        make(driver, "live-things", gsi=[Index("live-by-kind", "kind:S sk:S")])
        fill(driver, "live-things", [_thing(number) for number in range(20)])
        yield engine


def _thing(number: int) -> dict[str, Any]:
    return {
        "pk": {"S": "SHOP#a.de"},
        "sk": {"S": f"URL#{number:03d}"},
        "kind": {"S": "odd" if number % 2 else "even"},
        "status": {"S": "sold" if number < 5 else "there"},
        "price": {"N": str(number)},
        "prices": {"M": {"now": {"N": str(number)}, "then": {"N": "0"}}},
    }


@pytest.fixture
def driver(engine: Engine) -> Watched:
    """The way to them."""
    return Watched(engine)


@pytest.mark.parametrize(
    ("expression", "values", "numbers"),
    [
        ("price > :n", (":n=17",), [18, 19]),
        ("#s = :s AND price >= :n", ("#s=status", ":s=sold", ":n=3"), [3, 4]),
        ("price = :n", (":n:S=3",), []),
        ("price = :a OR prices.now = :b", (":a=1", ":b=2"), [1, 2]),
        ("NOT contains(#s, :x) AND price < :n", ("#s=status", ":x=ere", ":n=2"), [0, 1]),
        ("begins_with(kind, :k) AND price IN (:a, :b)", (':k="o"', ":a=3", ":b=4"), [3]),
    ],
)
def test_an_expression_is_a_filter_as_dynamodb_writes_it(
    driver: Watched, expression: str, values: tuple[str, ...], numbers: list[int]
) -> None:
    look = BrowseQuery(pk="SHOP#a.de", expression=expression, values=values)
    found = browse(driver, "live-things", look)
    assert [int(item["price"]["N"]) for item in found.items] == numbers
    assert found.read == 20
    assert look.is_filtered


@pytest.mark.parametrize(
    ("look", "told"),
    [
        (
            BrowseQuery(expression="a = :a", filters=("b=1",)),
            "expression, not both",
        ),
        (BrowseQuery(values=(":a=1",)), "Add one"),
        (BrowseQuery(pk="x", expression="a = :v0", values=(":v0=1",)), "Use another name"),
        (BrowseQuery(pk="x", expression="a = :a", values=("a=1",)), "Write :n=3 for a value"),
        (BrowseQuery(pk="x", expression="a = :a", values=(":a:N=much",)), ":a cannot be 'much'"),
        (BrowseQuery(pk="x", only=("a b",)), "Put unusual names in double quotes"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_do(
    driver: Watched, look: BrowseQuery, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        browse(driver, "live-things", look)


@pytest.mark.parametrize(
    ("expression", "values"), [("price >", ()), ("#s = :s", (":s=1",)), ("price = :s", ())]
)
def test_what_dynamodb_cannot_read_it_refuses_itself(
    driver: Watched, expression: str, values: tuple[str, ...]
) -> None:
    with pytest.raises(ValidationException, match="FilterExpression"):
        browse(driver, "live-things", BrowseQuery(pk="x", expression=expression, values=values))


def test_some_attributes_come_with_the_keys_alone(driver: Watched) -> None:
    look = BrowseQuery(pk="SHOP#a.de", only=("status", "prices.now", "sk"), limit=1)
    [item] = browse(driver, "live-things", look).items
    assert item == {
        "pk": {"S": "SHOP#a.de"},
        "sk": {"S": "URL#000"},
        "status": {"S": "sold"},
        "prices": {"M": {"now": {"N": "0"}}},
    }


def test_a_cursor_can_be_given_where_only_some_attributes_come(driver: Watched) -> None:
    look = BrowseQuery(index="live-by-kind", pk="odd", only=("price",), limit=4)
    first = browse(driver, "live-things", look)
    later = BrowseQuery(
        index="live-by-kind", pk="odd", only=("price",), limit=4, cursor=first.cursor
    )
    second = browse(driver, "live-things", later)
    assert [item["price"]["N"] for item in first.items + second.items] == [
        str(number) for number in range(1, 16, 2)
    ]


THINGS = Table("things", pk="pk", sk="sk")
THINGS.index("by_kind", pk="kind", sk="sk")
NAMES = Names({"things": "live-things"}, {("things", "by_kind"): "live-by-kind"})


def test_a_table_that_is_known_is_not_described_first(driver: Watched) -> None:
    """To describe a table a database may have to count it, however large it is."""
    look = BrowseQuery(index="by_kind", pk="odd", limit=3)
    found = browse(driver, THINGS, look, NAMES)
    assert driver.calls == ["Query"]
    asked = browse(driver, "things", look, NAMES)
    assert driver.calls == ["Query", "DescribeTable", "Query"]
    assert (found.items, found.cursor, found.command) == (asked.items, asked.cursor, asked.command)
    assert "live-by-kind" in found.command


def test_a_declared_table_is_called_what_the_names_say() -> None:
    called = declared_live_table(THINGS, NAMES)
    assert called.name == "live-things"
    assert [index.name for index in called.table.indexes.values()] == ["live-by-kind"]
    assert all(index.table is called.table for index in called.table.indexes.values())
    assert THINGS.indexes.keys() == {"by_kind"}


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (":n=3", (":n", {"N": "3"})),
        (":n:S=3", (":n", {"S": "3"})),
        (':n="3"', (":n", {"S": "3"})),
        (":n=true", (":n", {"BOOL": True})),
        (":n=null", (":n", {"NULL": True})),
        (":n = a = b ", (":n", {"S": "a = b"})),
        (":b:B=AP8=", (":b", {"B": b"\x00\xff"})),
        ("#s=status", ("#s", "status")),
    ],
)
def test_a_placeholder_stands_for_a_name_or_a_value(text: str, mark: tuple[str, Any]) -> None:
    assert parse_placeholder(text) == mark


@pytest.mark.parametrize(
    ("text", "steps"),
    [("a", ("a",)), (" a.b ", ("a", "b")), ("a[0].b", ("a", 0, "b")), ('"a.b"', ("a.b",))],
)
def test_a_path_has_steps(text: str, steps: tuple[str | int, ...]) -> None:
    assert parse_path(text) == steps


def test_one_item_is_a_command_of_the_aws_cli_too() -> None:
    request = {"TableName": "things", "Key": {"pk": {"B": b"\x00"}}, "ConsistentRead": True}
    line = command_line(command_words("GetItem", request, None))
    assert line == (
        'aws dynamodb get-item --table-name things --key \'{"pk":{"B":"AA=="}}\' --consistent-read'
    )
