"""A look into any table: what is asked is what is read, what it costs is said."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import BadCursor, UsageError
from gotgan.store.data.browse import (
    BrowseQuery,
    BrowseResult,
    browse,
    command_line,
    starting_token,
    token_key,
)
from gotgan.store.data.browse_terms import Placeholders, parse_filter, parse_sort_condition
from gotgan.store.data.item_json import item_to_json, readable_item, readable_number
from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from gotgan.store.tables import KeyAttribute, Names, number
from tests.contract.tables import Index
from tests.unit.store.data.tables import Item, fill, make

STUCK = "PROGRESS#2026-01-15T08:00:00Z"
CRAWLS = [
    ("NEVER#", "a.de"),
    ("PROGRESS#2026-01-15T07:00:00Z", "b.de"),
    (STUCK, "c.de"),
    ("PROGRESS#2026-01-15T09:00:00Z", "d.de"),
    ("DONE#2026-01-14T00:00:00Z", "e.de"),
]


def shop(state: str, domain: str, number: int) -> Item:
    return {
        "pk": {"S": f"SHOP#{domain}"},
        "sk": {"S": "META#"},
        "gsi2_pk": {"S": "COUNTRY#DE"},
        "gsi2_sk": {"S": state},
        "status": {"S": "it's open"},
        "size": {"N": str(number)},
        "tags": {"L": [{"S": "old"}, {"M": {"seen": {"BOOL": number % 2 == 0}}}]},
    }


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """An engine with a table of shops, which no test changes."""
    with Engine(None) as engine:
        driver = Embedded(engine)
        make(driver, "shops", gsi=[Index("GSI2", "gsi2_pk:S gsi2_sk:S")])
        fill(driver, "shops", [shop(*crawl, n) for n, crawl in enumerate(CRAWLS)])
        pages = [{"pk": {"S": "SHOP#a.de"}, "sk": {"S": f"URL#{n:03d}"}} for n in range(50)]
        fill(driver, "shops", [{**page, "price": {"N": str(n)}} for n, page in enumerate(pages)])
        yield engine


@pytest.fixture(scope="module")
def driver(engine: Engine) -> Embedded:
    return Embedded(engine)


def sort_keys(found: BrowseResult) -> list[str]:
    return [item["sk"]["S"] for item in found.items]


def domains(found: BrowseResult) -> list[str]:
    return [item["pk"]["S"].removeprefix("SHOP#") for item in found.items]


def test_a_partition_is_read_in_order(driver: Driver) -> None:
    found = browse(driver, "shops", BrowseQuery(pk="SHOP#a.de", limit=3))
    assert found.operation == "Query"
    assert sort_keys(found) == ["META#", "URL#000", "URL#001"]
    last = browse(driver, "shops", BrowseQuery(pk="SHOP#a.de", limit=2, newest_first=True))
    assert sort_keys(last) == ["URL#049", "URL#048"]


@pytest.mark.parametrize(
    ("terms", "keys"),
    [
        (["URL#007"], [7]),
        (["=URL#007"], [7]),
        (["^URL#00"], list(range(10))),
        (["URL#003..URL#005"], [3, 4, 5]),
        ([">=URL#048"], [48, 49]),
        ([">URL#048"], [49]),
        (["<URL#001"], [-1, 0]),
        (["<=URL#001"], [-1, 0, 1]),
        ([">=URL#003", "<=URL#004"], [3, 4]),
    ],
)
def test_the_sort_key_is_asked_for_in_every_way(
    driver: Driver, terms: list[str], keys: list[int]
) -> None:
    found = browse(driver, "shops", BrowseQuery(pk="SHOP#a.de", sk=tuple(terms)))
    assert sort_keys(found) == ["META#" if n < 0 else f"URL#{n:03d}" for n in keys]


def test_crawls_that_are_stuck_can_be_asked_for(driver: Driver) -> None:
    look = BrowseQuery(index="GSI2", pk="COUNTRY#DE", sk=(f"PROGRESS#..{STUCK}",))
    found = browse(driver, "shops", look)
    assert domains(found) == ["b.de", "c.de"]
    assert "#n1 BETWEEN :v1 AND :v2" in " ".join(found.command)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (["size>2"], ["d.de", "e.de"]),
        (["size >= 2", "size <= 3"], ["c.de", "d.de"]),
        (["size!=0", "size:N<2"], ["b.de"]),
        (["status=it's open", "size=1"], ["b.de"]),
        (["status:S=1"], []),
        (['status="it\'s open"', "size=4"], ["e.de"]),
        (["status^it", "size=3"], ["d.de"]),
        (["status~open", "size=2"], ["c.de"]),
        (["tags~old", "size=2"], ["c.de"]),
        (["tags[1].seen=true", "size>0"], ["c.de", "e.de"]),
        (["tags[1].seen:BOOL=false"], ["b.de", "d.de"]),
        (["price exists"], []),
        (["price missing", "size=2"], ["c.de"]),
        (['"no such.name" missing', "size=2"], ["c.de"]),
        (["pk=SHOP#c.de"], ["c.de"]),
    ],
)
def test_filters_say_what_else_must_hold(
    driver: Driver, terms: list[str], expected: list[str]
) -> None:
    found = browse(
        driver, "shops", BrowseQuery(index="GSI2", pk="COUNTRY#DE", filters=tuple(terms))
    )
    assert sorted(domains(found)) == expected
    assert found.read == 5


def test_without_a_partition_it_is_a_scan_and_says_so(driver: Driver) -> None:
    found = browse(driver, "shops", BrowseQuery(limit=100))
    assert found.operation == "Scan"
    assert (len(found.items), found.read, found.counted, found.cursor) == (55, 55, 55, None)
    assert found.cost.reads > 0


def test_a_filter_shows_as_many_as_were_asked_for_and_goes_on_behind_the_last(
    driver: Driver,
) -> None:
    look = BrowseQuery(pk="SHOP#a.de", filters=("price>=10",), limit=3)
    first = browse(driver, "shops", look)
    assert sort_keys(first) == ["URL#010", "URL#011", "URL#012"]
    second = browse(driver, "shops", BrowseQuery(**{**vars(look), "cursor": first.cursor}))
    assert sort_keys(second) == ["URL#013", "URL#014", "URL#015"]


def test_no_more_is_read_than_was_allowed(driver: Driver) -> None:
    look = BrowseQuery(pk="SHOP#a.de", filters=("price>=40",), limit=3, most_read=20)
    found = browse(driver, "shops", look)
    assert (found.items, found.read) == ([], 20)
    seen: list[str] = []
    for _ in range(2):
        found = browse(driver, "shops", BrowseQuery(**{**vars(look), "cursor": found.cursor}))
        seen += sort_keys(found)
    assert seen == ["URL#040", "URL#041", "URL#042"]


@pytest.mark.parametrize("filters", [(), ("price exists",)])
@pytest.mark.parametrize("index", [None, "GSI2"])
@pytest.mark.parametrize("pk", [None, "SHOP#a.de", "COUNTRY#DE"])
def test_page_by_page_everything_is_seen_once(
    driver: Driver, filters: tuple[str, ...], index: str | None, pk: str | None
) -> None:
    whole = browse(driver, "shops", BrowseQuery(index=index, pk=pk, filters=filters, limit=1000))
    seen: list[Item] = []
    cursor: str | None = None
    for _ in itertools.count():
        look = BrowseQuery(index=index, pk=pk, filters=filters, limit=4, cursor=cursor)
        page = browse(driver, "shops", look)
        seen += page.items
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == whole.items


def test_only_what_is_shown_is_paid_for(driver: Driver) -> None:
    few = browse(driver, "shops", BrowseQuery(pk="SHOP#a.de", limit=2))
    assert few.read == 2
    assert few.cost.reads == 0.5
    consistent = browse(driver, "shops", BrowseQuery(pk="SHOP#a.de", limit=2, consistent=True))
    assert consistent.cost.reads == 1.0


def test_tables_and_indexes_have_their_declared_names_too(driver: Driver) -> None:
    names = Names({"declared": "shops"}, {("declared", "by_crawl"): "GSI2"})
    found = browse(driver, "declared", BrowseQuery(index="by_crawl", pk="COUNTRY#DE"), names)
    assert len(found.items) == 5
    assert (
        browse(driver, "shops", BrowseQuery(index="GSI2", pk="COUNTRY#DE"), names).items
        == found.items
    )


def test_keys_may_be_numbers_and_bytes_and_have_odd_names() -> None:
    with Engine(None) as engine:
        driver = Embedded(engine)
        make(driver, "odd", "user.id:N b[0]:B")
        items = [
            {"user.id": {"N": "7"}, "b[0]": {"B": bytes([n, 255])}, "select": {"S": "x"}}
            for n in range(5)
        ]
        fill(driver, "odd", items)
        low, high = (b64encode(bytes([n])).decode() for n in (1, 3))
        found = browse(driver, "odd", BrowseQuery(pk="7.0", sk=(f"{low}..{high}",), limit=1))
        assert found.items == items[1:2]
        again = BrowseQuery(
            pk="7", sk=(f"{low}..{high}",), cursor=found.cursor, filters=("select=x",)
        )
        assert browse(driver, "odd", again).items == items[2:3]


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (BrowseQuery(sk=("x",)), "needs a partition key"),
        (BrowseQuery(newest_first=True), "a scan has no order"),
        (BrowseQuery(index="GSI9"), "Indexes: GSI2"),
        (BrowseQuery(index="GSI2", consistent=True), "global index"),
        (BrowseQuery(pk=""), "cannot be empty"),
        (BrowseQuery(pk="a", sk=("",)), "cannot be empty"),
        (BrowseQuery(pk="a", sk=("a..b..c",)), "more than one"),
        (BrowseQuery(pk="a", sk=("<a", "<=b")), "one condition"),
        (BrowseQuery(pk="a", sk=(">=a", ">=b")), "one condition"),
        (BrowseQuery(filters=("nonsense",)), "Not a filter"),
        (BrowseQuery(filters=("n:N=many",)), "numeric"),
        (BrowseQuery(filters=("b:B=%%",)), "base64"),
        (BrowseQuery(filters=("t:BOOL=maybe",)), "true or false"),
        (BrowseQuery(filters=('t="a"b"',)), "value of t is not valid"),
        (BrowseQuery(limit=0), "at least one"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence_with_a_remedy(
    driver: Driver, look: BrowseQuery, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        browse(driver, "shops", look)


def test_a_table_that_is_not_there_is_a_sentence(driver: Driver) -> None:
    with pytest.raises(UsageError, match="no table nowhere"):
        browse(driver, "nowhere", BrowseQuery())


def test_a_number_has_no_beginning() -> None:
    with pytest.raises(UsageError, match="prefixes do not apply"):
        parse_sort_condition(["^1"], number("at"))


def test_a_sort_key_can_only_be_asked_of_a_table_that_has_one() -> None:
    with Engine(None) as engine:
        make(Embedded(engine), "flat", "pk:S")
        with pytest.raises(UsageError, match="no sort key"):
            browse(Embedded(engine), "flat", BrowseQuery(pk="a", sk=("b",)))


@pytest.mark.parametrize(
    "cursor",
    [
        "nonsense",
        "",
        b64encode(b"[]").decode(),
        b64encode(b'{"ExclusiveStartKey": 5}').decode(),
        b64encode(b'{"ExclusiveStartKey": {"pk": "a"}}').decode(),
        b64encode(b'{"ExclusiveStartKey": {}, "boto_truncate_amount": 3}').decode(),
        starting_token({"pk": {"S": "SHOP#a.de"}}),
        starting_token({"pk": {"S": "SHOP#b.de"}, "sk": {"S": "META#"}}),
    ],
)
def test_a_cursor_that_is_none_of_this_look_is_refused(driver: Driver, cursor: str) -> None:
    with pytest.raises(BadCursor, match="Start without one"):
        browse(driver, "shops", BrowseQuery(pk="SHOP#a.de", cursor=cursor))


def test_a_cursor_holds_any_key() -> None:
    key: Item = {"a": {"S": "곳간"}, "b": {"B": b"\x00\xff"}, "c": {"N": "1.5"}}
    assert token_key(starting_token(key)) == key


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a=5", {"N": "5"}),
        ("a=-1.50", {"N": "-1.5"}),
        ("a=007", {"S": "007"}),
        ("a=1e3", {"N": "1000"}),
        ("a=true", {"BOOL": True}),
        ("a=null", {"NULL": True}),
        ("a=True", {"S": "True"}),
        ("a:S=5", {"S": "5"}),
        ('a="5"', {"S": "5"}),
        ('a="\\n"', {"S": "\n"}),
        ("a=", {"S": ""}),
        ("a= two words ", {"S": "two words"}),
        ("a=b=c", {"S": "b=c"}),
        ("a:B=AP8=", {"B": b"\x00\xff"}),
        ("known=5", {"S": "5"}),
    ],
)
def test_the_type_of_a_filters_value_is_seen_or_said(text: str, value: dict[str, Any]) -> None:
    marks = Placeholders()
    assert parse_filter(text, {"known": "S"}).write(marks) == "#n0 = :v0"
    assert marks.values == {":v0": value}


def test_no_name_or_value_is_ever_part_of_an_expression() -> None:
    marks = Placeholders()
    hostile = "a OR attribute_exists(b)"
    text = parse_filter(f'"{hostile}"=:x OR 1', {}).write(marks)
    assert text == "#n0 = :v0"
    assert marks.names == {hostile: "#n0"}
    assert parse_sort_condition(["x AND y"], KeyAttribute("sk")).write("#k", marks) == "#k = :v1"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5", 5),
        ("-0.25", -0.25),
        ("0.1", 0.1),
        ("1" + "0" * 37, 10**37),
        ("0.1234567890123456789", "0.1234567890123456789"),
    ],
)
def test_a_number_is_shown_without_losing_a_digit(text: str, shown: object) -> None:
    assert readable_number(text) == shown


def test_an_item_is_shown_as_plain_values() -> None:
    item: Item = {
        "n": {"NS": ["1", "2.5"]},
        "b": {"B": b"\x00"},
        "bs": {"BS": [b"\x00"]},
        "m": {"M": {"l": {"L": [{"NULL": True}, {"BOOL": False}, {"SS": ["a"]}]}}},
    }
    shown = {"n": [1, 2.5], "b": "AA==", "bs": ["AA=="], "m": {"l": [None, False, ["a"]]}}
    assert readable_item(item) == shown


@pytest.fixture(scope="module")
def remote(engine: Engine) -> Iterator[Aws]:
    with background_server(engine) as url:
        driver = Aws(url, "eu-west-1")
        yield driver
        driver.close()


def run_in_shell(line: str) -> Any:
    """What a shell and the AWS CLI make of a command."""
    program = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PATH": program + os.pathsep + os.environ["PATH"],
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_PAGER": "",
    }
    done = subprocess.run(
        ["sh", "-c", line], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "look",
    [
        BrowseQuery(index="GSI2", pk="COUNTRY#DE", sk=(f"PROGRESS#..{STUCK}",), newest_first=True),
        BrowseQuery(filters=("status=it's open", "tags[1].seen=true"), limit=2),
        BrowseQuery(
            pk="SHOP#a.de", sk=("^URL#",), filters=("price>=10",), consistent=True, limit=5
        ),
    ],
)
def test_the_aws_cli_finds_the_same(remote: Aws, look: BrowseQuery) -> None:
    found = browse(remote, "shops", look)
    assert found.items
    theirs = run_in_shell(command_line(found.command))
    assert theirs["Items"] == [item_to_json(item) for item in found.items]


def test_the_aws_cli_goes_on_from_our_cursor(remote: Aws) -> None:
    first = browse(remote, "shops", BrowseQuery(pk="SHOP#a.de", limit=3))
    look = BrowseQuery(pk="SHOP#a.de", limit=3, cursor=first.cursor)
    second = browse(remote, "shops", look)
    theirs = run_in_shell(command_line(second.command))
    assert theirs["Items"] == [item_to_json(item) for item in second.items]
    third = browse(
        remote, "shops", BrowseQuery(pk="SHOP#a.de", limit=3, cursor=theirs["NextToken"])
    )
    assert sort_keys(third) == ["URL#005", "URL#006", "URL#007"]


def test_a_command_survives_the_shell_whatever_is_looked_for(remote: Aws) -> None:
    hostile = "$(touch owned) `id` ' \" \\ ; & | > 곳간 \t"
    found = browse(remote, "shops", BrowseQuery(pk=hostile))
    assert run_in_shell(command_line(found.command))["Items"] == []
    assert not Path("owned").exists()
    values = found.command[found.command.index("--expression-attribute-values") + 1]
    assert json.loads(values) == {":v0": {"S": hostile}}


@pytest.mark.parametrize(
    ("name", "endpoint"),
    [("aws", None), ("embedded", "http://127.0.0.1:8000"), ("http://db:1", "http://db:1")],
)
def test_the_command_goes_to_the_same_database(
    engine: Engine, name: str, endpoint: str | None
) -> None:
    named = Embedded(engine)
    named.name = name
    words = browse(named, "shops", BrowseQuery(limit=1)).command
    assert ("--endpoint-url" in words) == (endpoint is not None)
    assert endpoint is None or endpoint in words
