"""``gotgan day``: the page of a day in a terminal, and as a post."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.cli.terminal import day as terminal
from gotgan.day.page import DayFailure, DayPage, DayPart
from gotgan.domains.news.models import NewsItem
from gotgan.errors import DatabaseUnavailable
from gotgan.settings import Settings
from tests.unit.day.made import (
    NOW,
    a_change,
    a_job,
    a_page,
    a_tick,
    a_video,
    changed,
    market,
    news,
    shops,
    site,
    store_story,
    ticked,
    videos,
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    tmp_path: Path,
    prepared_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    (tmp_path / "data").mkdir()
    shutil.copy(prepared_file, tmp_path / "data" / "gotgan.sqlite3")
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["day", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def app(run: Run) -> Iterator[App]:
    """The same house as the command finds."""
    del run
    with App.open(Settings.from_env()) as app:
        app.prepare()
        yield app


def told(run: Run, *words: str) -> Any:
    return json.loads(run(*words, "--json")[1])


def test_without_a_date_it_is_today_in_seoul(run: Run) -> None:
    code, out, _ = run()
    today = datetime.now(UTC) + timedelta(hours=9)
    assert code == ExitCode.OK
    assert f"{today:%A}" in out
    assert "in Seoul, up to " in out


def test_words_that_name_no_command_are_those_of_get(run: Run) -> None:
    for words in ((), ("2025-11-01",), ("--zone", "ny"), ("today",)):
        assert _head(run("get", *words)) == _head(run(*words))
    assert "gotgan day [DAY] is short for gotgan day get [DAY]." in run("--help")[1]
    assert "Usage: gotgan day get " in run("2025-11-01", "--help")[1]


def _head(ended: tuple[int, str, str]) -> str:
    assert ended[0] == ExitCode.OK
    return ended[1].splitlines()[0].partition(", up to")[0]


def test_a_day_of_the_past_is_told_in_its_zone(run: Run) -> None:
    code, out, _ = run("2025-11-01", "--zone", "ny")
    assert (code, out.splitlines()[0]) == (ExitCode.OK, "Saturday 2025-11-01 in New York")
    assert told(run, "2025-11-01", "--zone", "ny")["first"] == "2025-11-01T04:00:00Z"


def test_what_happened_is_told(run: Run, app: App) -> None:
    store_story(app, at=datetime(2025, 11, 6, 3, tzinfo=UTC), title="Up, and up")
    changed(app)
    out = run("2025-11-06")[1]
    assert "1 new story; article texts: not fetched 1" in out
    assert "12:00  Up, and up  [AAPL]" in out
    assert "price down 100.00 EUR → 90.00 EUR  A clock (antik.test)" in out
    assert told(run, "2025-11-06")["news"]["value"]["headlines"][0]["title"] == "Up, and up"


def test_a_failure_of_today_is_told_with_what_comes_next(run: Run, app: App) -> None:
    now = app.clock.now().replace(microsecond=0)
    ticked(app, at=now, status="failed", error="it does not answer")
    out = run()[1]
    assert "failed  ✕" in out
    assert "news.collect: Next run " in out
    assert "it does not answer" in out
    assert "\nnext    " in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("2999-01-01",), "is in the future. Today is"),
        (("1999-12-31",), "Use a day from 2000-01-01 on"),
        (("yesterday",), "DAY: use a date such as 2025-11-06"),
        (("get", "2025-02-30"), "DAY: use a date such as 2025-11-06"),
        (("--category", "days"), "No such option '--category'; see gotgan day get --help"),
        (("publish", "2025-11-06"), "Missing option '--category'; see gotgan day publish --help"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(
    run: Run, words: tuple[str, ...], message: str
) -> None:
    code, out, err = run(*words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert message in err


def test_a_day_is_published_once(run: Run, app: App) -> None:
    app.site.categories.create(id="c001", title="Days", slug="days")
    words = ("publish", "2025-11-06", "--category", "days")
    assert "nothing was collected on that day in Seoul" in run(*words)[2]
    store_story(app, 2, at=datetime(2025, 11, 6, 2, tzinfo=UTC))
    code, first, _ = run(*words)
    assert code == ExitCode.OK
    assert first.startswith("Published: 2025년 11월 6일 목요일 일일 요약(서울), post ")
    assert run(*words)[1].startswith("Already published: ")
    assert told(run, *words)["outcome"] == "duplicate"
    store_story(app, at=datetime(2025, 11, 6, 3, tzinfo=UTC))
    assert run(*words)[1].startswith("Updated: ")
    [post] = app.site.posts.list(category="days")
    assert post.id == told(run, *words)["id"]


def test_a_category_that_is_not_there_is_refused(run: Run) -> None:
    code, _, err = run("publish", "2025-11-06", "--category", "nowhere")
    assert code != ExitCode.OK
    assert "There is no category 'nowhere'" in err


# The text itself


def whole_page(**changes: Any) -> DayPage:
    """A page on which nothing happened, but for what is said."""
    parts = {"news": news(), "shops": shops(), "site": site(), "videos": videos(), "work": ()}
    return a_page(**{**parts, "market": market(), **changes})


def test_a_line_is_as_wide_as_a_terminal_at_most_and_holds_no_control_characters() -> None:
    item = NewsItem(
        source="yf_latest",
        title="\x1b[31mred" + "가" * 200,
        url="https://a.test/b-000000001.html",
        uploaded_at=NOW,
    )
    text = terminal.get(whole_page(news=news(new=1, headlines=(item,))))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_part_that_cannot_be_read_says_why() -> None:
    part = DayPart[Any](error=DatabaseUnavailable("it is gone"), unset="set it")
    page = replace(whole_page(), shops=part)
    assert "shops   ✕ it is gone\n        not set up: set it\n" in terminal.get(page)


def test_hours_are_a_row_of_columns() -> None:
    hours = (0, 1, 8, *(0,) * 21)
    text = terminal.get(whole_page(news=news(new=9, hours=hours)))
    assert "by hour: ·▂█" in text


def test_work_and_videos_tell_what_they_cost() -> None:
    page = whole_page(
        work=(a_job(a_tick(9), a_tick(8, "failed")),),
        videos=videos(a_video("abc", "completed", "A film")),
        shops=shops(changes=(a_change(),), counts={"price_down": 1}),
    )
    text = terminal.get(page)
    assert (
        "news.collect       2 runs, 1 failed, 2.0 s, 10 read, 1 write units, last at 18:00" in text
    )
    assert "1 analysed, 0 failed, 0 open; 0 units, 0 tokens, $0.0000; 0 from the cache" in text
    assert "18:30  A film" in text


def test_more_failures_than_fit_are_counted() -> None:
    failures = tuple(
        DayFailure("shops", f"{number}.test", NOW, "blocked", "due again", is_over=number > 8)
        for number in range(12)
    )
    text = terminal.get(whole_page(failures=failures))
    assert "✕ 18:30  0.test: due again. blocked" in text
    assert "and 4 more" in text
