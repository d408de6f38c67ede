"""A load puts every line into the table, says what became of it, and loses none."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import BadDump, StoreUnreachable, UsageError
from gotgan.store.data.dump import dump
from gotgan.store.data.item_json import to_lines
from gotgan.store.data.load import LoadCounts, load
from gotgan.store.data.load_sources import source_at
from gotgan.store.data.progress import TransferProgress
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.contract.tables import Index
from tests.unit.store.data.tables import (
    VARIED,
    Counting,
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


class Stingy(Counting):
    """Does at most seven writes of a batch, and sometimes none."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation != "BatchWriteItem":
            return super().call(operation, request)
        [(table, puts)] = request["RequestItems"].items()
        done = 0 if self.counted[operation] % 3 == 1 else 7
        if done == 0:
            self.counted[operation] += 1
            return {"UnprocessedItems": {table: puts}}
        answer = super().call(operation, request | {"RequestItems": {table: puts[:done]}})
        return answer | ({"UnprocessedItems": {table: puts[done:]}} if puts[done:] else {})


class Forgetful(Counting):
    """Carries out the first try of every put, and loses its answer."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().call(operation, request)
        if operation == "PutItem" and self.counted[operation] % 2:
            lost = StoreUnreachable("the answer was lost")
            lost.maybe_done = True
            raise lost
        return answer


@pytest.mark.parametrize("overwrite", [False, True])
def test_it_is_the_same_over_http(engine: Engine, tmp_path: Path, overwrite: bool) -> None:
    driver = patient(Embedded(engine))
    fill(driver, make(driver, "old"), [*VARIED, *numbered(60)])
    dump(driver, "old", tmp_path / "out")
    make(driver, "new")
    with background_server(engine) as url:
        remote = Aws(url, "eu-west-1")
        load(patient(remote), "new", source_at(tmp_path / "out"), overwrite=overwrite)
        remote.close()
    assert everything(driver, "new") == everything(driver, "old")


def test_what_is_there_stays_as_it_is_unless_overwriting_was_asked_for(
    driver: RetryingDriver, tmp_path: Path
) -> None:
    mine = {**numbered(1)[0], "text": {"S": "mine"}}
    fill(driver, make(driver, "things"), [mine])
    source = source_at(write_lines(tmp_path / "in.json", numbered(3)))
    assert load(driver, "things", source).counts == LoadCounts(read=3, new=2, duplicates=1)
    assert mine in everything(driver, "things")
    assert load(driver, "things", source, overwrite=True).counts == LoadCounts(read=3, written=3)
    assert everything(driver, "things") == in_order(numbered(3))


@pytest.mark.parametrize(("overwrite", "kept"), [(False, "first"), (True, "last")])
def test_of_lines_with_one_key_the_right_one_counts(
    driver: RetryingDriver, tmp_path: Path, overwrite: bool, kept: str
) -> None:
    key = {"pk": {"S": "a"}, "sk": {"N": "1.0"}}
    same = {"pk": {"S": "a"}, "sk": {"N": "1"}}
    middle = [same | {"text": {"S": f"no. {n}"}} for n in range(60)]
    lines = [key | {"text": {"S": "first"}}, *middle, same | {"text": {"S": "last"}}]
    source = source_at(write_lines(tmp_path / "in.json", lines))
    done = load(driver, make(driver, "things", "pk:S sk:N"), source, overwrite=overwrite)
    [item] = everything(driver, "things")
    assert item["text"] == {"S": kept}
    assert (done.counts.read, done.counts.duplicates) == (62, 61)


def test_batches_are_full_and_what_they_leave_undone_is_sent_again(
    engine: Engine, tmp_path: Path
) -> None:
    stingy = Stingy(engine)
    make(stingy, "things")
    source = source_at(write_lines(tmp_path / "in.json", numbered(100)))
    done = load(patient(stingy), "things", source, overwrite=True)
    assert done.counts.written == 100
    assert everything(stingy, "things") == in_order(numbered(100))


def test_overwriting_takes_one_call_for_25_items(engine: Engine, tmp_path: Path) -> None:
    counting = Counting(engine)
    make(counting, "things")
    source = source_at(write_lines(tmp_path / "in.json", numbered(100)))
    load(patient(counting), "things", source, overwrite=True)
    assert counting.counted["BatchWriteItem"] == 4
    assert counting.counted["PutItem"] == 0


def test_a_batch_never_passes_what_aws_takes_at_once(engine: Engine, tmp_path: Path) -> None:
    counting = Counting(engine)
    make(counting, "things", "pk:S")
    text = {"S": "\x01" * 400_000}  # in JSON each of these takes six bytes
    lines = [{"pk": {"S": str(n)}, "text": text} for n in range(12)]
    source = source_at(write_lines(tmp_path / "in.json", lines))
    load(patient(counting), "things", source, overwrite=True)
    assert counting.counted["BatchWriteItem"] >= 3
    assert len(everything(counting, "things")) == 12


def test_a_database_that_takes_nothing_any_more_is_an_error_that_may_pass(
    engine: Engine, tmp_path: Path
) -> None:
    class Closed(Embedded):
        def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
            if operation == "BatchWriteItem":
                return {"UnprocessedItems": request["RequestItems"]}
            return super().call(operation, request)

    make(Embedded(engine), "things")
    source = source_at(write_lines(tmp_path / "in.json", numbered(3)))
    with pytest.raises(StoreUnreachable, match="Repeat the command"):
        load(patient(Closed(engine)), "things", source, overwrite=True)


def test_a_put_whose_answer_was_lost_is_new_and_no_duplicate(
    engine: Engine, tmp_path: Path
) -> None:
    forgetful = Forgetful(engine)
    forgetful.parallel = 1
    make(forgetful, "things")
    source = source_at(write_lines(tmp_path / "in.json", numbered(10)))
    done = load(patient(forgetful), "things", source)
    assert done.counts == LoadCounts(read=10, new=10)


def test_many_duplicates_are_looked_up_before_they_are_written(
    engine: Engine, tmp_path: Path
) -> None:
    counting = Counting(engine)
    fill(counting, make(counting, "things"), numbered(2000))
    counting.counted.clear()
    counting.parallel = 1
    source = source_at(write_lines(tmp_path / "in.json", numbered(2000)))
    done = load(patient(counting), "things", source)
    assert done.counts == LoadCounts(read=2000, duplicates=2000)
    assert counting.counted["PutItem"] == 100  # only the first window was tried blindly
    assert done.cost.writes == 100
    assert done.cost.reads > 0


def test_the_cost_of_a_load_is_that_of_its_writes(driver: RetryingDriver, tmp_path: Path) -> None:
    table = make(driver, "things", gsi=[Index("by_text", "text:S")])
    done = load(driver, table, source_at(write_lines(tmp_path / "in.json", numbered(10))))
    assert done.cost.writes == 20  # one for the table and one for the index, each
    again = load(driver, table, source_at(tmp_path / "in.json"))
    assert again.cost.writes == 10  # a failed condition is billed too


def test_it_says_how_far_it_has_come(engine: Engine, tmp_path: Path) -> None:
    slow = patient(Embedded(engine))
    slow.parallel = 1
    make(slow, "things")
    path = write_lines(tmp_path / "in.json", numbered(250))
    told: list[TransferProgress] = []
    load(slow, "things", source_at(path), on_progress=told.append)
    assert [each.items for each in told] == [100, 200, 250]
    assert told[-1].bytes == path.stat().st_size


BAD = {
    "not json": (b"{oops", "not JSON"),
    "a list": (b"[]", "is of type list"),
    "a bare item": (b'{"pk": {"S": "a"}, "sk": {"S": "b"}}', "has 'pk', 'sk'"),
    "a change": (b'{"Keys": {}, "NewImage": {}}', "has 'Keys', 'NewImage'"),
    "no such type": (b'{"Item": {"pk": {"X": "a"}}}', "cannot be stored"),
    "two types": (b'{"Item": {"pk": {"S": "a", "N": "1"}}}', "more than one"),
    "a plain value": (b'{"Item": {"pk": "a"}}', "cannot be stored"),
    "no number": (b'{"Item": {"pk": {"S": "a"}, "n": {"N": "many"}}}', "numeric"),
    "no base64": (b'{"Item": {"pk": {"S": "a"}, "b": {"B": "%%"}}}', "not base64"),
    "deep no base64": (b'{"Item": {"a": {"L": [{"M": {"b": {"BS": [1]}}}]}}}', "not base64"),
    "no item": (b'{"Item": 5}', "cannot be stored"),
    "not utf-8": (b'{"Item": {"pk": {"S": "\xff"}}}', "not JSON"),
    "no sort key": (b'{"Item": {"pk": {"S": "a"}}}', "no sk"),
    "another type of key": (b'{"Item": {"pk": {"S": "a"}, "sk": {"N": "1"}}}', "of type N"),
    "an empty key": (b'{"Item": {"pk": {"S": ""}, "sk": {"S": "a"}}}', "is empty"),
    "too large": (
        b'{"Item": {"pk": {"S": "a"}, "sk": {"S": "a"}, "t": {"S": "%s"}}}' % (b"x" * 410_000),
        "size",
    ),
    "a key too long": (
        b'{"Item": {"pk": {"S": "%s"}, "sk": {"S": "a"}}}' % (b"x" * 2049),
        "2048",
    ),
}


ONLY_THE_DATABASE_SEES = {"too large", "a key too long"}


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_line_is_named_and_the_load_ends_there(
    driver: RetryingDriver, tmp_path: Path, kind: str, overwrite: bool
) -> None:
    raw, said = BAD[kind]
    before, after = to_lines(numbered(3)), to_lines(numbered(9)[3:])
    (tmp_path / "in.json").write_bytes(before + b"\n" + raw + b"\n" + after)
    make(driver, "things")
    with pytest.raises(BadDump, match=r"line 5 of in\.json") as caught:
        load(driver, "things", source_at(tmp_path / "in.json"), overwrite=overwrite)
    assert said.lower() in str(caught.value).lower()
    assert len(str(caught.value)) < 500
    loaded = numbered(9 if kind in ONLY_THE_DATABASE_SEES else 3)
    assert everything(driver, "things") == in_order(loaded)


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_line_can_be_put_aside_as_it_is(
    driver: RetryingDriver, tmp_path: Path, kind: str
) -> None:
    raw = BAD[kind][0]
    lines = to_lines(numbered(3)) + raw + b"\n" + to_lines(numbered(6)[3:])
    (tmp_path / "in.json").write_bytes(lines)
    make(driver, "things")
    source, aside = source_at(tmp_path / "in.json"), tmp_path / "bad.json"
    done = load(driver, "things", source, bad_lines=aside)
    assert done.counts == LoadCounts(read=7, new=6, failed=1)
    assert aside.read_bytes() == raw + b"\n"
    assert everything(driver, "things") == in_order(numbered(6))


def test_bad_lines_are_never_written_over_another_file(
    driver: RetryingDriver, tmp_path: Path
) -> None:
    (tmp_path / "letter").write_text("dear friend")
    source = source_at(write_lines(tmp_path / "in.json", numbered(3)))
    with pytest.raises(UsageError, match="new file"):
        load(driver, make(driver, "things"), source, bad_lines=tmp_path / "letter")
    assert (tmp_path / "letter").read_text() == "dear friend"


def test_an_item_that_an_index_refuses_is_named(driver: RetryingDriver, tmp_path: Path) -> None:
    table = make(driver, "things", gsi=[Index("by_rank", "rank:N")])
    lines = [*numbered(30), {**numbered(31)[30], "rank": {"S": "first"}}]
    source = source_at(write_lines(tmp_path / "in.json", lines))
    for overwrite in (False, True):
        with pytest.raises(BadDump, match=r"line 31 .* rank"):
            load(driver, table, source, overwrite=overwrite)
    assert everything(driver, table) == in_order(numbered(30))


def test_a_line_without_an_end_is_loaded_too(driver: RetryingDriver, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_bytes(to_lines(numbered(3)).rstrip(b"\n"))
    done = load(driver, make(driver, "things"), source_at(tmp_path / "in.json"))
    assert done.counts.new == 3


def test_a_line_without_measure_is_refused_before_it_fills_the_memory(
    driver: RetryingDriver, tmp_path: Path
) -> None:
    (tmp_path / "in.json.gz").write_bytes(gzip.compress(b"x" * (40 << 20), 1))
    with pytest.raises(BadDump, match=r"line 1 of .* has more than"):
        load(driver, make(driver, "things"), source_at(tmp_path / "in.json.gz"))


def test_two_loads_at_once_share_the_work(engine: Engine, tmp_path: Path) -> None:
    make(Embedded(engine), "things")
    paths = [write_lines(tmp_path / f"{n}.json", numbered(400)) for n in range(2)]
    with ThreadPoolExecutor(2) as pool:
        done = list(
            pool.map(lambda path: load(patient(Embedded(engine)), "things", source_at(path)), paths)
        )
    assert sum(each.counts.new for each in done) == 400
    assert sum(each.counts.duplicates for each in done) == 400
    assert everything(Embedded(engine), "things") == in_order(numbered(400))
