"""A verb runs once at a time, tells how far it has come, and ends when the program does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextvars import copy_context
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import Conflict, FetchTimeout, GotganError, Interrupted, NotFound
from gotgan.events import emit
from gotgan.runs import ReportProgress, Run, Runs

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
SOON = 10


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def runs(clock: FixedClock) -> Iterator[Runs]:
    made = Runs(clock)
    yield made
    made.stop()
    made.join()


def test_a_run_ends_with_the_report_of_its_verb(runs: Runs) -> None:
    run = runs.wait(runs.start("news.collect", lambda _: "twelve").id, SOON)
    assert (run.state, run.report, run.error, run.verb) == ("done", "twelve", None, "news.collect")
    assert (run.started_at, run.finished_at) == (NOON, NOON)


def test_a_verb_that_is_under_way_is_joined_and_not_started_twice(runs: Runs) -> None:
    go, begun = threading.Event(), []

    def work(_: ReportProgress) -> None:
        begun.append(1)
        go.wait(SOON)

    first = runs.start("news.bodies", work)
    again = runs.start("news.bodies", work)
    other = runs.start("news.collect", lambda _: None)
    go.set()
    assert again.id == first.id != other.id
    runs.wait(first.id, SOON)
    assert begun == [1]
    assert runs.start("news.bodies", lambda _: None).id != first.id


def test_a_run_tells_how_far_it_has_come(runs: Runs) -> None:
    told, go = threading.Event(), threading.Event()

    def work(tell: ReportProgress) -> None:
        tell(3, 50, "https://example.com/a")
        told.set()
        go.wait(SOON)

    run_id = runs.start("news.bodies", work).id
    assert told.wait(SOON)
    run = runs.get(run_id)
    assert (run.state, run.done, run.total, run.last) == ("running", 3, 50, "https://example.com/a")
    assert runs.wait(run_id, 0).state == "running"
    go.set()


def test_a_verb_that_fails_leaves_its_error(runs: Runs, clock: FixedClock) -> None:
    late = FetchTimeout("it took too long")

    def work(_: ReportProgress) -> None:
        clock.advance(timedelta(seconds=7))
        raise late

    run = runs.wait(runs.start("news.collect", work).id, SOON)
    assert (run.state, run.error, run.report) == ("failed", late, None)
    assert run.finished_at == NOON + timedelta(seconds=7)


def test_a_fault_of_our_own_is_told_without_its_innards(runs: Runs) -> None:
    def work(_: ReportProgress) -> None:
        raise KeyError("innards")

    run = runs.wait(runs.start("news.collect", work).id, SOON)
    assert type(run.error) is GotganError
    assert "innards" not in run.error.message


def test_the_latest_run_of_a_verb_is_found(runs: Runs) -> None:
    assert runs.latest("news.collect") is None
    first = runs.wait(runs.start("news.collect", lambda _: 1).id, SOON)
    runs.wait(runs.start("news.bodies", lambda _: 2).id, SOON)
    assert runs.latest("news.collect") == first
    second = runs.wait(runs.start("news.collect", lambda _: 3).id, SOON)
    assert runs.latest("news.collect") == second


def test_a_run_that_nobody_knows_is_not_found(runs: Runs) -> None:
    with pytest.raises(NotFound, match="Start it again"):
        runs.get("0123")


def test_only_the_last_hundred_runs_are_kept(runs: Runs) -> None:
    ids = [runs.wait(runs.start("a.verb", lambda _: None).id, SOON).id for _ in range(120)]
    with pytest.raises(NotFound):
        runs.get(ids[0])
    assert runs.get(ids[30]).state == "done"


def test_the_last_run_of_a_verb_is_kept_however_many_others_there_are(runs: Runs) -> None:
    rare = runs.wait(runs.start("a.rare", lambda _: "done").id, SOON)
    for _ in range(120):
        runs.wait(runs.start("a.verb", lambda _: None).id, SOON)
    assert runs.latest("a.rare") == rare


def test_stopping_ends_a_run_where_it_tells_how_far_it_has_come(clock: FixedClock) -> None:
    runs, given_back, began = Runs(clock), threading.Event(), threading.Event()

    def work(tell: ReportProgress) -> None:
        try:
            while True:
                tell(1, 2, "")
                began.set()
        finally:
            given_back.set()

    run_id = runs.start("news.bodies", work).id
    assert began.wait(SOON)
    runs.stop()
    runs.join()
    assert given_back.is_set()
    assert runs.get(run_id).state == "failed"
    assert isinstance(runs.get(run_id).error, Interrupted)
    with pytest.raises(Interrupted, match="program is stopping"):
        runs.start("news.bodies", work)


def test_what_fails_because_the_program_ends_is_told_as_that(clock: FixedClock) -> None:
    runs, began, go = Runs(clock), threading.Event(), threading.Event()

    def work(_: ReportProgress) -> None:
        began.set()
        go.wait(SOON)
        raise FetchTimeout("the door was closed")

    run_id = runs.start("news.collect", work).id
    assert began.wait(SOON)
    runs.stop()
    go.set()
    runs.join()
    assert isinstance(runs.get(run_id).error, Interrupted)


def test_a_verb_that_is_under_way_for_something_else_is_a_conflict(runs: Runs) -> None:
    go = threading.Event()
    first = runs.start("news.bodies", lambda _: go.wait(SOON), about=("monday",))
    assert runs.start("news.bodies", lambda _: None, about=("monday",)).id == first.id
    with pytest.raises(Conflict, match="with other options"):
        runs.start("news.bodies", lambda _: None, about=("tuesday",))
    go.set()


def test_a_verb_that_is_under_way_in_another_manner_is_a_conflict(runs: Runs) -> None:
    go = threading.Event()
    runs.start("news.bodies", lambda _: go.wait(SOON), about=("monday",), asked=50)
    with pytest.raises(Conflict, match="with other options"):
        runs.start("news.bodies", lambda _: None, about=("monday",), asked=10)
    go.set()


def test_the_latest_run_about_a_thing_is_found_among_those_about_others(runs: Runs) -> None:
    def ran(*about: str) -> Run:
        return runs.wait(runs.start("a.verb", lambda _: None, about=about or None).id, SOON)

    first, second = ran("a.test", "b.test"), ran("c.test")
    assert runs.latest("a.verb", ["b.test"]) == first
    assert runs.latest("a.verb", ["www.c.test", "c.test"]) == second == runs.latest("a.verb")
    assert runs.latest("a.verb", ["d.test"]) is None
    assert runs.latest("another.verb", ["a.test"]) is None
    assert runs.latest("a.verb", ["d.test"]) is None
    everything = ran()
    assert runs.latest("a.verb", ["d.test"]) == everything


@pytest.mark.parametrize(
    ("day", "is_in"),
    [("2025-11-02", False), ("2025-11-03", True), ("2025-11-06", True), ("2025-11-07", False)],
)
def test_a_span_of_days_is_about_each_of_them(runs: Runs, day: str, is_in: bool) -> None:
    run = runs.start("a.verb", lambda _: None, about=("2025-11-03/2025-11-06",))
    assert run.is_about([day]) is is_in


def test_only_so_many_runs_are_under_way_at_once(runs: Runs) -> None:
    go = threading.Event()
    for number in range(16):
        runs.start(f"a.verb {number}", lambda _: go.wait(SOON))
    with pytest.raises(Conflict, match="16 runs are in progress"):
        runs.start("one.more", lambda _: None)
    go.set()


def test_a_run_whose_thread_cannot_begin_is_none(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", _cannot)
        with pytest.raises(RuntimeError):
            runs.start("news.collect", lambda _: None)
    assert runs.latest("news.collect") is None
    assert runs.wait(runs.start("news.collect", lambda _: 1).id, SOON).report == 1


def _cannot(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_whoever_wants_to_know_is_called_when_a_run_has_ended(runs: Runs) -> None:
    go, told = threading.Event(), list[Run]()
    run = runs.start("news.collect", lambda _: go.wait(SOON))
    runs.then(run.id, told.append)
    assert told == []
    go.set()
    runs.join()
    assert told == [runs.get(run.id)]
    assert told[0].state == "done"


def test_whoever_asks_late_is_called_at_once(runs: Runs) -> None:
    told = list[Run]()
    run = runs.wait(runs.start("news.collect", lambda _: 1).id, SOON)
    runs.then(run.id, told.append)
    assert told == [run]


def test_one_who_cannot_be_told_harms_neither_the_run_nor_the_others(runs: Runs) -> None:
    go, told = threading.Event(), list[Run]()
    run = runs.start("news.collect", lambda _: go.wait(SOON))
    runs.then(run.id, _not_now)
    runs.then(run.id, told.append)
    go.set()
    runs.join()
    assert [each.state for each in told] == ["done"]
    assert runs.start("news.collect", lambda _: None).id != run.id


def _not_now(_: Run) -> None:
    raise OSError("the disk is full")


def test_something_is_done_only_while_nothing_is_under_way(runs: Runs) -> None:
    done, go = [], threading.Event()
    assert runs.if_idle(lambda: done.append("before"))
    run = runs.start("news.collect", lambda _: go.wait(SOON))
    assert not runs.if_idle(lambda: done.append("meanwhile"))
    go.set()
    runs.wait(run.id, SOON)
    runs.join()
    assert runs.if_idle(lambda: done.append("after"))
    assert done == ["before", "after"]


def test_a_run_keeps_the_events_of_its_threads_as_log_lines(runs: Runs) -> None:
    def work(_: ReportProgress) -> None:
        emit("shops.crawl.began", domain="antik.test")
        thread = threading.Thread(target=copy_context().run, args=(emit, "shops.crawl.ended"))
        thread.start()
        thread.join()
        emit("shops.detail", level="debug")

    run = runs.start("shops.crawl", work)
    emit("news.collect.began")
    runs.wait(run.id, SOON)
    lines = [(line.at, line.level, line.text) for line in runs.log(run.id).items]
    assert lines == [
        (NOON, "info", "shops.crawl.began domain=antik.test"),
        (NOON, "info", "shops.crawl.ended"),
    ]
    with pytest.raises(NotFound):
        runs.log("0" * 16)


def test_a_log_keeps_the_latest_lines_without_secrets(runs: Runs) -> None:
    def work(_: ReportProgress) -> None:
        for number in range(250):
            emit("shops.page", number=number, token="abc")

    run = runs.wait(runs.start("shops.crawl", work).id, SOON)
    lines = runs.log(run.id).items
    assert len(lines) == 200
    assert lines[-1].text == "shops.page number=249 token=***"
