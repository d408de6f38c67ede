"""What can be loaded: files, dumps, exports of AWS and streams; what is none of them is refused."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gotgan.errors import BadDump, UsageError
from gotgan.store.data.dump import dump
from gotgan.store.data.item_json import to_lines
from gotgan.store.data.load import LoadCounts, load
from gotgan.store.data.load_sources import source_at, stream_source
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.unit.store.data.tables import (
    VARIED,
    Counting,
    Item,
    everything,
    fill,
    in_order,
    make,
    numbered,
    patient,
    write_lines,
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(None) as engine:
        yield engine


@pytest.fixture
def driver(engine: Engine) -> RetryingDriver:
    return patient(Embedded(engine))


def export(folder: Path, items: list[Item], **summary: object) -> Path:
    """A folder as AWS writes it into a bucket."""
    (folder / "data").mkdir(parents=True)
    entries = []
    for number in range(2):
        part, name = items[number::2], f"part{number}.json.gz"
        (folder / "data" / name).write_bytes(gzip.compress(to_lines(part)))
        key = f"AWSDynamoDB/01700000000000-abcdef12/data/{name}"
        entries.append({"itemCount": len(part), "md5Checksum": "", "dataFileS3Key": key})
    (folder / "manifest-files.json").write_text("\n".join(map(json.dumps, entries)) + "\n")
    about = {"version": "2023-08-01", "outputFormat": "DYNAMODB_JSON", "itemCount": len(items)}
    (folder / "manifest-summary.json").write_text(json.dumps(about | summary))
    return folder


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("kind", ["folder", "compressed folder", "file", "gzip file", "export"])
def test_every_kind_of_source_comes_back_item_by_item(
    driver: RetryingDriver, tmp_path: Path, kind: str, overwrite: bool
) -> None:
    fill(driver, make(driver, "old"), [*VARIED, *numbered(120)])
    names = {"file": "out.json", "gzip file": "out.json.gz"}
    place = tmp_path / names.get(kind, "out")
    if kind == "export":
        export(place, everything(driver, "old"))
    else:
        dump(driver, "old", place, compress=kind.startswith("compressed"))
    done = load(driver, make(driver, "new"), source_at(place), overwrite=overwrite)
    assert everything(driver, "new") == everything(driver, "old")
    count = len(VARIED) + 120
    assert done.counts == LoadCounts(
        read=count, new=0 if overwrite else count, written=count if overwrite else 0
    )


@pytest.mark.parametrize("packed", [False, True])
def test_a_stream_can_be_loaded(driver: RetryingDriver, packed: bool) -> None:
    raw = to_lines(numbered(30))
    stream = io.BufferedReader(io.BytesIO(gzip.compress(raw) if packed else raw))
    done = load(driver, make(driver, "new"), stream_source(stream))
    assert done.counts.new == 30
    assert everything(driver, "new") == in_order(numbered(30))


@pytest.mark.parametrize("key", ["id:S", "pk:S", "pk:S sk:N", "pk:N sk:S", "sk:S pk:S"])
def test_a_dump_of_a_table_with_other_keys_is_refused_before_the_first_write(
    engine: Engine, tmp_path: Path, key: str
) -> None:
    counting = Counting(engine)
    driver = patient(counting)
    fill(driver, make(driver, "old"), numbered(10))
    dump(driver, "old", tmp_path / "out")
    make(driver, "new", key)
    counting.counted.clear()
    with pytest.raises(BadDump, match="Nothing was written"):
        load(driver, "new", source_at(tmp_path / "out"))
    assert set(counting.counted) == {"DescribeTable"}


def test_a_file_of_another_table_is_refused_at_its_first_line(
    engine: Engine, tmp_path: Path
) -> None:
    counting = Counting(engine)
    driver = patient(counting)
    make(driver, "new", "id:S")
    counting.counted.clear()
    source = source_at(write_lines(tmp_path / "in.json", numbered(10)))
    with pytest.raises(BadDump, match=r"line 1 .* no id; the key of new is id \(S\)"):
        load(driver, "new", source)
    assert set(counting.counted) == {"DescribeTable"}


@pytest.mark.parametrize("name", ["out", "out.json"])
def test_an_unfinished_dump_is_not_loaded(
    driver: RetryingDriver, tmp_path: Path, name: str
) -> None:
    fill(driver, make(driver, "things"), numbered(10))
    dump(driver, "things", tmp_path / name, segments=1)
    [manifest] = tmp_path.rglob("*manifest.json")
    manifest.write_text(manifest.read_text().replace('"done": true', '"done": false'))
    with pytest.raises(BadDump, match="not complete"):
        source_at(tmp_path / name)


@pytest.mark.parametrize(
    ("summary", "said"),
    [({"outputFormat": "ION"}, "ION"), ({"exportType": "INCREMENTAL_EXPORT"}, "full exports")],
)
def test_an_export_of_another_kind_is_refused(
    tmp_path: Path, summary: dict[str, str], said: str
) -> None:
    with pytest.raises(BadDump, match=said):
        source_at(export(tmp_path / "out", numbered(4), **summary))


def test_an_export_that_lacks_a_file_is_refused(tmp_path: Path) -> None:
    folder = export(tmp_path / "out", numbered(4))
    (folder / "data" / "part1.json.gz").unlink()
    with pytest.raises(BadDump, match=r"part1.* is missing"):
        source_at(folder)
    (folder / "manifest-summary.json").unlink()
    with pytest.raises(BadDump, match="has no manifest-summary"):
        source_at(folder)


def test_a_manifest_cannot_name_files_outside_its_folder(
    driver: RetryingDriver, tmp_path: Path
) -> None:
    fill(driver, make(driver, "things"), numbered(10))
    dump(driver, "things", tmp_path / "out", segments=1)
    write_lines(tmp_path / "secret.json", numbered(10))
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(manifest.read_text().replace("data/00000.json", "../secret.json"))
    with pytest.raises(BadDump, match="outside"):
        source_at(tmp_path / "out")


def test_a_part_with_fewer_items_than_its_manifest_says_is_noticed(
    driver: RetryingDriver, tmp_path: Path
) -> None:
    fill(driver, make(driver, "things"), numbered(10))
    dump(driver, "things", tmp_path / "out", segments=1)
    part = tmp_path / "out" / "data" / "00000.json"
    part.write_bytes(b"".join(part.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(BadDump, match="has 9 items, but its manifest says 10"):
        load(driver, make(driver, "new"), source_at(tmp_path / "out"))


def test_a_gzip_file_without_its_end_is_noticed(driver: RetryingDriver, tmp_path: Path) -> None:
    raw = gzip.compress(to_lines(numbered(500)))
    (tmp_path / "in.json.gz").write_bytes(raw[: len(raw) // 2])
    with pytest.raises(BadDump, match="damaged gzip"):
        load(driver, make(driver, "new"), source_at(tmp_path / "in.json.gz"))


def test_what_is_no_source_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        source_at(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="manifest"):
        source_at(tmp_path)
