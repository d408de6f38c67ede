"""Exports to S3."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pyarrow.parquet
import pytest

from gotgan.errors import ExportError, UsageError
from gotgan.exports import ExportedDataSet, ExportSpan, export_data_set, open_target
from tests.unit.exports.goods import Goods
from tests.unit.exports.s3_server import S3, s3_server

TO = "s3://bucket/a/b/"
KEY = "a/b/goods/day=2025-10-2{}/part-0.parquet"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    with s3_server() as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.address)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield server


@pytest.fixture
def goods() -> Goods:
    return Goods({f"2025-10-2{number}": [("bowl", number)] for number in range(5)})


def export(goods: Goods, to: str = TO) -> ExportedDataSet:
    return export_data_set("shop", goods.data_set(), open_target(to), ExportSpan(), _silent)


def _silent(_done: int, _total: int, _last: str) -> None:
    """Show nothing."""


def test_objects_are_written_once_and_again_when_they_change(s3: S3, goods: Goods) -> None:
    assert (export(goods).written, len(s3.objects)) == (5, 6)
    assert "a/b/goods/_gotgan.json" in s3.objects
    s3.requests.clear()
    assert (export(goods).written, export(goods).unchanged) == (0, 5)
    assert {method for method, _ in s3.requests} == {"GET"}
    goods.days["2025-10-20"] = [("cup", 9)]
    assert (export(goods).written, export(goods).unchanged) == (1, 5)
    table = pyarrow.parquet.read_table(io.BytesIO(s3.objects[KEY.format(0)]))
    assert table.to_pylist() == [{"name": "cup", "price": 9}]


def test_an_object_that_another_export_wrote_is_written_again(s3: S3, goods: Goods) -> None:
    export(goods)
    s3.objects[KEY.format(0)] = s3.objects[KEY.format(1)]
    assert (export(goods).written, export(goods).unchanged) == (1, 5)


def test_objects_without_rows_are_deleted(s3: S3, goods: Goods) -> None:
    goods.forgets = True
    export(goods, "s3://bucket")
    del goods.days["2025-10-20"]
    assert export(goods, "s3://bucket").removed == 1
    assert len([key for key in s3.objects if key.startswith("goods/day=")]) == 4


@pytest.mark.usefixtures("s3")
def test_a_bucket_that_does_not_exist_is_named(goods: Goods) -> None:
    with pytest.raises(ExportError, match=r"s3://nowhere: .*NoSuchBucket"):
        export(goods, "s3://nowhere")


def test_a_server_that_refuses_is_named(
    s3: S3, goods: Goods, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "no address")
    with pytest.raises(ExportError, match="Could not export to s3://bucket/a/b"):
        export(goods)
    assert s3.requests == []


def test_addresses_that_are_neither_are_refused() -> None:
    with pytest.raises(UsageError, match="names no bucket"):
        open_target("s3://")
    with pytest.raises(UsageError, match="Cannot export to gs://bucket"):
        open_target("gs://bucket")
