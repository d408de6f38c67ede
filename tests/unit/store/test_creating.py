"""A store that creates its tables creates each when it is first used, on the embedded engine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import StoreReadOnly, TableMissing
from gotgan.settings import Secret, Settings
from gotgan.store import Entity, Id, Key, Store, Table
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.faults import ResourceNotFoundException
from gotgan.store.engine.http import background_server
from gotgan.store.writes import put_new
from tests.unit.store.drivers.aws_environment import forget_aws

TOOLS = Table("tools", pk="pk", ttl="expires_at")
NAILS = Table("nails", pk="pk")
OTHERS = Table("others", pk="pk")


class Tool(Entity, table=TOOLS):
    key = Key("TOOL#{id}")
    id: Id


class Nail(Entity, table=NAILS):
    key = Key("NAIL#{id}")
    id: Id


class Other(Entity, table=OTHERS):
    key = Key("OTHER#{id}")
    id: Id


TOOL, MANY = Tool(id="saw"), [Tool(id=f"t{number}") for number in range(120)]
CALLS: dict[str, Callable[[Store], Any]] = {
    "get": lambda store: store.get(TOOL.key),
    "get_all": lambda store: store.get_all([TOOL.key]),
    "scan": lambda store: list(store.scan(Tool)),
    "put_new": lambda store: store.put_new(TOOL),
    "put_new_all": lambda store: store.put_new_all(MANY),
    "put_new_all without a probe": lambda store: store.put_new_all(MANY, probe=False),
    "put_all": lambda store: store.put_all(MANY),
    "delete": lambda store: store.delete(TOOL),
    "transact": lambda store: store.transact([put_new(TOOL)]),
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as store:
        yield store


def opened(folder: Path) -> Store:
    settings = Settings.from_env({"GOTGAN_DATA": str(folder)})
    return Store.open(settings).creating(lambda: (TOOLS, NAILS))


def there(store: Store) -> list[str]:
    names: list[str] = store.calls.driver.call("ListTables", {})["TableNames"]
    return names


@pytest.mark.parametrize("call", CALLS)
def test_a_call_creates_the_table_that_it_needs_and_no_other(store: Store, call: str) -> None:
    CALLS[call](store)
    assert there(store) == ["tools"]
    described = store.calls.driver.call("DescribeTimeToLive", {"TableName": "tools"})
    assert described["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"


def test_what_is_written_first_is_kept(store: Store) -> None:
    assert len(store.put_new_all(MANY, probe=False).new) == len(MANY)
    assert len(store.put_new_all(MANY, probe=False).duplicates) == len(MANY)


def test_a_transaction_creates_all_of_its_tables(store: Store) -> None:
    store.transact([put_new(TOOL), put_new(Nail(id="n1"))])
    assert there(store) == ["nails", "tools"]


def test_a_table_that_was_not_declared_is_not_created(store: Store) -> None:
    with pytest.raises(TableMissing, match=r"^Table others does not exist in embedded\. Create"):
        store.get(Other.key(id="x"))
    [failed] = store.put_new_all([Other(id="x")], probe=False).failed
    assert isinstance(failed.error, TableMissing)
    assert there(store) == []


def test_a_table_is_created_under_the_name_that_the_settings_give_it(tmp_path: Path) -> None:
    named = {"GOTGAN_DATA": str(tmp_path), "GOTGAN_TABLES": "tools=Tools-prd"}
    with Store.open(Settings.from_env(named)).creating(lambda: (TOOLS,)) as store:
        store.put_new(TOOL)
        assert there(store) == ["Tools-prd"]


def test_a_table_that_was_deleted_is_created_again(store: Store) -> None:
    store.put_new(TOOL)
    store.calls.driver.call("DeleteTable", {"TableName": "tools"})
    assert store.get(TOOL.key) is None
    assert there(store) == ["tools"]


def test_many_who_come_first_at_once_all_succeed(tmp_path: Path) -> None:
    start, failed = threading.Barrier(4), list[Exception]()

    def work(number: int) -> None:
        with opened(tmp_path) as store:  # a connection of its own, as another process has it
            start.wait()
            try:
                store.put_new(Tool(id=f"t{number}"))
            except Exception as error:  # noqa: BLE001 - compared below
                failed.append(error)

    crowd = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    with opened(tmp_path) as store:
        assert (failed, len(list(store.scan(Tool)))) == ([], 4)


class Overtaken(Embedded):
    """A database in which another process creates the table right after the first call."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return super().call(operation, request)
        except ResourceNotFoundException:
            Store(Embedded(self._engine), secret=Secret("s" * 32)).create(TOOLS)
            raise


def test_a_table_that_another_process_created_meanwhile_is_used() -> None:
    overtaken = Store(Overtaken(Engine(None)), secret=Secret("s" * 32))
    with overtaken.creating(lambda: (TOOLS,)) as store:
        store.put_new(TOOL)
        assert store.get(TOOL.key) == TOOL


class WriteProtected(Embedded):
    """A database in which nobody may create a table."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == "CreateTable":
            raise StoreReadOnly("the folder is write-protected")
        return super().call(operation, request)


def test_where_creating_fails_the_missing_table_is_told_and_why() -> None:
    driver = WriteProtected(Engine(None))
    with Store(driver, secret=Secret("s" * 32)).creating(lambda: (TOOLS,)) as store:
        with pytest.raises(TableMissing, match=r"tools does not exist .* write-protected") as told:
            store.get(TOOL.key)
        assert isinstance(told.value.__cause__, ResourceNotFoundException)


def test_elsewhere_nothing_is_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_aws(monkeypatch, tmp_path)
    with (
        Engine(None) as engine,
        background_server(engine) as url,
        Store(Aws(url), secret=Secret("s" * 32)).creating(lambda: (TOOLS,)) as store,
    ):
        with pytest.raises(TableMissing, match="Create it, or set its name"):
            store.put_new(TOOL)
        assert there(store) == []
