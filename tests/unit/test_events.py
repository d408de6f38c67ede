"""Events: their names, their lines, and what they keep to themselves."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from gotgan.events import Event, emit, write_to
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
