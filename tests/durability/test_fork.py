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


def test_a_fork_that_cannot_wait_for_a_writer_leaves_the_child_without_the_file(
    table: Table, path: Path
) -> None:
    program = """
from gotgan.errors import StoreClosed
from gotgan.store.engine import database
database.FORK_TIMEOUT_S = 0.05
inside, done = threading.Event(), threading.Event()
def slowly(connection):
    inside.set()
    done.wait()
store = client.engine._context.database
writer = threading.Thread(target=store.write, args=(slowly,))
writer.start()
inside.wait()
def work():
    try:
        table.put(pk="child")
    except StoreClosed as error:
        assert "fork" in error.message
    else:
        raise AssertionError("the child wrote with its parent's locks")
in_a_child(work)
done.set()
writer.join()
table.put(pk="parent")
client.close()
"""
    _run(program, path, table.name)
    assert everything(table.scan) == [{"pk": "parent"}]


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


def test_what_a_child_wrote_stays_when_its_parent_closes_first(table: Table, path: Path) -> None:
    program = """
ready, go = os.pipe(), os.pipe()
pid = os.fork()
if not pid:
    table.put(pk="first")
    os.write(ready[1], b".")
    os.read(go[0], 1)
    for number in range(100):
        table.put(pk=str(number))
    os._exit(0)  # without closing, as a process that is killed
os.read(ready[0], 1)
client.close()
os.write(go[1], b".")
assert os.waitpid(pid, 0)[1] == 0
"""
    _run(program, path, table.name)
    assert len(everything(table.scan)) == 101
    check_file(path)


def test_a_child_that_opens_the_file_anew_is_seen_by_others(table: Table, path: Path) -> None:
    program = """
pid = os.fork()
if not pid:
    with connect(sys.argv[1], synchronous="normal") as mine:
        for number in range(50):
            Table(mine, sys.argv[2]).put(pk=str(number))
    os._exit(0)
client.close()
with connect(sys.argv[1], synchronous="normal") as other:
    Table(other, sys.argv[2]).put(pk="other")
assert os.waitpid(pid, 0)[1] == 0
"""
    _run(program, path, table.name)
    assert len(everything(table.scan)) == 51
    check_file(path)


def test_children_that_are_forked_amid_writes_and_reads_can_write(table: Table, path: Path) -> None:
    program = """
stop = threading.Event()
def hammer(name):
    number = 0
    while not stop.is_set():
        table.put(pk=f"{name}-{number % 50}")
        table.get(pk=f"{name}-{number % 50}")
        number += 1
threads = [threading.Thread(target=hammer, args=(name,)) for name in "abc"]
for thread in threads:
    thread.start()
for number in range(10):
    in_a_child(lambda: table.put(pk=f"child-{number}"))
stop.set()
for thread in threads:
    thread.join()
client.close()
"""
    _run(program, path, table.name)
    found = {item["pk"] for item in everything(table.scan)}
    assert {f"child-{number}" for number in range(10)} <= found
    check_file(path)
