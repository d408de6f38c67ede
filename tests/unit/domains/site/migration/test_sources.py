from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from gotgan.domains.site.migration import OldFile, OldTable, Sources
from gotgan.domains.site.migration.sources import OldRows
from gotgan.errors import BadDump, UsageError
from gotgan.store import Store
from gotgan.store.attributes import decode_item
from gotgan.store.data.dump import dump
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import Row, write_lines

ROWS = list(old_tables.posts(550, list(old_tables.categories(3))))


def by_id(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: str(row["postId"]))


def read(rows: OldRows, start: Any = None) -> list[Row]:
    return [decode_item(row.item) for batch in rows.batches(start) for row in batch.rows]


def stored(rows: list[Row]) -> list[Row]:
    """Rows as DynamoDB gives them back: numbers with fractions are decimals."""
    return [json.loads(json.dumps(row, default=float)) for row in rows]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gotgan.domains.site.migration.sources.BATCH_ROWS", 150)


@pytest.fixture
def table(store: Store) -> OldTable:
    site = old_tables.make(count=1)
    site.posts = ROWS
    old_tables.tables(store, site)
    return OldTable(store, "fm_posts")


def test_a_table_is_read_to_the_end_however_many_pages_it_has(table: OldTable) -> None:
    assert by_id(stored(read(table))) == by_id(ROWS)


@pytest.mark.parametrize("typed", [True, False])
def test_a_file_of_lines_is_read_whichever_way_it_is_written(tmp_path: Path, typed: bool) -> None:
    path = write_lines(tmp_path / "posts.jsonl", ROWS, typed=typed)
    assert stored(read(OldFile(path))) == ROWS
    packed = tmp_path / "posts.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert stored(read(OldFile(packed))) == ROWS


def test_a_file_with_types_but_without_envelopes_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('{"postId": {"S": "a"}, "views": {"N": "1.50"}}\n\n', encoding="utf-8")
    [batch] = OldFile(path).batches()
    assert batch.rows[0].item == {"postId": {"S": "a"}, "views": {"N": "1.5"}}


def test_a_dump_is_read(table: OldTable, tmp_path: Path) -> None:
    dump(table.store.calls.driver, "fm_posts", tmp_path / "dump", segments=3, compress=True)
    assert by_id(stored(read(OldFile(tmp_path / "dump")))) == by_id(ROWS)


def test_an_export_of_aws_is_read_and_must_be_whole(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    files = []
    for name, rows in (("a", ROWS[:300]), ("b", ROWS[300:])):
        path = write_lines(tmp_path / "data" / f"{name}.json", rows, typed=True)
        packed = gzip.compress(path.read_bytes())
        path.unlink()
        path.with_suffix(".json.gz").write_bytes(packed)
        checksum = hashlib.md5(packed, usedforsecurity=False).hexdigest()
        key = f"AWSDynamoDB/1/data/{name}.json.gz"
        files.append({"itemCount": len(rows), "md5Checksum": checksum, "dataFileS3Key": key})
    summary = {"outputFormat": "DYNAMODB_JSON", "exportType": "FULL_EXPORT"}
    (tmp_path / "manifest-summary.json").write_text(json.dumps(summary))
    (tmp_path / "manifest-files.json").write_text("\n".join(map(json.dumps, files)))
    assert stored(read(OldFile(tmp_path))) == ROWS
    files[0]["itemCount"] = 301
    (tmp_path / "manifest-files.json").write_text("\n".join(map(json.dumps, files)))
    with pytest.raises(BadDump, match="301"):
        read(OldFile(tmp_path))


def test_a_folder_of_files_without_a_manifest_is_read_in_the_order_of_their_names(
    tmp_path: Path,
) -> None:
    write_lines(tmp_path / "2.jsonl", ROWS[100:])
    write_lines(tmp_path / "1.json", ROWS[:100], typed=True)
    (tmp_path / "README").write_text("not a row")
    assert stored(read(OldFile(tmp_path))) == ROWS


def test_reading_goes_on_behind_any_batch(table: OldTable, tmp_path: Path) -> None:
    write_lines(tmp_path / "1.jsonl", ROWS[:100])
    write_lines(tmp_path / "2.jsonl", ROWS[100:])
    for rows in (table, OldFile(tmp_path)):
        batches = list(rows.batches())
        assert len(batches) >= 3
        for number, batch in enumerate(batches):
            rest = [row for later in batches[number + 1 :] for row in later.rows]
            place = json.loads(json.dumps(batch.behind))
            assert [row for later in rows.batches(place) for row in later.rows] == rest


def test_a_line_that_is_no_row_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    path.write_text('{"postId": "a"}\n[1]\n{"postId": \n{"x": {"y": 1}}\n', encoding="utf-8")
    [batch] = OldFile(path).batches()
    assert [bool(row.trouble) for row in batch.rows] == [False, True, True, False]
    assert batch.rows[1].place == "line 2 of posts.jsonl"


def test_how_much_is_read_can_be_told(table: OldTable, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "posts.jsonl", ROWS)
    for rows in (table, OldFile(path)):
        shares = [batch.share for batch in rows.batches()]
        assert shares == sorted(shares, key=lambda share: share or 0.0)
        assert shares[-1] == 1.0


@pytest.mark.parametrize("word", ["missing.jsonl", "missing.gz", "folder/missing", "./missing"])
def test_a_path_that_is_not_there_is_refused(store: Store, word: str) -> None:
    with pytest.raises(UsageError, match="There is no"):
        Sources.named(store, posts=word)


def test_a_word_that_is_no_path_is_a_table(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no table fm_posts"):
        Sources.named(store, posts="fm_posts")
    Path("fm_posts").touch()
    assert isinstance(Sources.named(store, posts="fm_posts").posts, OldFile)


def test_a_file_that_was_changed_has_another_fingerprint_and_the_same_identity(
    tmp_path: Path,
) -> None:
    path = write_lines(tmp_path / "posts.jsonl", ROWS[:5])
    before = OldFile(path)
    identity, fingerprint = before.identity, before.fingerprint
    write_lines(path, ROWS[:6])
    assert OldFile(path).identity == identity
    assert OldFile(path).fingerprint != fingerprint
