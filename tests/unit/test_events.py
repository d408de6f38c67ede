"""Events: their names, their lines, and what they keep to themselves."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import BadCursor
from gotgan.events import Event, RecentEvents, emit, write_to
from gotgan.settings import LogLevel, Secret

HIDDEN = "the-text-nobody-may-read"


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    logger = logging.getLogger("gotgan")
    level, handlers = logger.level, list(logger.handlers)
    yield
    logger.setLevel(level)
    logger.handlers[:] = handlers


def written(*, level: LogLevel = "info", as_json: bool = False, **fields: Any) -> str:
    stream = io.StringIO()
    write_to(stream, level="debug", as_json=as_json)
    emit("engine.opened", level=level, **fields)
    return stream.getvalue()


def test_an_event_is_one_line_with_its_name_and_fields() -> None:
    line = written(tables=3, path="gotgan-data/dynamodb.sqlite3")
    assert line.endswith("Z info engine.opened tables=3 path=gotgan-data/dynamodb.sqlite3\n")


def test_an_event_can_be_one_json_object_per_line() -> None:
    said = json.loads(written(as_json=True, level="warning", path="곳간", took=0.5))
    assert said.pop("at").endswith("Z")
    assert said == {"level": "warning", "event": "engine.opened", "path": "곳간", "took": 0.5}


def test_a_value_with_spaces_or_line_breaks_stays_on_one_line_in_quotes() -> None:
    line = written(reason='disk "a"\nis full')
    assert line.count("\n") == 1
    assert r'reason="disk \"a\"\nis full"' in line


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    "fields",
    [
        {"key": Secret(HIDDEN)},
        {"inner": {"deep": [Secret(HIDDEN)]}},
        {"authorization": HIDDEN},
        {"headers": {"X-Amz-Security-Token": HIDDEN}},
        {"AWS_SECRET_ACCESS_KEY": HIDDEN},
        {"passwords": [HIDDEN, HIDDEN]},
    ],
)
def test_nothing_secret_gets_through(as_json: bool, fields: dict[str, Any]) -> None:
    line = written(as_json=as_json, **fields)
    assert HIDDEN not in line
    assert "***" in line


def test_events_below_the_level_are_not_written() -> None:
    stream = io.StringIO()
    write_to(stream, level="warning", as_json=False)
    emit("engine.opened")
    assert stream.getvalue() == ""


def test_a_new_stream_takes_the_place_of_the_one_before() -> None:
    first, second = io.StringIO(), io.StringIO()
    write_to(first, level="info", as_json=False)
    write_to(second, level="info", as_json=False)
    emit("engine.opened")
    assert first.getvalue() == ""
    assert second.getvalue().count("engine.opened") == 1


def test_a_program_around_us_sees_events_as_log_records(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="gotgan")
    emit("engine.opened", tables=3)
    (record,) = caplog.records
    assert record.name == "gotgan"
    assert record.getMessage() == "engine.opened tables=3"


def test_a_plain_log_message_is_written_as_json_too() -> None:
    stream = io.StringIO()
    write_to(stream, level="info", as_json=True)
    logging.getLogger("gotgan").info("by %s", "hand")
    said = json.loads(stream.getvalue())
    assert (said["event"], said["message"]) == ("log.message", "by hand")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_traceback_is_not_lost(as_json: bool) -> None:
    stream = io.StringIO()
    write_to(stream, level="info", as_json=as_json)
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        logging.getLogger("gotgan.store").exception("a defect")
    assert "a defect" in stream.getvalue()
    assert "ZeroDivisionError" in stream.getvalue()
    assert stream.getvalue().count("\n") == 1 or not as_json


@pytest.mark.parametrize("name", ["opened", "Engine.opened", "engine opened", "engine.", ""])
def test_a_name_that_cannot_be_searched_for_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no event name"):
        Event(name, {})


def test_a_field_that_every_event_has_is_refused() -> None:
    with pytest.raises(ValueError, match="at, event"):
        Event("engine.opened", {"event": 1, "at": 2})


def test_nothing_is_remembered_before_somebody_listens() -> None:
    recent = RecentEvents()
    emit("engine.opened", level="error")
    with recent.listening():
        emit("engine.opened", tables=3, path="곳간", ratio=0.5)
    emit("engine.closed", level="error")
    [kept] = recent.page().items
    assert (kept.number, kept.level, kept.name) == (1, "info", "engine.opened")
    assert kept.fields == {"tables": "3", "path": "곳간", "ratio": "0.5"}


def test_events_of_a_clock_that_leaps_are_told_by_it() -> None:
    recent = RecentEvents(clock=FixedClock(datetime(2031, 1, 1, tzinfo=UTC)))
    with recent.listening():
        emit("engine.opened")
    assert recent.page().items[0].at == datetime(2031, 1, 1, tzinfo=UTC)


def test_only_so_many_events_are_remembered() -> None:
    recent = RecentEvents(most=3)
    with recent.listening():
        for number in range(5):
            emit("engine.opened", number=number)
    assert [kept.number for kept in recent.page().items] == [5, 4, 3]


def test_what_is_remembered_is_masked() -> None:
    recent = RecentEvents()
    with recent.listening():
        emit("engine.opened", key=Secret(HIDDEN), headers={"X-Amz-Security-Token": HIDDEN})
    assert HIDDEN not in repr(recent.page())
    assert recent.page().items[0].fields["key"] == "***"


def test_a_traceback_is_remembered_with_its_message() -> None:
    recent = RecentEvents()
    with recent.listening():
        try:
            _ = 1 / 0
        except ZeroDivisionError:
            logging.getLogger("gotgan.store").exception("a defect")
    [kept] = recent.page().items
    assert (kept.name, kept.fields["message"]) == ("log.message", "a defect")
    assert "ZeroDivisionError" in kept.fields["traceback"]


def test_events_are_found_by_how_their_names_begin_and_by_their_level() -> None:
    recent = RecentEvents()
    with recent.listening("debug"):
        emit("news.collected", level="debug")
        emit("news.failed", level="error")
        emit("shops.failed", level="warning")

    def found(name: str = "", level: LogLevel = "debug") -> list[str]:
        return [kept.name for kept in recent.page(name, level=level).items]

    assert found() == ["shops.failed", "news.failed", "news.collected"]
    assert found("news.") == ["news.failed", "news.collected"]
    assert found(level="warning") == ["shops.failed", "news.failed"]
    assert found("news.", "warning") == ["news.failed"]


def test_pages_of_events_stay_as_they_were_while_others_come() -> None:
    recent = RecentEvents()
    with recent.listening():
        for _ in range(5):
            emit("engine.opened")
        first = recent.page(limit=2)
        emit("engine.opened")
        second = recent.page(limit=2, cursor=first.cursor)
        last = recent.page(limit=2, cursor=second.cursor)
    numbers = [[kept.number for kept in page.items] for page in (first, second, last)]
    assert numbers == [[5, 4], [3, 2], [1]]
    assert last.cursor is None


@pytest.mark.parametrize("cursor", ["", "x", "-1", "²"])
def test_a_cursor_of_another_list_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor):
        RecentEvents().page(cursor=cursor)


def test_whoever_listens_hears_more_than_is_written() -> None:
    stream, recent = io.StringIO(), RecentEvents()
    write_to(stream, level="warning", as_json=False)
    with recent.listening():
        emit("engine.opened")
    emit("engine.closed")
    assert [kept.name for kept in recent.page().items] == ["engine.opened"]
    assert stream.getvalue() == ""
    assert logging.getLogger("gotgan").level == logging.WARNING
