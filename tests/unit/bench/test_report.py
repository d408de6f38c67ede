"""The report of the benchmarks, made from numbers that are known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.store.boards import table
from bench.store.growth import Growth
from bench.store.report import Results, as_json, as_text, inserted, sections


def _results(**found: Any) -> Results:
    contestants = {"full": "Gotgan in process, FULL", "dynoxide": "dynoxide"}
    return Results("2 cores.", "Best of 3.", contestants, {"put": "put if absent"}, **found)


def test_a_table_is_as_wide_as_its_widest_cells() -> None:
    assert table(["", "rate"], [["one", "12,000"], ["three", "5"]]).splitlines() == [
        "|       |   rate |",
        "| ----- | -----: |",
        "| one   | 12,000 |",
        "| three |      5 |",
    ]


def test_rates_come_with_their_ratios_and_verdicts() -> None:
    text = as_text(_results(rates={"full": {"put": 3600.0}, "dynoxide": {"put": 800.0}}))
    assert "| Gotgan in process, FULL |         3,600 |" in text
    line = next(line for line in text.splitlines() if "FULL in process against dynoxide" in line)
    assert [cell.strip() for cell in line.split("|")[2:6]] == ["4.50 ×", "5 ×", "4 ×", "floor"]


def test_a_task_that_a_contestant_cannot_do_is_a_dash() -> None:
    assert "| dynoxide |             – |" in as_text(_results(rates={"dynoxide": {}}))


def test_a_contestant_that_cannot_be_had_is_named_with_the_reason() -> None:
    text = as_text(_results(skipped={"dynoxide": "there is no npm"}))
    assert "dynoxide: left out, there is no npm" in text


@pytest.mark.parametrize(
    ("large", "cost", "word"),
    [(90.0, "1.11 ×", "met"), (60.0, "1.67 ×", "floor"), (40.0, "2.50 ×", "missed")],
)
def test_a_get_in_a_large_table_is_judged_by_its_cost(large: float, cost: str, word: str) -> None:
    text = as_text(_results(growth=Growth(1000, 1_000_000, 60.0, 100.0, large, large)))
    line = next(line for line in text.splitlines() if "the same 1,000 keys" in line)
    assert [cell.strip() for cell in line.split("|")[3:5]] == [cost, word]


def test_parts_that_were_not_run_are_left_out() -> None:
    assert as_text(_results()) == "2 cores.\nBest of 3."


def test_threads_and_starts_have_their_tables() -> None:
    text = as_text(_results(writers={1: 4000.0, 4: 9000.0}, startup={"dynoxide": 0.0391}))
    assert "| 1 thread  |" in text
    assert "| 4 threads |" in text
    assert "| dynoxide | 39 ms |" in text


def test_the_json_has_the_numbers_and_the_ratios() -> None:
    results = _results(rates={"full": {"put": 4000.0}, "dynoxide": {"put": 800.0}})
    found = json.loads(json.dumps(as_json(results)))
    assert found["rates"]["full"]["put"] == 4000.0
    assert found["ratios"][0]["ratio"] == 5.0
    assert found["ratios"][0]["verdict"] == "met"


def test_the_numbers_of_a_document_are_replaced_between_the_markers_of_their_part() -> None:
    document = f"before\n{_marked('engine', 'old')}\nbetween\n{_marked('typed', 'kept')}\n"
    written = inserted(document, {"engine": "new"})
    renewed = _marked("engine", "\nnew\n")
    assert written == f"before\n{renewed}\nbetween\n{_marked('typed', 'kept')}\n"
    assert inserted(written, {"engine": "new"}) == written


def test_only_a_part_that_was_measured_is_written_into_a_document() -> None:
    assert sections(_results()) == {}
    found = sections(_results(startup={"dynoxide": 0.0391}))
    assert list(found) == ["engine"]
    assert found["engine"].startswith("2 cores.\nBest of 3.\n\nFrom the start")


@pytest.mark.parametrize(
    "document",
    [
        "nothing",
        "<!-- engine: begin -->",
        "<!-- engine: end --> <!-- engine: begin -->",
        "<!-- typed: begin --> <!-- typed: end -->",
    ],
)
def test_a_document_without_markers_is_refused(document: str) -> None:
    with pytest.raises(ValueError, match="no <!-- engine: begin"):
        inserted(document, {"engine": "new"})


def _marked(name: str, text: str) -> str:
    return f"<!-- {name}: begin -->\n{text}\n<!-- {name}: end -->"
