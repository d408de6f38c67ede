"""``gotgan market``: the verbs of the market from the command line, against a small exchange."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.market import KRX

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]

DAY = "2025-10-20"
HOLIDAY = "2025-10-03"
DATA = "/comm/bldAttendant/getJsonData.cmd"


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWorld]:
    with world_server(World(shares={"KOSPI": 3, "KOSDAQ": 2})) as served:
        yield served


@pytest.fixture
def world(served: ServedWorld) -> Iterator[World]:
    """The exchange, which behaves unless a test says otherwise."""
    yield served.world
    served.world.heal()


@pytest.fixture
def run(
    served: ServedWorld,
    tmp_path: Path,
    prepared_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> Run:
    (tmp_path / "data").mkdir()
    shutil.copy(prepared_file, tmp_path / "data" / "gotgan.sqlite3")
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")
    monkeypatch.setenv("GOTGAN_RESOLVE", f"*={served.place}")
    monkeypatch.setenv("GOTGAN_DELAY", "0")
    monkeypatch.setenv("KRX_ID", "family")
    monkeypatch.setenv("KRX_PW", "open sesame")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["market", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def _told(run: Run, *words: str) -> Any:
    return json.loads(run(*words, "--json")[1])


def test_a_day_is_opened_once_and_a_holiday_never(run: Run) -> None:
    assert run("open-day", DAY)[:2] == (ExitCode.OK, f"{DAY} is waiting for collection.\n")
    assert _told(run, "open-day", DAY)["outcome"] == "duplicate"
    told = _told(run, "open-day", HOLIDAY)
    assert (told["outcome"], told["day"]) == ("closed", HOLIDAY)
    assert "National Foundation Day" in told["words"]


def test_a_day_is_collected_calculated_and_then_left_alone(run: Run) -> None:
    code, out, _ = run("collect", DAY)
    head, prices, indices = out.splitlines()
    assert (code, head) == (ExitCode.OK, f"{DAY}: success")
    assert "prices   success: 5 from krx" in prices
    assert "indices  success: 2 from krx" in indices
    told = _told(run, "collect", DAY)
    assert (told["outcome"], told["decision"]["reason"]) == ("skipped", "already_success")
    code, out, _ = run("indicators", DAY)
    assert code == ExitCode.FAILED  # trying again comes to the same
    assert out.startswith(
        f"{DAY}: waiting: Not enough history for the indicators of {DAY}: no share"
    )
    run("recover", "2025-10-13..2025-10-17")
    assert run("indicators", DAY)[1].startswith(
        f"{DAY}: skipped: Already stored: indicators of {DAY}."
    )


def test_a_holiday_is_skipped_with_its_name(run: Run) -> None:
    code, out, _ = run("collect", HOLIDAY)
    assert code == ExitCode.OK
    assert out == f"{HOLIDAY}: skipped: {HOLIDAY} is not a trading day: National Foundation Day.\n"


def test_a_side_that_fails_is_told_and_can_be_tried_again_now(run: Run, world: World) -> None:
    world.fail(KRX, DATA, FaultKind.GARBAGE)
    code, out, _ = run("collect", DAY, "--json")
    told = json.loads(out)
    assert (code, told["outcome"]) == (ExitCode.RETRY, "failed")
    assert [side["code"] for side in told["sides"]] == ["market.answer", "market.answer"]
    world.heal()
    code, out, _ = run("collect", DAY, "--now")
    assert (code, "prices   success" in out) == (ExitCode.OK, True)


@pytest.mark.parametrize(
    ("fault", "word"),
    [(FaultKind.BLOCK, "market.blocked"), (FaultKind.CD010, "market.password")],
)
def test_what_does_not_pass_by_itself_has_another_exit_code(
    run: Run, world: World, fault: FaultKind, word: str
) -> None:
    world.fail(KRX, "*", fault)
    code, out, _ = run("collect", DAY)
    assert code == ExitCode.FAILED
    assert f"[{word}]" in out


@pytest.mark.parametrize("missing", ["KRX_ID", "KRX_PW"])
def test_a_missing_login_spends_nothing_and_a_later_one_works_at_once(
    run: Run, world: World, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    asked = len(world.requests)
    with monkeypatch.context() as without:
        without.delenv(missing)
        for words in (("collect", DAY), ("collect", DAY, "--now"), ("catch-up",)):
            code, out, _ = run(*words)
            assert (code, "Set KRX_ID and KRX_PW" in out) == (ExitCode.FAILED, True), words
        code, out, _ = run("recover", "2025-10-17..2025-10-20")
        assert (code, "Set KRX_ID and KRX_PW" in out) == (ExitCode.FAILED, True)
        assert out.startswith("2025-10-17 to 2025-10-20: nothing was collected\n")
        told = _told(run, "collect", DAY)
        assert (told["outcome"], told["decision"]["reason"]) == ("skipped", "no_provider")
        days = _told(run, "status", "--month", DAY[:7])["days"]
        assert [day["log"] for day in days] == [None] * 31
        assert _told(run, "status")["days"][0]["log"] is None
    assert len(world.requests) == asked
    assert run("collect", DAY)[0] == ExitCode.OK
    assert _told(run, "catch-up")["days"][0]["outcome"] == "success"


def test_a_day_that_is_there_is_not_asked_for_again_without_a_login(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("recover", DAY)
    monkeypatch.delenv("KRX_ID")
    told = _told(run, "recover", DAY, "--again")
    assert (told["days"][0]["decision"]["reason"], told["duplicates"]) == ("no_provider", 0)
    assert "Set KRX_ID" in told["stopped"]
    assert _told(run, "recover", DAY)["stopped"] is None


def test_a_provider_that_is_configured_is_asked_though_another_is_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KRX_ID")
    monkeypatch.setenv("GOTGAN_MARKET_PROVIDERS", "krx,csv")
    monkeypatch.setenv("GOTGAN_MARKET_CSV", str(tmp_path))
    told = _told(run, "collect", DAY)
    assert (told["outcome"], told["sides"][0]["code"]) == ("failed", "market.provider")
    assert "csv: " in told["sides"][0]["error"]


def test_indicators_wait_for_both_sides(run: Run) -> None:
    code, out, _ = run("indicators", DAY)
    assert code == ExitCode.RETRY
    assert out == f"{DAY}: waiting: {DAY} was never collected. Prices and indices come first.\n"


def test_a_span_is_recovered_and_gone_on_with(run: Run) -> None:
    run("collect", "2025-10-21")
    code, out, _ = run("recover", "2025-10-18..2025-10-22")
    assert code == ExitCode.OK
    assert out.splitlines() == [
        "2025-10-18 to 2025-10-22: collected 2 · stored before 1 · without enough history 3",
        "2025-10-18 to 2025-10-22, 3 sessions: nothing is missing",
    ]
    told = _told(run, "recover", "2025-10-22")
    assert (told["days"], told["duplicates"], told["gaps"]["isWhole"]) == ([], 1, True)


def test_a_terminal_shows_how_far_it_is_and_no_guess_at_the_start_of_how_long_it_takes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, out, err = run("recover", "2025-10-20..2025-10-22")
    assert "\r" not in out
    steps = err.split("\r\x1b[K")
    assert "0 of 3  2025-10-20" in steps
    assert any(step.startswith("2 of 3  ") and step.endswith("  2025-10-22") for step in steps)
    assert " left" not in err
    assert "0 of 3  2025-10-20 indicators" in steps
    assert steps[-1] == ""


def test_one_side_alone_is_recovered_and_that_is_enough(run: Run) -> None:
    code, out, _ = run("recover", DAY, "--only", "prices", "--json")
    told = json.loads(out)
    assert code == ExitCode.OK
    assert [side["side"] for side in told["days"][0]["sides"]] == ["prices"]
    assert told["gaps"]["missing"] == [
        {
            "day": DAY,
            "sides": ["indices"],
            "words": "Missing: indices (partial).",
            "count": 5,
            "beside": 5,
        }
    ]
    assert run("recover", DAY)[0] == ExitCode.OK


def test_a_recovery_says_what_is_still_missing_and_leaves_a_site_alone_that_fails(
    run: Run, world: World
) -> None:
    world.fail(KRX, DATA, FaultKind.EMPTY)
    code, out, _ = run("recover", "2025-10-13..2025-10-24")
    assert code == ExitCode.RETRY
    assert "Stopped early: 3 days in a row failed" in out
    assert "2025-10-13 to 2025-10-24, 10 sessions: missing 10" in out
    assert "2025-10-24  Never collected." in out


def test_one_that_is_interrupted_gives_its_day_back(run: Run, world: World) -> None:
    world.fail(KRX, DATA, FaultKind.HANG)
    command = [sys.executable, "-m", "gotgan", "market", "recover", "2025-10-20..2025-10-22"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            while not any(seen.fault is FaultKind.HANG for seen in world.requests):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (process.returncode, "Traceback" in said) == (ExitCode.INTERRUPTED, False)
    world.heal()
    assert run("recover", "2025-10-20..2025-10-22")[0] == ExitCode.OK


def test_a_month_is_a_table_with_what_comes_next(run: Run, world: World) -> None:
    run("recover", "2025-10-20")
    world.fail(KRX, DATA, FaultKind.GARBAGE)
    run("collect", "2025-10-21")
    code, out, _ = run("status", "--month", "2025-10")
    head, *lines = out.splitlines()
    rows = {line[:10]: line for line in lines}
    assert code == ExitCode.OK
    assert head.split() == ["day", "prices", "indices", "retries", "indicators", "next"]
    assert "2025-10-18" not in rows
    assert rows[HOLIDAY].endswith("Closed: National Foundation Day.")
    assert "success 5  success 2  0/0" in rows["2025-10-20"]
    assert rows["2025-10-20"].endswith("Recover or import earlier days.")
    assert "failed     failed     1/1" in rows["2025-10-21"]
    old = " Too old for the schedule; recover the day."
    assert rows["2025-10-21"].endswith(f"Collection: failed.{old}")
    assert rows["2025-10-22"].endswith(f"Never collected.{old}")


def test_a_month_for_programs_has_every_day_and_both_decisions(run: Run) -> None:
    told = _told(run, "status", "--month", "2025-10")
    assert (told["month"], told["zone"], len(told["days"])) == ("2025-10", "Asia/Seoul", 31)
    day = told["days"][19]
    assert (day["day"], day["log"], day["overallStatus"]) == (DAY, None, None)
    assert (day["collection"]["status"], day["collection"]["reason"]) == ("run", "first_run")
    assert day["calculation"]["reason"] == "collection_not_success"
    this_month = _told(run, "status")
    assert this_month["today"].startswith(this_month["month"])


def test_a_share_is_shown_and_told_in_full(run: Run) -> None:
    run("recover", "2025-10-13..2025-10-24")
    [ticker, *_] = [each["ticker"] for each in _told(run, "stocks")["items"]]
    code, out, _ = run("get", ticker, "--first", "2025-10-01", "--last", DAY)
    lines = out.splitlines()
    assert code == ExitCode.OK
    assert lines[0].startswith(ticker)
    assert [line[:10] for line in lines if line.startswith("2025-10-") and ":" not in line] == [
        f"2025-10-{day}" for day in (13, 14, 15, 16, 17, 20)
    ]
    told = _told(run, "get", ticker, "--first", "2025-10-01", "--last", DAY)
    assert len(told["prices"]) == 6
    assert [row["date"] for row in told["indicators"]] == ["2025-10-17", DAY]
    assert told["prices"][0]["provider"] == "krx"


def test_shares_are_listed_by_how_they_moved(run: Run) -> None:
    assert "No prices on" in run("movers")[1]
    assert "No index values yet." in run("indices")[1]
    run("recover", f"2025-10-17..{DAY}")
    shares = _told(run, "stocks", "--sort=-change", "--market", "KOSPI", "--limit", "3")["items"]
    percents = [share["percent"] for share in shares]
    assert percents == sorted(percents, reverse=True)
    assert {share["market"] for share in shares} == {"KOSPI"}
    moved = _told(run, "movers", "--limit", "2")
    assert (moved["day"], len(moved["gainers"]), len(moved["mostTraded"])) == (DAY, 2, 2)
    _, out, _ = run("movers", "--limit", "2")
    assert out.startswith(f"{DAY}: ")
    assert all(title in out for title in ("Largest gains", "Largest losses", "Most traded"))
    assert f"{moved['gainers'][0]['percent']:+.2f} %" in out
    kospi, kosdaq = _told(run, "indices")["items"]
    assert (kospi["code"], kosdaq["code"], len(kospi["closes"])) == ("1001", "2001", 2)
    _, out, _ = run("indices")
    assert f"{kospi['percent']:+.2f} %" in out


def test_shares_and_indices_are_found_by_their_names(run: Run) -> None:
    run("collect", DAY)
    known = _told(run, "stocks")["items"]
    assert len(known) == 5
    one = known[0]
    assert _told(run, "stocks", one["ticker"])["items"] == [one]
    assert one in _told(run, "stocks", one["name"])["items"]
    assert run("stocks", "no such name")[1] == "No matching share.\n"
    assert _told(run, "stocks", "--cursor", known[1]["ticker"])["items"] == known[2:]
    assert f"There are more: --cursor {known[1]['ticker']}" in run("stocks", "--limit", "2")[1]
    by_code, by_name = (_told(run, "index", word, "--last", DAY) for word in ("2001", "kosdaq"))
    assert by_code == by_name
    assert run("index", "--last", DAY)[1].startswith("1001")


def test_a_screen_is_of_the_last_day_that_has_indicators(run: Run) -> None:
    run("recover", f"2025-10-14..{DAY}")
    assert run("screen", "oversold")[1] == f"No shares match on {DAY}.\n"
    assert _told(run, "screen", "macd_up", "2025-10-17") == {
        "kind": "macd_up",
        "day": "2025-10-17",
        "items": [],
        "cursor": None,
        "isCalculated": False,
        "lastCalculated": DAY,
    }


def test_a_screen_comes_page_by_page(run: Run) -> None:
    run("recover", f"2025-10-14..{DAY}")
    low = update(TECHNICAL_INDICATORS).values(rsi_14=12.5)
    with Database.open(Settings.from_env()) as database, database.begin() as connection:
        connection.execute(low)
    whole = _told(run, "screen", "oversold")
    assert (len(whole["items"]) > 2, whole["cursor"]) == (True, None)
    first = _told(run, "screen", "oversold", DAY, "--limit", "2")
    cursor = first["cursor"]
    last = _told(run, "screen", "oversold", DAY, "--cursor", cursor)
    assert ([*first["items"], *last["items"]], last["cursor"]) == (whole["items"], None)
    told = run("screen", "oversold", "--limit", "2")[1]
    assert told.endswith(f"2 shown, on {DAY}\n\nThere are more: --cursor {cursor}\n")
    code, _, err = run("screen", "overbought", "--cursor", cursor)
    assert (code, "Start again without one" in err) == (ExitCode.FAILED, True)


def test_a_screen_of_a_day_without_indicators_names_one_that_has_some(run: Run) -> None:
    assert "No indicators yet" in run("screen", "oversold", DAY)[1]
    assert "market recover FIRST..LAST" in run("stocks")[1]
    run("recover", f"2025-10-14..{DAY}")
    told = run("screen", "oversold", HOLIDAY)[1]
    assert told == (f"No indicators for {HOLIDAY}. The last day with indicators is {DAY}.\n")


def test_a_day_is_told_and_comes_as_csv(run: Run) -> None:
    run("recover", f"2025-10-17..{DAY}")
    _, out, _ = run("day", DAY)
    assert out.splitlines()[1].startswith("2025-10-20 Mon  success 5  success 2  0/0")
    assert out.splitlines()[2].startswith("KOSPI ")
    told = _told(run, "day", DAY)
    assert (told["status"]["overallStatus"], len(told["indices"])) == ("success", 2)
    _, out, _ = run("columns", DAY, "--market", "KOSDAQ")
    head, *rows = out.splitlines()
    assert (head.split(",")[:4], len(rows)) == (["ticker", "name", "market", "open"], 2)
    assert {row.split(",")[2] for row in rows} == {"KOSDAQ"}
    assert len(_told(run, "columns", DAY)["columns"]["close"]) == 5


def test_gaps_are_listed(run: Run) -> None:
    run("recover", DAY)
    _, out, _ = run("gaps", "--first", "2025-10-17", "--last", "2025-10-21")
    assert out.splitlines() == [
        "2025-10-17 to 2025-10-21, 3 sessions: missing 2",
        "2025-10-17  Never collected.",
        "2025-10-21  Never collected.",
    ]
    assert _told(run, "gaps", "--first", DAY, "--last", DAY)["isWhole"]


def test_gaps_take_the_spans_that_can_be_recovered(run: Run) -> None:
    for span, ends in {
        "2025-10-20..2025-10-24": ("2025-10-20", "2025-10-24"),
        DAY: (DAY, DAY),
        "2025-10": ("2025-10-01", "2025-10-31"),
    }.items():
        told = _told(run, "gaps", span)
        assert (told["first"], told["last"]) == ends
    run("recover", "2025-10-17..2025-10-20")
    assert _told(run, "gaps", "2025-10-17..2025-10-20")["isWhole"]
    told = _told(run, "recover", "2025-11-04..2025-11-05")
    assert told["gaps"] == _told(run, "gaps", "2025-11-04..2025-11-05")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("collect", "20.10.2025"), "DAY: use a date such as"),
        (("collect", "2025-02-30"), "DAY: use a date such as"),
        (("collect", "2098-01-02"), "is in the future"),
        (("indicators", "2098-01-02"), "is in the future"),
        (("open-day", "2098-01-02"), "is in the future"),
        (("recover", "2098-01-02"), "is in the future"),
        (("gaps", "2098-01"), "is in the future"),
        (("gaps", "2025-10", "--last", "2025-10-20"), "not both"),
        (("gaps", "2025-10-20.."), "Write it as 2025-10-01..2025-10-31"),
        (("recover", "2025-10-20.."), "Write it as 2025-10-01..2025-10-31"),
        (("recover", "2025-10-20..2025-10-01"), "Give the earlier day first"),
        (("status", "--month", "October"), "--month: use a month such as 2025-10"),
        (("get", "000000", "--first", "1900-01-01"), "outside the exchange's calendar"),
        (("gaps", "--first", "2025-10-20", "--last", "2025-10-01"), "Give the earlier day first"),
        (("screen", "cheap"), "oversold"),
    ],
)
def test_words_that_cannot_be_meant_are_answered_with_what_to_write(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    code, out, err = run(*words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert told in err


def test_a_share_that_nobody_knows_is_not_found(run: Run) -> None:
    code, _, err = run("get", "999999", "--json")
    assert code == ExitCode.FAILED
    assert json.loads(err)["error"]["code"] == "not_found"
    assert run("index", "9999")[0] == ExitCode.FAILED


def test_files_can_be_collected_instead_of_the_exchange(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = "ticker,name,market,open,high,low,close,change,volume,value,market_cap,shares"
    indices = "code,name,open,high,low,close,volume,value"
    (tmp_path / f"prices-{DAY}.csv").write_text(
        f"{prices}\n005930,A,KOSPI,9,9,8,9,1,5,45,900,100\n"
    )
    (tmp_path / f"indices-{DAY}.csv").write_text(f"{indices}\n1001,KOSPI,,-,,2.5,10,20\n")
    monkeypatch.setenv("GOTGAN_MARKET_PROVIDERS", "csv")
    monkeypatch.setenv("GOTGAN_MARKET_CSV", str(tmp_path))
    monkeypatch.setenv("GOTGAN_MARKETS", "KOSPI")
    monkeypatch.setenv("GOTGAN_INDICES", "KOSPI")
    assert run("collect", DAY)[0] == ExitCode.OK
    assert run("index", "KOSPI", "--last", DAY)[1].split()[-4:] == ["-", "-", "-", "2.50"]
    assert _told(run, "get", "005930", "--last", DAY)["prices"][0]["provider"] == "csv"


def test_whatever_is_missing_of_the_last_sessions_is_caught_up(run: Run) -> None:
    first = _told(run, "catch-up")
    done = {day["day"] for day in first["days"]}
    assert (first["outcome"], first["stopped"]) == ("success", None)
    assert len(done) >= 9
    code, out, _ = run("catch-up", "--json")
    assert code == ExitCode.OK
    assert not done & {day["day"] for day in json.loads(out)["days"]}


def test_whoever_cannot_be_asked_does_not_catch_up(run: Run, world: World) -> None:
    world.fail(KRX, DATA, FaultKind.GARBAGE)
    code, out, _ = run("catch-up", "--json")
    assert (code, json.loads(out)["outcome"]) == (ExitCode.RETRY, "failed")
