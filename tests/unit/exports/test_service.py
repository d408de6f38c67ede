"""Data sets as files: what is written, what is kept, and what interrupts."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest

from gotgan.errors import Conflict, ExportError, UsageError
from gotgan.exports import (
    Column,
    DataSet,
    ExportedDataSet,
    ExportSpan,
    FolderTarget,
    Partition,
    export_data_set,
)
from gotgan.exports.data_sets import Row
from gotgan.exports.parquet import ROW_GROUP_ROWS
from tests.unit.exports.goods import Goods

ALL_DAYS = ExportSpan()
SUNDAY, MONDAY, TUESDAY = "2025-10-19", "2025-10-20", "2025-10-21"


@pytest.fixture
def goods() -> Goods:
    return Goods({MONDAY: [("bowl", 3), ("cup", None)], TUESDAY: [("plate", 5)]})


def export(
    goods: Goods, folder: Path, span: ExportSpan = ALL_DAYS, *, domain: str = "shop"
) -> ExportedDataSet:
    return export_data_set(domain, goods.data_set(), FolderTarget(folder), span, _silent)


def _silent(_done: int, _total: int, _last: str) -> None:
    """Show nothing."""


def stored(folder: Path) -> list[tuple[str | None, int | None, date]]:
    found = duckdb.execute(
        f"SELECT name, price, day FROM read_parquet('{folder}/goods/**/*.parquet') ORDER BY name"
    )
    return found.fetchall()


def names(folder: Path) -> list[str]:
    """All files except the lock."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in found if not name.endswith(".lock"))


def test_a_day_is_a_file_and_all_are_one_table(goods: Goods, tmp_path: Path) -> None:
    report = export(goods, tmp_path)
    assert (report.written, report.unchanged, report.removed, report.rows) == (2, 0, 0, 3)
    assert names(tmp_path) == [
        "goods/_gotgan.json",
        "goods/day=2025-10-20/part-0.parquet",
        "goods/day=2025-10-21/part-0.parquet",
    ]
    files = [tmp_path / name for name in names(tmp_path)[1:]]
    assert report.written_bytes == sum(each.stat().st_size for each in files)
    assert stored(tmp_path) == [
        ("bowl", 3, date(2025, 10, 20)),
        ("cup", None, date(2025, 10, 20)),
        ("plate", 5, date(2025, 10, 21)),
    ]


def test_only_days_that_changed_are_written_again(goods: Goods, tmp_path: Path) -> None:
    export(goods, tmp_path)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in names(tmp_path)}
    goods.read.clear()
    report = export(goods, tmp_path)
    assert (report.written, report.unchanged, report.rows, report.written_bytes) == (0, 2, 3, 0)
    assert goods.read == []
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in names(tmp_path)} == before
    goods.days[TUESDAY].append(("spoon", 1))
    report = export(goods, tmp_path)
    assert (report.written, report.unchanged, report.rows) == (1, 1, 4)
    assert goods.read == [TUESDAY]
    assert len(stored(tmp_path)) == 4


def test_other_days_are_left_alone(goods: Goods, tmp_path: Path) -> None:
    goods.forgets = True
    export(goods, tmp_path)
    goods.days = {SUNDAY: [("bowl", 1)], MONDAY: [("bowl", 2)], TUESDAY: []}
    since, until = ExportSpan(since=date(2025, 10, 20)), ExportSpan(until=date(2025, 10, 19))
    report = export(goods, tmp_path, ExportSpan(date(2025, 10, 20), date(2025, 10, 20)))
    assert (report.written, report.unchanged, report.removed) == (1, 0, 0)
    assert (export(goods, tmp_path, since).written, export(goods, tmp_path, until).written) == (
        0,
        1,
    )
    with pytest.raises(UsageError, match="after the last day"):
        ExportSpan(date(2025, 10, 21), date(2025, 10, 20))


@pytest.mark.parametrize("forgets", [True, False])
def test_what_is_no_longer_stored_leaves_the_export_of_data_that_can_be_deleted(
    goods: Goods, tmp_path: Path, forgets: bool
) -> None:
    goods.forgets = forgets
    export(goods, tmp_path)
    del goods.days[MONDAY]
    assert export(goods, tmp_path).removed == forgets
    assert (len(stored(tmp_path)) == 1) == forgets
    assert (tmp_path / "goods" / f"day={MONDAY}").exists() != forgets
    assert export(goods, tmp_path).removed == 0


def test_files_that_others_wrote_are_not_deleted(goods: Goods, tmp_path: Path) -> None:
    goods.forgets = True
    export(goods, tmp_path)
    theirs = tmp_path / "goods" / f"day={SUNDAY}" / "part-0.parquet"
    theirs.parent.mkdir()
    theirs.write_bytes((tmp_path / "goods" / f"day={MONDAY}" / "part-0.parquet").read_bytes())
    export(goods, tmp_path)
    assert theirs.exists()


def test_an_interrupted_export_leaves_complete_files_and_goes_on(
    goods: Goods, tmp_path: Path
) -> None:
    goods.days[SUNDAY] = [("bowl", 1)]
    goods.stops_at = MONDAY
    with pytest.raises(KeyboardInterrupt):
        export(goods, tmp_path)
    assert names(tmp_path) == ["goods/_gotgan.json", f"goods/day={SUNDAY}/part-0.parquet"]
    goods.stops_at = None
    goods.read.clear()
    report = export(goods, tmp_path)
    assert (report.written, report.unchanged, goods.read) == (2, 1, [MONDAY, TUESDAY])


@pytest.mark.parametrize("harm", ["deleted", "cut", "manifest"])
def test_files_that_the_manifest_does_not_vouch_for_are_written_again(
    goods: Goods, tmp_path: Path, harm: str
) -> None:
    export(goods, tmp_path)
    file = tmp_path / "goods" / f"day={MONDAY}" / "part-0.parquet"
    if harm == "deleted":
        file.unlink()
    elif harm == "cut":
        file.write_bytes(file.read_bytes()[:-1])
    else:
        (tmp_path / "goods" / "_gotgan.json").unlink()
    assert export(goods, tmp_path).written == (2 if harm == "manifest" else 1)
    assert len(stored(tmp_path)) == 3


def test_files_of_an_export_that_ended_before_its_manifest_are_deleted_in_time(
    goods: Goods, tmp_path: Path
) -> None:
    goods.forgets, goods.stops_at = True, TUESDAY
    manifest = tmp_path / "goods" / "_gotgan.json"
    with pytest.raises(KeyboardInterrupt):
        export(goods, tmp_path)
    written = json.loads(manifest.read_text())
    assert [*written["files"]] == [MONDAY, TUESDAY]
    written["files"][MONDAY] = written["files"][TUESDAY]  # as it is after kill -9
    manifest.write_text(json.dumps(written))
    goods.days.clear()
    assert export(goods, tmp_path).removed == 1
    assert names(tmp_path) == ["goods/_gotgan.json"]
    assert json.loads(manifest.read_text())["files"] == {}


def test_another_column_writes_all_files_again(goods: Goods, tmp_path: Path) -> None:
    export(goods, tmp_path)
    goods.columns = (goods.columns[0], Column("price", "number"))
    assert export(goods, tmp_path).written == 2
    assert export(goods, tmp_path).unchanged == 2


def test_drafts_of_an_export_that_was_killed_are_cleared(goods: Goods, tmp_path: Path) -> None:
    left = tmp_path / "goods" / f"day={SUNDAY}" / ".part-0.parquet.draft"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half a file")
    export(goods, tmp_path)
    assert not left.exists()


def test_a_second_export_of_the_data_set_is_refused(goods: Goods, tmp_path: Path) -> None:
    target = FolderTarget(tmp_path)
    with target.lock("goods"), pytest.raises(Conflict, match="is running"):
        export(goods, tmp_path)
    with target.lock("others"):
        assert export(goods, tmp_path).written == 2


def test_two_domains_do_not_share_a_folder_by_accident(goods: Goods, tmp_path: Path) -> None:
    export(goods, tmp_path)
    with pytest.raises(Conflict, match="of the domain shop"):
        export(goods, tmp_path, domain="museum")


def test_a_manifest_that_cannot_be_read_stops_the_export(goods: Goods, tmp_path: Path) -> None:
    export(goods, tmp_path)
    (tmp_path / "goods" / "_gotgan.json").write_text(json.dumps({"domain": 1}))
    with pytest.raises(ExportError, match="Delete it"):
        export(goods, tmp_path)


def test_a_folder_that_cannot_be_written_is_named(goods: Goods, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ExportError, match="Could not export to"):
        export(goods, tmp_path / "file")


def test_a_data_set_without_days_writes_nothing(tmp_path: Path) -> None:
    assert export(Goods(), tmp_path) == ExportedDataSet("goods")
    assert names(tmp_path) == []


def test_values_that_are_no_days_are_quoted_in_paths() -> None:
    data_set = replace(Goods().data_set(), by="shop")
    assert data_set.path("a/b=c") == "goods/shop=a%2Fb%3Dc/part-0.parquet"
    assert replace(data_set, by=None).path("") == "goods/part-0.parquet"


def test_a_day_of_many_rows_needs_the_memory_of_some(tmp_path: Path) -> None:
    count, text = 100_000, "x" * 1_000

    def rows() -> Iterator[Row]:
        for number in range(count):
            yield (f"{number}{text}", number)

    def partitions(_span: ExportSpan) -> Iterator[Partition]:
        yield Partition(MONDAY, "1", partial(rows))

    huge = DataSet("goods", Goods().columns, partitions)
    tracemalloc.start()
    try:
        export_data_set("shop", huge, FolderTarget(tmp_path), ExportSpan(), _silent)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < count * len(text) / 4
    file = pyarrow.parquet.ParquetFile(tmp_path / "goods" / f"day={MONDAY}" / "part-0.parquet")
    assert file.metadata.num_rows == count
    assert file.metadata.num_row_groups == count / ROW_GROUP_ROWS
