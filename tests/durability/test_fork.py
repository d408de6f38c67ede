"""A fork: the child has connections of its own, and the parent's are left alone.

Each test is a small program, because a test run with its threads is no place to fork in.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gotgan.store.engine import Client
from tests.contract.tables import Table, everything
from tests.durability.invariants import check_file
from tests.house.repository import ROOT

_PROGRAM = """
import os, sys, threading, traceback
from gotgan.store.engine import connect
from tests.contract.tables import Table, everything
from tests.durability.crowd import at_once, restless

def in_a_child(work):
    pid = os.fork()
    if pid:
        assert os.waitpid(pid, 0)[1] == 0, "the child failed"
        return
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)

client = connect(None if sys.argv[1] == "memory" else sys.argv[1], synchronous="normal")
table = Table(client, sys.argv[2])
"""


def _run(program: str, path: Path | str, table: str) -> None:
    command = [sys.executable, "-c", _PROGRAM + program, str(path), table]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_parent_and_child_both_write_and_read(table: Table, path: Path) -> None:
    program = """
table.put(pk="before")
def work():
    assert table.get(pk="before") == {"pk": "before"}
    for number in range(50):
        table.put(pk=f"child-{number}")
in_a_child(work)
for number in range(50):
    table.put(pk=f"parent-{number}")
assert len(everything(table.scan)) == 101
client.close()
"""
    _run(program, path, table.name)
    assert len(everything(table.scan)) == 101
    check_file(path)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files can be listed on Linux")
def test_a_child_opens_the_file_for_itself(table: Table, path: Path) -> None:
    program = """
def opened():
    numbers = os.listdir("/proc/self/fd")
    named = [f"/proc/self/fd/{number}" for number in numbers]
    return sum(os.path.realpath(each) == os.path.realpath(sys.argv[1]) for each in named)
table.put(pk="before")
def work():
    inherited = opened()
    table.put(pk="child")
    assert opened() == inherited + 1, "the child wrote on the parent's connection"
    table.get(pk="child")
    assert opened() == inherited + 2, "the child read on the parent's connection"
table.get(pk="before")
in_a_child(work)
"""
    _run(program, path, table.name)


@pytest.mark.parametrize("attempt", range(3))
def test_the_threads_of_a_child_share_the_childs_own_connections(
    table: Table, path: Path, attempt: int
) -> None:
    program = f"""
table.put(pk="before")
def put_and_get(number):
    table.put(pk=f"{attempt}-{{number}}")
    assert table.get(pk="before")
def work():
    with restless():
        at_once([lambda number=number: put_and_get(number) for number in range(8)])
for _ in range(8):
    in_a_child(work)
    assert len(everything(table.scan)) == 9
    table.put(pk="before")
"""
    _run(program, path, table.name)
    assert len(everything(table.scan)) == 9


def test_a_child_that_closes_the_store_does_not_close_the_parents(table: Table, path: Path) -> None:
    program = """
table.put(pk="before")
in_a_child(client.close)
table.put(pk="after")
assert len(everything(table.scan)) == 2
"""
    _run(program, path, table.name)
    assert len(everything(table.scan)) == 2
    check_file(path)


def test_a_fork_during_a_write_of_another_thread_leaves_the_child_free(
    table: Table, path: Path
) -> None:
    program = """
from gotgan.store.engine.database import Database
inside, done = threading.Event(), threading.Event()
original = Database._commit
def slowly(self, batch):
    inside.set()
    done.wait()
    original(self, batch)
Database._commit = slowly
writer = threading.Thread(target=table.put, kwargs={"pk": "parent"})
writer.start()
inside.wait()
Database._commit = original
in_a_child(lambda: table.put(pk="child"))
done.set()
writer.join()
assert len(everything(table.scan)) == 2
"""
    _run(program, path, table.name)
    assert len(everything(table.scan)) == 2


def test_a_child_of_a_store_in_memory_keeps_a_copy(client: Client) -> None:
    del client
    program = """
from tests.contract.tables import create_table
create_table(client, name=table.name).put(pk="before")
def work():
    assert table.get(pk="before") == {"pk": "before"}
    table.put(pk="childs own")
in_a_child(work)
assert everything(table.scan) == [{"pk": "before"}]
"""
    _run(program, "memory", "in-memory")
