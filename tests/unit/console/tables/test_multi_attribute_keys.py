"""Indexes whose keys have several attributes, on the pages of tables."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from gotgan.console.tables.reads import QueryPart, same_pattern
from gotgan.console.tables.sheets import item_links
from gotgan.store import Entity, Id, IndexKey, Key, Query, Store, Table, attr, number, pattern
from gotgan.store.data.browse import BrowseQuery, browse
from gotgan.store.schema import schema_of

CUPS = Table("cups", pk="pk")
BY_ROUND = CUPS.index("by_round", pk=("cup", "region"), sk=("round", number("court")))


class Match(Entity, table=CUPS):
    key = Key("MATCH#{id}")
    in_round = IndexKey(BY_ROUND, ("{cup}", "{region}"), ("{round}", "{court}"))
    id: Id
    cup: Id = "A"
    region: Id = "E U"
    round: Id = "SEMI"
    court: int


@pattern
def on_courts(cup: str, region: str, low: int, high: int) -> Query[Match]:
    """The matches of the semifinals on some courts, but for one."""
    courts = Match.in_round.query(cup=cup, region=region, round="SEMI").between(low, high)
    return courts.filtered(attr("id") != "m4")


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as store:
        store.create(CUPS)
        store.put_all([Match(id=f"m{court}", court=court) for court in range(9)])
        store.put_new(Match(id="elsewhere", court=5, region="U S"))
        yield store


def test_the_command_of_a_pattern_finds_the_same(store: Store) -> None:
    arguments = {"cup": "A", "region": "E U", "low": 3, "high": 5}
    read = on_courts(cup="A", region="E U", low=3, high=5)
    same = same_pattern(store, on_courts, arguments, read, QueryPart(limit=10))
    words = shlex.split(same.cli)
    assert words[:4] == ["gotgan", "tables", "browse", "cups"]
    options = list(zip(words[4::2], words[5::2], strict=True))
    [pk] = [value for name, value in options if name == "--pk"]
    [expression] = [value for name, value in options if name == "--expression"]
    look = BrowseQuery(
        index="by_round",
        pk=pk,
        filters=tuple(value for name, value in options if name == "--filter"),
        expression=expression,
        values=tuple(value for name, value in options if name == "--value"),
    )
    found = browse(store.calls.driver, CUPS, look)
    assert [item["id"]["S"] for item in found.items] == ["m3", "m5"]


def test_an_item_links_to_its_partition_of_an_index(store: Store) -> None:
    bare = Table("cups", pk="pk")  # as it is found where nothing is declared about it
    bare.index("by_round", pk=("cup", "region"), sk=("round", number("court")))
    item = schema_of(Match).item(Match(id="m1", court=1))
    [link] = item_links(bare, item)["cup"]
    asked = {name: values[0] for name, values in parse_qs(urlsplit(link.path).query).items()}
    look = BrowseQuery(
        index=asked["index"], pk=asked["pk"], filters=tuple(asked["filters"].splitlines())
    )
    assert len(browse(store.calls.driver, CUPS, look).items) == 9
