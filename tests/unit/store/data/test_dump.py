"""A dump is every item of a table exactly once, whatever happens while it is made."""

from __future__ import annotations

import gzip
import io
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from gotgan.errors import BadDump, StoreUnreachable, UsageError
from gotgan.store.data.atomic_files import lock_file
from gotgan.store.data.dump import dump, dump_to_stream
from gotgan.store.data.dump_manifest import DumpManifest, Layout
from gotgan.store.data.item_json import parse_line, to_lines
from gotgan.store.data.progress import TransferProgress
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.unit.store.data.killed import run_and_kill
from tests.unit.store.data.tables import (
    VARIED,
    Item,
    Narrow,
    everything,
    fill,
    in_order,
    make,
    numbered,
)
from tests.unit.store.engine.attributes import any_item


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(None) as engine:
        yield engine


@pytest.fixture
def driver(engine: Engine) -> Narrow:
    return Narrow(engine)


def lines_in(target: Path) -> list[bytes]:
    """Every line of a dump, whichever part it is in."""
    layout = Layout.at(target)
    manifest = DumpManifest.read(layout.manifest)
    found: list[bytes] = []
    for part in manifest.parts:
        raw = layout.path(part).read_bytes()
        text = gzip.decompress(raw) if part.file.endswith(".gz") else raw
        found += text.splitlines(keepends=True)
    return found


def dumped(target: Path) -> list[dict[str, Any]]:
    return in_order(parse_line(line) for line in lines_in(target))


class Failing(Narrow):
    """Fails at the fifth page, once."""

    pages = 0

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == "Scan":
            self.pages += 1
            if self.pages == 5:
                raise StoreUnreachable("gone for now")
        return super().call(operation, request)


def test_a_line_is_what_an_export_of_aws_has() -> None:
    item: Item = {
        "pk": {"S": "곳간"},
        "n": {"N": "1.50"},
        "b": {"B": b"\x00\xff"},
        "s": {"BS": [b"a"]},
    }
    line = '{"Item":{"pk":{"S":"곳간"},"n":{"N":"1.50"},"b":{"B":"AP8="},"s":{"BS":["YQ=="]}}}\n'
    assert to_lines([item]).decode() == line


@given(item=any_item)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_item_comes_back_from_its_line_as_the_database_keeps_it(item: dict[str, Any]) -> None:
    kept = parse_line(to_lines([item]))
    assert parse_line(to_lines([kept])) == kept
    assert kept.keys() == item.keys()


@pytest.mark.parametrize("segments", [1, 3, None])
@pytest.mark.parametrize("compress", [False, True])
def test_a_folder_holds_every_item_once(
    driver: Narrow, tmp_path: Path, segments: int | None, compress: bool
) -> None:
    table = make(driver, "things")
    fill(driver, table, [*VARIED, *numbered(200)])
    done = dump(driver, table, tmp_path / "out", segments=segments, compress=compress)
    assert dumped(tmp_path / "out") == everything(driver, table)
    assert done.items == len(VARIED) + 200
    assert len(DumpManifest.read(tmp_path / "out" / "manifest.json").parts) == (segments or 4)


@pytest.mark.parametrize("name", ["out.json", "out.jsonl", "out.json.gz"])
def test_a_name_that_ends_like_a_file_makes_one_file(
    driver: Narrow, tmp_path: Path, name: str
) -> None:
    table = make(driver, "things")
    fill(driver, table, numbered(60))
    dump(driver, table, tmp_path / name)
    raw = (tmp_path / name).read_bytes()
    assert raw.startswith(b"\x1f\x8b" if name.endswith(".gz") else b'{"Item":')
    assert dumped(tmp_path / name) == everything(driver, table)


def test_other_programs_can_unpack_it(driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things")
    fill(driver, table, numbered(60))
    dump(driver, table, tmp_path / "out.json.gz")
    unpacked = subprocess.run(
        ["gzip", "-dc", str(tmp_path / "out.json.gz")], capture_output=True, check=True
    )
    assert len(unpacked.stdout.splitlines()) == 60


def test_an_empty_table_makes_an_empty_dump_that_can_be_unpacked(
    driver: Narrow, tmp_path: Path
) -> None:
    table = make(driver, "things")
    done = dump(driver, table, tmp_path / "out.json.gz")
    assert done.items == 0
    assert gzip.decompress((tmp_path / "out.json.gz").read_bytes()) == b""
    assert DumpManifest.read(tmp_path / "out.json.gz.manifest.json").done


def test_it_is_the_same_over_http(engine: Engine, driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things")
    fill(driver, table, [*VARIED, *numbered(50)])
    with background_server(engine) as url:
        remote = Aws(url, "eu-west-1")
        dump(remote, table, tmp_path / "out", compress=True)
        remote.close()
    assert dumped(tmp_path / "out") == everything(driver, table)


def test_a_stream_gets_every_item_and_nothing_else(driver: Narrow) -> None:
    table = make(driver, "things")
    fill(driver, table, [*VARIED, *numbered(60)])
    stream = io.BytesIO()
    done = dump_to_stream(driver, table, stream)
    lines = stream.getvalue().splitlines(keepends=True)
    assert in_order(map(parse_line, lines)) == everything(driver, table)
    assert (done.items, done.bytes) == (len(lines), len(stream.getvalue()))


def test_it_says_what_it_cost_and_how_far_it_has_come(driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things")
    fill(driver, table, numbered(100))
    told: list[TransferProgress] = []
    done = dump(driver, table, tmp_path / "out.json", on_progress=told.append)
    assert [each.items for each in told] == [20, 40, 60, 80, 100, 100]
    assert told[-1].bytes == done.bytes == (tmp_path / "out.json").stat().st_size
    assert done.cost == told[-1].cost
    assert done.cost.reads == sum(line.reads for line in done.cost.lines) > 0
    twice = dump(driver, table, tmp_path / "again.json", consistent=True)
    assert twice.cost.reads == 2 * done.cost.reads


def test_a_dump_that_failed_goes_on_where_it_was(engine: Engine, tmp_path: Path) -> None:
    driver = Failing(engine)
    table = make(driver, "things")
    fill(driver, table, numbered(200))
    target = tmp_path / "out.json"
    with pytest.raises(StoreUnreachable):
        dump(driver, table, target)
    asked: list[TransferProgress] = []
    done = dump(driver, table, target, on_progress=asked.append)
    assert done.resumed == 80
    assert asked[-1].items == 120
    assert dumped(target) == everything(driver, table)


def test_when_one_segment_fails_the_others_stop_and_nothing_is_lost(
    engine: Engine, tmp_path: Path
) -> None:
    driver = Failing(engine)
    table = make(driver, "things")
    fill(driver, table, numbered(1400))
    with pytest.raises(StoreUnreachable):
        dump(driver, table, tmp_path / "out", segments=3)
    begun = DumpManifest.read(tmp_path / "out" / "manifest.json")
    assert not begun.done
    assert begun.items < 300  # the others stopped after the page that they were at
    dump(driver, table, tmp_path / "out")
    assert dumped(tmp_path / "out") == everything(driver, table)


@pytest.mark.parametrize("name", ["out", "out.json", "out.json.gz"])
def test_killed_again_and_again_it_ends_with_every_item_once(tmp_path: Path, name: str) -> None:
    database, target = tmp_path / "db", tmp_path / name
    with Engine(database, synchronous="normal") as engine:
        table = make(Embedded(engine), "things")
        fill(Embedded(engine), table, numbered(700))
    chance = random.Random(name)
    for _ in range(3):
        run_and_kill(chance, "dump", database, table, target)
    with Engine(database) as engine:
        driver = Embedded(engine)
        done = dump(driver, table, target)
        assert 0 < done.resumed < done.items
        assert dumped(target) == everything(driver, table)


def test_what_a_killed_process_wrote_behind_the_manifest_is_cut_off(
    engine: Engine, tmp_path: Path
) -> None:
    driver = Failing(engine)
    table = make(driver, "things")
    fill(driver, table, numbered(120))
    target = tmp_path / "out.json"
    with pytest.raises(StoreUnreachable):
        dump(driver, table, target)
    with target.open("ab") as file:
        file.write(b'{"Item":{"pk":{"S":"half a li' * 10_000)
    dump(driver, table, target)
    assert dumped(target) == everything(driver, table)


def test_a_part_that_lost_its_end_is_noticed(engine: Engine, tmp_path: Path) -> None:
    driver = Failing(engine)
    table = make(driver, "things")
    fill(driver, table, numbered(120))
    with pytest.raises(StoreUnreachable):
        dump(driver, table, tmp_path / "out.json")
    (tmp_path / "out.json").write_bytes(b"")
    with pytest.raises(BadDump, match="shorter"):
        dump(driver, table, tmp_path / "out.json")


@pytest.mark.parametrize("name", ["out", "out.json"])
def test_a_complete_dump_is_never_written_over(driver: Narrow, tmp_path: Path, name: str) -> None:
    table = make(driver, "things")
    fill(driver, table, numbered(10))
    dump(driver, table, tmp_path / name)
    before = lines_in(tmp_path / name)
    with pytest.raises(UsageError, match="complete dump of things"):
        dump(driver, table, tmp_path / name)
    assert lines_in(tmp_path / name) == before


def test_a_begun_dump_of_another_table_is_left_alone(engine: Engine, tmp_path: Path) -> None:
    driver = Failing(engine)
    fill(driver, make(driver, "things"), numbered(120))
    fill(driver, make(driver, "others"), numbered(120))
    with pytest.raises(StoreUnreachable):
        dump(driver, "things", tmp_path / "out")
    with pytest.raises(UsageError, match="another table, things"):
        dump(driver, "others", tmp_path / "out")


def test_a_table_that_was_made_again_is_another_table(engine: Engine, tmp_path: Path) -> None:
    driver = Failing(engine)
    fill(driver, make(driver, "things"), numbered(120))
    with pytest.raises(StoreUnreachable):
        dump(driver, "things", tmp_path / "out")
    driver.call("DeleteTable", {"TableName": "things"})
    make(driver, "things")
    with pytest.raises(UsageError, match="another table"):
        dump(driver, "things", tmp_path / "out")


def test_what_is_no_dump_is_left_alone(driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("dear friend")
    (tmp_path / "one.json").write_text("dear friend")
    for name in ("letters", "one.json"):
        with pytest.raises(UsageError, match="not an unfinished dump"):
            dump(driver, table, tmp_path / name)
    assert (tmp_path / "one.json").read_text() == "dear friend"
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["one.txt"]


def test_one_dump_at_a_time_writes_a_folder(driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things")
    (tmp_path / "out").mkdir()
    with (
        lock_file(tmp_path / "out" / "manifest.json", "a dump"),
        pytest.raises(UsageError, match="is running in another process"),
    ):
        dump(driver, table, tmp_path / "out")
    dump(driver, table, tmp_path / "out")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json", "not JSON"),
        ("{}", "not the manifest"),
        ('{"format":"gotgan-dump-1"}', "damaged"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_a_sentence(
    driver: Narrow, tmp_path: Path, content: str, said: str
) -> None:
    table = make(driver, "things")
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BadDump, match=said):
        dump(driver, table, tmp_path)


def test_a_table_that_is_not_there_is_a_sentence(driver: Narrow, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no table nowhere"):
        dump(driver, "nowhere", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_place_that_cannot_be_written_is_a_sentence(driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="Could not use"):
        dump(driver, table, tmp_path / "file" / "in")


def test_segments_that_make_no_sense_are_refused(engine: Engine, tmp_path: Path) -> None:
    driver = Failing(engine)
    table = make(driver, "things")
    fill(driver, table, numbered(200))
    with pytest.raises(UsageError, match="one segment"):
        dump(driver, table, tmp_path / "out.json", segments=2)
    with pytest.raises(UsageError, match="1 to 1,000"):
        dump(driver, table, tmp_path / "out", segments=0)
    with pytest.raises(StoreUnreachable):
        dump(driver, table, tmp_path / "out", segments=2)
    with pytest.raises(UsageError, match="started with 2 segments"):
        dump(driver, table, tmp_path / "out", segments=3)


def test_the_manifest_says_what_the_dump_is_of(driver: Narrow, tmp_path: Path) -> None:
    table = make(driver, "things", "pk:S sk:B")
    driver.call("PutItem", {"TableName": table, "Item": {"pk": {"S": "a"}, "sk": {"B": b"\xff"}}})
    dump(driver, table, tmp_path / "out", segments=1)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (manifest["table"], manifest["done"], manifest["items"]) == ("things", True, 1)
    assert manifest["keys"] == [{"name": "pk", "type": "S"}, {"name": "sk", "type": "B"}]


def test_a_key_of_bytes_survives_being_stopped(engine: Engine, tmp_path: Path) -> None:
    driver = Failing(engine)
    table = make(driver, "things", "pk:B")
    fill(driver, table, [{"pk": {"B": bytes([n, 255])}} for n in range(150)])
    with pytest.raises(StoreUnreachable):
        dump(driver, table, tmp_path / "out.json")
    dump(driver, table, tmp_path / "out.json")
    assert dumped(tmp_path / "out.json") == everything(driver, table)
