"""Every way in which a live table can differ is found, and said with what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gotgan.messages import text
from gotgan.store.engine import Engine
from gotgan.store.outputs.definition import create_request, ttl_request
from gotgan.store.outputs.drift import Difference, drift
from gotgan.store.tables import KEYS_ONLY, Names, Provisioned, StreamView, Table, number

from .declared import DOCUMENTS, everything
from .live_tables import Direct, look


def _books(
    *,
    ttl: str | None = "expires",
    stream: StreamView | None = None,
    billing: Provisioned | None = None,
) -> Table:
    """A table as it was declared once; the tests declare it otherwise and look at the drift."""
    table = Table("books", pk="pk", sk="sk", ttl=ttl, stream=stream, billing=billing)
    table.local_index("by_title", sk="title", project=("author",))
    table.index("by_author", pk="author", sk=number("year"), project=("title", "price"))
    return table


def _live(table: Table, names: Names | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an engine says of a table that was made as declared."""
    names = names or Names()
    with Engine(None) as engine:
        engine.execute("CreateTable", create_request(table, names))
        if request := ttl_request(table, names):
            engine.execute("UpdateTimeToLive", request)
        description, ttl = look(Direct(engine), names.of(table))
    assert description is not None
    return description, ttl


def _drift(table: Table, live: Table) -> list[Difference]:
    return list(drift(table, *_live(live)))


def _only(table: Table, live: Table) -> Difference:
    [difference] = _drift(table, live)
    return difference


@pytest.mark.parametrize("declare", [_books, *DOCUMENTS])
def test_a_table_that_was_made_as_declared_shows_no_drift(declare: Callable[[], Table]) -> None:
    assert _drift(declare(), declare()) == []


def test_names_of_the_place_are_no_drift() -> None:
    names = Names(tables={"books": "books-prod"}, indexes={("books", "by_author"): "Authors"})
    assert drift(_books(), *_live(_books(), names), names) == ()


def test_a_missing_table_is_said_with_the_command_that_makes_it() -> None:
    names = Names(tables={"books": "books-prod"})
    [difference] = drift(_books(), None, None, names)
    assert difference.severity == "breaks"
    assert (difference.declared, difference.found) == ("books-prod", "no such table")
    assert difference.remedy == "create it"


def test_another_key_needs_another_table() -> None:
    difference = _only(Table("books", pk="pk", sk="sk"), Table("books", pk="id"))
    assert (difference.where, difference.severity) == ("key", "breaks")
    assert (difference.declared, difference.found) == ("pk, sk", "id")
    assert "cannot be changed" in difference.remedy


def test_another_type_of_a_table_key_needs_another_table() -> None:
    difference = _only(Table("books", pk="pk", sk=number("sk")), Table("books", pk="pk", sk="sk"))
    assert (difference.where, difference.severity) == ("type of sk", "breaks")
    assert (difference.declared, difference.found) == ("N", "S")
    assert "cannot be changed" in difference.remedy


def test_another_type_of_an_index_key_needs_the_index_made_again() -> None:
    declared, live = Table("books", pk="pk"), Table("books", pk="pk")
    declared.index("one", pk=number("year"))
    live.index("one", pk="year")
    difference = _only(declared, live)
    assert (difference.where, difference.severity) == ("type of year", "breaks")
    assert "remove the indexes that use year" in difference.remedy


def test_a_missing_global_index_can_be_added() -> None:
    declared = _books()
    declared.index("by_price", pk="price")
    difference = _only(declared, _books())
    assert (difference.where, difference.severity) == ("index by_price", "breaks")
    assert difference.declared == "a global index on price"
    assert difference.found == "no such index"
    assert difference.remedy == "add it by creating the table again"


def test_a_missing_local_index_needs_another_table() -> None:
    declared = _books()
    declared.local_index("by_price", sk="price")
    difference = _only(declared, _books())
    assert difference.declared == "a local index on pk, price"
    assert difference.severity == "breaks"
    assert "created with its table" in difference.remedy


def test_an_index_that_nobody_declared_only_differs() -> None:
    live = _books()
    live.index("by_price", pk="price")
    difference = _only(_books(), live)
    assert (difference.where, difference.severity) == ("index by_price", "differs")
    assert "declare it, or remove it" in difference.remedy


@pytest.mark.parametrize(
    ("local", "remedy"), [(True, "created with its"), (False, "remove the index")]
)
def test_an_index_on_other_keys_breaks(local: bool, remedy: str) -> None:
    tables = [Table("books", pk="pk", sk="sk"), Table("books", pk="pk", sk="sk")]
    for table, key in zip(tables, ("title", "author"), strict=True):
        if local:
            table.local_index("one", sk=key)
        else:
            table.index("one", pk=key)
    difference = _only(*tables)
    assert (difference.where, difference.severity) == ("index one", "breaks")
    assert difference.declared.endswith("title")
    assert difference.found.endswith("author")
    assert remedy in difference.remedy


@pytest.mark.parametrize("declared_local", [True, False])
def test_a_local_index_is_no_global_one(declared_local: bool) -> None:
    local, global_ = Table("books", pk="pk", sk="sk"), Table("books", pk="pk", sk="sk")
    local.local_index("one", sk="title")
    global_.index("one", pk="pk", sk="title")
    tables = (local, global_) if declared_local else (global_, local)
    difference = _only(*tables)
    shown = {difference.declared, difference.found}
    assert shown == {"a local index", "a global index"}
    assert difference.severity == "breaks"
    assert ("created with its table" in difference.remedy) == declared_local


@pytest.mark.parametrize(
    ("declared", "found", "severity"),
    [
        (("a", "b"), "ALL", "differs"),
        (("a", "b"), ("a", "b", "c"), "differs"),
        (KEYS_ONLY, ("a",), "differs"),
        (KEYS_ONLY, "ALL", "differs"),
        ("ALL", ("a",), "breaks"),
        ("ALL", KEYS_ONLY, "breaks"),
        (("a", "b"), KEYS_ONLY, "breaks"),
        (("a", "b"), ("a", "c"), "breaks"),
    ],
)
def test_an_index_that_holds_less_breaks_and_one_that_holds_more_differs(
    declared: Any, found: Any, severity: str
) -> None:
    tables = [Table("books", pk="pk"), Table("books", pk="pk")]
    for table, project in zip(tables, (declared, found), strict=True):
        table.index("one", pk="kind", project=project)
    difference = _only(*tables)
    assert difference.where == "index one"
    assert difference.severity == severity
    assert "remove the index" in difference.remedy


@pytest.mark.parametrize(("declared", "found"), [(("a", "b"), ("b", "a")), ((), KEYS_ONLY)])
def test_two_ways_to_say_what_an_index_holds_are_no_drift(declared: Any, found: Any) -> None:
    tables = [Table("books", pk="pk"), Table("books", pk="pk")]
    for table, project in zip(tables, (declared, found), strict=True):
        table.index("one", pk="kind", project=project)
    assert _drift(*tables) == []


def test_expiry_that_is_off_only_differs() -> None:
    difference = _only(_books(), _books(ttl=None))
    assert (difference.where, difference.severity) == ("time to live", "differs")
    assert (difference.declared, difference.found) == ("expires", "off")
    assert "turn it on" in difference.remedy


@pytest.mark.parametrize(("declared", "said"), [(None, "off"), ("expires", "expires")])
def test_items_that_vanish_by_an_undeclared_attribute_break(
    declared: str | None, said: str
) -> None:
    difference = _only(_books(ttl=declared), _books(ttl="gone_at"))
    assert (difference.where, difference.severity) == ("time to live", "breaks")
    assert (difference.declared, difference.found) == (said, "gone_at")
    assert "ttl='gone_at'" in difference.remedy


def test_expiry_that_is_being_turned_on_is_on() -> None:
    description, _ = _live(_books())
    ttl = {"TimeToLiveStatus": "ENABLING", "AttributeName": "expires"}
    assert drift(_books(), description, ttl) == ()


def test_expiry_that_is_being_turned_off_is_off() -> None:
    description, _ = _live(_books())
    ttl = {"TimeToLiveStatus": "DISABLING", "AttributeName": "expires"}
    [difference] = drift(_books(), description, ttl)
    assert difference.found == "off"


def test_expiry_is_not_compared_where_it_was_not_asked_for() -> None:
    description, _ = _live(_books(ttl="gone_at"))
    assert drift(_books(), description, None) == ()


@pytest.mark.parametrize(
    ("declared", "found", "shown"),
    [
        (
            None,
            Provisioned(5, 3),
            ("on demand", "provisioned, 5 read and 3 write units per second"),
        ),
        (
            Provisioned(5, 3),
            None,
            ("provisioned, 5 read and 3 write units per second", "on demand"),
        ),
        (
            Provisioned(5, 3),
            Provisioned(5, 4),
            (
                "provisioned, 5 read and 3 write units per second",
                "provisioned, 5 read and 4 write units per second",
            ),
        ),
    ],
)
def test_another_billing_only_differs(
    declared: Provisioned | None, found: Provisioned | None, shown: tuple[str, str]
) -> None:
    difference = _only(_books(billing=declared), _books(billing=found))
    assert (difference.where, difference.severity) == ("billing", "differs")
    assert (difference.declared, difference.found) == shown
    assert "in place" in difference.remedy


@pytest.mark.parametrize(
    ("declared", "found", "shown"),
    [
        ("NEW_IMAGE", None, "off"),
        ("NEW_IMAGE", {"StreamEnabled": False}, "off"),
        ("NEW_IMAGE", {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}, "KEYS_ONLY"),
        (None, {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}, "KEYS_ONLY"),
    ],
)
def test_another_stream_only_differs(
    declared: StreamView | None, found: dict[str, Any] | None, shown: str
) -> None:
    description, ttl = _live(_books())
    live = description | ({"StreamSpecification": found} if found else {})
    [difference] = drift(_books(stream=declared), live, ttl)
    assert (difference.where, difference.severity) == ("stream", "differs")
    assert (difference.declared, difference.found) == (declared or "off", shown)


def test_a_stream_as_declared_is_no_drift() -> None:
    description, ttl = _live(_books())
    live = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}}
    assert drift(_books(stream="NEW_IMAGE"), description | live, ttl) == ()


@pytest.mark.parametrize("status", ["DELETING", "ARCHIVED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"])
def test_a_table_that_cannot_be_used_breaks(status: str) -> None:
    description, ttl = _live(_books())
    [difference] = drift(_books(), description | {"TableStatus": status}, ttl)
    assert (difference.where, difference.severity) == ("status", "breaks")
    assert difference.found == status


@pytest.mark.parametrize("status", ["ACTIVE", "UPDATING"])
def test_a_table_that_is_being_changed_can_be_used(status: str) -> None:
    description, ttl = _live(_books())
    assert drift(_books(), description | {"TableStatus": status}, ttl) == ()


@pytest.mark.parametrize("status", ["CREATING", "DELETING"])
def test_an_index_that_is_not_ready_breaks(status: str) -> None:
    description, ttl = _live(_books())
    description["GlobalSecondaryIndexes"][0]["IndexStatus"] = status
    [difference] = drift(_books(), description, ttl)
    assert (difference.where, difference.severity) == ("index by_author", "breaks")
    assert (difference.declared, difference.found) == ("ACTIVE", status)


def test_what_breaks_is_said_first() -> None:
    live = _books(ttl="gone_at", billing=Provisioned(1, 1))
    live.index("by_price", pk="price")
    found = [(each.severity, each.where) for each in _drift(_books(), live)]
    assert found == [
        ("breaks", "time to live"),
        ("differs", "index by_price"),
        ("differs", "billing"),
    ]


def test_the_embedded_engine_has_everything_that_can_be_declared() -> None:
    assert _drift(everything(), everything()) == []


def test_another_view_type_is_a_difference() -> None:
    [difference] = _drift(_books(stream="KEYS_ONLY"), _books(stream="NEW_IMAGE"))
    assert (difference.where, difference.severity) == ("stream", "differs")
    assert (difference.declared, difference.found) == ("KEYS_ONLY", "NEW_IMAGE")


def test_a_difference_reads_as_a_sentence() -> None:
    difference = Difference(text("key"), "pk", "id", text("make another table"), "breaks")
    assert str(difference) == "key breaks: declared pk, found id; make another table"
