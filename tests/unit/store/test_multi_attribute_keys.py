"""Index keys with several attributes: declared, written, queried and created."""

from __future__ import annotations

from typing import Annotated

import boto3
import pytest
from pydantic import StringConstraints

from gotgan.errors import StaleIndexKey, UsageError
from gotgan.settings import Secret
from gotgan.store import (
    Attribute,
    Entity,
    Id,
    IndexKey,
    Key,
    Query,
    Store,
    Table,
    increment,
    number,
    pattern,
)
from gotgan.store.data.browse import BrowseQuery, browse
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.attach import attach
from gotgan.store.engine.http import background_server
from gotgan.store.outputs.cloudformation import template
from gotgan.store.outputs.creation import create
from gotgan.store.outputs.definition import create_request, logical_ids
from gotgan.store.outputs.documents import declaration, markdown_page
from gotgan.store.outputs.drift import drift
from gotgan.store.outputs.iam import policy
from gotgan.store.outputs.live import describe_table, live_table
from gotgan.store.pages import query_request
from gotgan.store.tables import Names

from .declaring import refused, things

Cup = Annotated[str, StringConstraints(max_length=40)]
CUPS = Table("cups", pk="pk")
BY_ROUND = CUPS.index("by_round", pk=("cup", "region"), sk=("round", number("court")))
BY_TITLE = CUPS.index("by_title", pk=("cup", "initial"), sk="title", project="KEYS_ONLY")


class Match(Entity, table=CUPS):
    """A match of a cup."""

    key = Key("MATCH#{id}")
    in_round = IndexKey(BY_ROUND, ("{cup}", "{place}"), ("{turn}", "{court}"))
    in_titles = IndexKey(BY_TITLE, ("{cup}", "INITIAL#{initial}"), "{name}#{id}")
    id: Id
    cup: Cup
    place: Annotated[Cup, Attribute("region")]
    turn: Annotated[Cup, Attribute("round")]
    court: int | None = None
    name: Cup = "x"
    initial: Annotated[Cup, Attribute("letter")] = "x"
    score: int = 0


@pattern
def matches_of_round(cup: str, place: str, turn: str, court: int) -> Query[Match]:
    """The matches of a round from a court on."""
    return Match.in_round.query(cup=cup, place=place, turn=turn).after(court).newest_first()


MATCHES = [
    Match(id=f"{turn}{court}", cup="A", place="EU", turn=turn, court=court)
    for turn in ("FINAL", "SEMI")
    for court in (-3, 5, 50)
]


@pytest.fixture
def store() -> Store:
    store = Store.in_memory()
    store.create(CUPS)
    store.put_all([*MATCHES, Match(id="other", cup="A", place="US", turn="SEMI", court=1)])
    store.put_new(Match(id="unplaced", cup="A", place="EU", turn="SEMI"))
    return store


def _ids(store: Store, query: Query[Match]) -> list[str]:
    return [match.id for match in store.iterate(query, at_most=None)]


def test_a_query_takes_the_sort_key_from_the_left(store: Store) -> None:
    found = Match.in_round.query
    assert _ids(store, found(cup="A", place="EU")) == [match.id for match in MATCHES]
    assert _ids(store, found(cup="A", place="EU", turn="SEMI")) == ["SEMI-3", "SEMI5", "SEMI50"]
    assert _ids(store, found(cup="A", place="EU", turn="SEMI", court=5)) == ["SEMI5"]
    semis = found(cup="A", place="EU", turn="SEMI")
    assert _ids(store, semis.between(0, 50)) == ["SEMI5", "SEMI50"]
    assert _ids(store, semis.before(5)) == ["SEMI-3", "SEMI5"]
    assert _ids(store, semis.after(5).newest_first()) == ["SEMI50", "SEMI5"]
    everywhere = found(cup="A", place="EU")
    assert _ids(store, everywhere.begins_with("FIN")) == ["FINAL-3", "FINAL5", "FINAL50"]
    assert _ids(store, everywhere.after("S")) == ["SEMI-3", "SEMI5", "SEMI50"]
    assert int(store.count(semis)) == 3
    assert store.first(semis) == MATCHES[3]


def test_a_query_needs_the_whole_partition_key_and_no_gap() -> None:
    with pytest.raises(UsageError, match="place missing"):
        Match.in_round.query(cup="A")
    with pytest.raises(UsageError, match="filled in from the left; give turn too"):
        Match.in_round.query(cup="A", place="EU", court=5)
    with pytest.raises(UsageError, match="is settled"):
        Match.in_round.query(cup="A", place="EU", turn="SEMI", court=5).after(3)


def test_a_cursor_goes_on_in_the_middle_of_a_partition(store: Store) -> None:
    query = Match.in_round.query(cup="A", place="EU")
    first = store.query(query, limit=4)
    second = store.query(query, limit=4, cursor=first.cursor)
    assert [*first, *second] == MATCHES
    filtered = store.query(query, limit=2, keep=lambda match: match.court == 5)
    assert [match.id for match in filtered] == ["FINAL5", "SEMI5"]


def test_an_index_that_holds_only_keys_tells_the_fields_in_them(store: Store) -> None:
    [found] = store.query(Match.in_titles.query(cup="A", initial="x", name="x", id="SEMI5"))
    assert (found.cup, found.initial, found.name) == ("A", "x", "x")
    [whole] = store.query(Match.in_titles.query(cup="A", initial="x", name="x", id="SEMI5").whole())
    assert whole == MATCHES[4]


def test_a_patch_of_one_key_attribute_moves_the_item(store: Store) -> None:
    key = MATCHES[0].key
    store.patch(key, court=increment(4))
    assert _ids(store, Match.in_round.query(cup="A", place="EU", turn="FINAL"))[0] == "FINAL-3"
    store.patch(key, turn="SEMI")
    semis = Match.in_round.query(cup="A", place="EU", turn="SEMI")
    assert [match.court for match in store.iterate(semis, at_most=None)] == [-3, 1, 5, 50]
    store.patch(key, court=None)
    assert "FINAL-3" not in _ids(store, semis)


def test_what_a_key_derives_is_still_guarded(store: Store) -> None:
    with pytest.raises(StaleIndexKey, match="in_titles"):
        store.patch(MATCHES[0].key, name="y")
    read = store.get(MATCHES[0].key)
    assert read is not None
    store.update(read, name="y")
    [found] = store.query(Match.in_titles.query(cup="A", initial="x").begins_with("y#"))
    assert found.id == MATCHES[0].id


def test_an_item_that_lacks_a_key_attribute_stays_out(store: Store) -> None:
    assert "unplaced" not in _ids(store, Match.in_round.query(cup="A", place="EU"))
    store.patch(Match.key(id="unplaced"), court=7)
    assert "unplaced" in _ids(store, Match.in_round.query(cup="A", place="EU"))


def test_a_pattern_says_what_it_asks_of_each_attribute() -> None:
    [read] = matches_of_round.reads
    assert (read.pk, read.fixed) == ("{cup}", ('region = "{place}"', 'round = "{turn}"'))
    assert read.sort == "court >= {court}"
    assert 'cup = "{cup}" AND region = "{place}" AND round = "{turn}" AND court >= {court}' in (
        markdown_page(CUPS)
    )


def test_a_table_is_created_as_it_is_declared_and_shows_no_drift(store: Store) -> None:
    request = create_request(CUPS)
    schema = request["GlobalSecondaryIndexes"][0]["KeySchema"]
    assert schema == [
        {"AttributeName": "cup", "KeyType": "HASH"},
        {"AttributeName": "region", "KeyType": "HASH"},
        {"AttributeName": "round", "KeyType": "RANGE"},
        {"AttributeName": "court", "KeyType": "RANGE"},
    ]
    [logical] = logical_ids([CUPS])
    properties = template([CUPS])["Resources"][logical]["Properties"]
    assert properties["GlobalSecondaryIndexes"][0]["KeySchema"] == schema
    assert declaration(CUPS)["indexes"][0]["key_schema"] == schema
    assert "| index `by_round` | `cup` (S), `region` (S) | `round` (S), `court` (N) |" in (
        markdown_page(CUPS)
    )
    driver = store.calls.driver
    assert drift(CUPS, describe_table(driver, "cups"), None) == ()
    live = live_table(driver, "cups").table.indexes["by_round"]
    assert (live.partition, live.sort) == (BY_ROUND.partition, BY_ROUND.sort)


def test_the_same_attributes_in_other_parts_are_a_drift() -> None:
    declared, live = (Table("cups", pk="pk") for _ in range(2))
    declared.index("by_round", pk=("cup", "region"), sk="round")
    live.index("by_round", pk="cup", sk=("region", "round"))
    with Engine(None) as engine:
        driver = Embedded(engine)
        create(driver, live)
        [difference] = drift(declared, describe_table(driver, "cups"), None)
    assert (difference.declared, difference.found) == ("cup, region / round", "cup / region, round")
    assert difference.severity == "breaks"


def test_an_index_is_added_to_a_table_that_is_there(store: Store) -> None:
    later = Table("cups", pk="pk")
    for index in CUPS.indexes.values():
        later.indexes[index.name] = index
    added = later.index("by_court", pk=("region", number("court")))
    report = create(store.calls.driver, later, add_indexes=True)
    assert report.indexes == ("by_court",)
    look = BrowseQuery(index=added.name, pk="EU", filters=("court=5",))
    assert len(browse(store.calls.driver, later, look).items) == 2


def test_a_policy_does_not_limit_the_leading_keys_of_several_attributes() -> None:
    statements = policy([CUPS])["Statement"]
    [on_index] = [each for each in statements if each["Resource"].endswith("/index/by_round")]
    assert on_index["Action"] == ["dynamodb:Query"]
    assert "Condition" not in on_index


def test_browsing_takes_further_key_attributes_as_filters(store: Store) -> None:
    def ids(*filters: str, sk: tuple[str, ...] = ()) -> list[str]:
        look = BrowseQuery(index="by_round", pk="A", sk=sk, filters=filters)
        found = browse(store.calls.driver, "cups", look)
        assert found.operation == "Query"
        return [item["id"]["S"] for item in found.items]

    assert ids("region=EU", sk=("SEMI",)) == ["SEMI-3", "SEMI5", "SEMI50"]
    assert ids("region=EU", sk=("^FIN",)) == ["FINAL-3", "FINAL5", "FINAL50"]
    assert ids("region=EU", "court>=0", "court<=9", sk=("SEMI",)) == ["SEMI5"]
    assert ids("region=EU", "round=SEMI", "court>5") == ["SEMI50"]
    assert ids("region=EU", "id=FINAL5") == ["FINAL5"]
    with pytest.raises(UsageError):
        ids("region=EU", "court>=0", "court>=9", sk=("SEMI",))


def test_boto3_checks_such_requests_and_sends_them() -> None:
    with Engine(None) as engine:
        client = attach(boto3.client("dynamodb", region_name="us-east-1"), engine)
        client.create_table(**create_request(CUPS))
        [leg] = matches_of_round("A", "EU", "SEMI", 5).legs
        assert client.query(**query_request(leg, Names()))["Items"] == []


def test_the_driver_of_aws_makes_and_queries_such_tables() -> None:
    query = Match.in_round.query(cup="A", place="EU")
    with (
        Engine(None) as engine,
        background_server(engine) as endpoint,
        Store(Aws(endpoint), secret=Secret("s" * 32)) as store,
    ):
        store.create(CUPS)
        store.put_all(MATCHES)
        assert _ids(store, matches_of_round("A", "EU", "SEMI", 5)) == ["SEMI50", "SEMI5"]
        first = store.query(query, limit=4)
        assert [*first, *store.query(query, cursor=first.cursor)] == MATCHES


@pytest.mark.parametrize(
    ("pk", "sk", "says"),
    [
        ((), "s", "pk of broken has 0 attributes"),
        (("a", "b", "c", "d", "e"), None, "pk of broken has 5 attributes; a part of a key has one"),
        ("a", ("b", "c", "d", "e", "f"), "sk of broken has 5 attributes"),
        (("a", "b"), ("c", "a"), "broken has a twice in its key"),
    ],
)
def test_an_index_that_dynamodb_would_refuse_is_refused(
    pk: str | tuple[str, ...], sk: str | tuple[str, ...] | None, says: str
) -> None:
    with refused(says):
        things().index("broken", pk=pk, sk=sk)


def test_each_attribute_of_an_index_key_has_a_template() -> None:
    table = things()
    index = table.index("by_ab", pk=("a", "b"), sk="c")
    with refused("in_ab has 2 template(s), and by_ab has 3 key attribute(s), a, b, c"):

        class Short(Entity, table=table):
            key = Key("{a}", "SHORT")
            in_ab = IndexKey(index, "{a}", "{c}")
            a: Id
            c: Id

    with refused("in_ab has 1 template(s) for the partition key, and by_ab has 2 attribute(s)"):

        class Shifted(Entity, table=table):
            key = Key("{a}", "SHIFTED")
            in_ab = IndexKey(index, "{a}", ("{b}", "{c}"))
            a: Id
            b: Id
            c: Id


def test_the_sizes_of_the_templates_of_a_part_add_up() -> None:
    table = things()
    index = table.index("by_ab", pk="a", sk=("b", "c"))
    with refused("the key '{b}', '{c}' can have 1,200 bytes and may have 1,024"):

        class Long(Entity, table=table):
            key = Key("{a}", "LONG")
            in_ab = IndexKey(index, "{a}", ("{b}", "{c}"))
            a: Id
            b: Annotated[str, StringConstraints(max_length=150)]
            c: Annotated[str, StringConstraints(max_length=150)]
