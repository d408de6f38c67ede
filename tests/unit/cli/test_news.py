"""``gotgan news``: the verbs of the news from the command line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.domains.news.models import NewsItem
from gotgan.encoding import field_keys
from gotgan.world import FaultKind, World, world_server

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]

URL = "https://finance.yahoo.com/news/chip-maker-lifts-forecast-060559667.html"
STORIES = [
    {"title": "A chip maker lifts its forecast", "url": URL, "tickers": ["NVDA"]},
    {"title": "=cmd|'/c calc'!A1\u001b[31m", "url": f"{URL}?guccounter=1", "tickers": []},
]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Run:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["news", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World(padding=0)
    with world_server(world) as served:
        monkeypatch.setenv("GOTGAN_RESOLVE", f"*={served.place}")
        monkeypatch.setenv("GOTGAN_DELAY", "0")
        yield world


@pytest.fixture
def uploaded(run: Run, tmp_path: Path) -> list[dict[str, Any]]:
    """The two stories, as they are listed."""
    file = tmp_path / "stories.json"
    file.write_text(json.dumps(STORIES), encoding="utf-8")
    assert run("upload", str(file))[0] == ExitCode.OK
    items: list[dict[str, Any]] = json.loads(run("list", "--json")[1])["items"]
    return items


def test_a_collected_list_is_reported_in_one_line_and_what_is_new_below(
    run: Run, world: World
) -> None:
    code, out, _ = run("collect", "--limit", "12")
    first, *rest = out.splitlines()
    assert code == ExitCode.OK
    assert first == "received 12 · new 12 · duplicate 0 · failed 0"
    assert len(rest) == 12
    code, out, _ = run("collect", "--limit", "12", "--json")
    report = json.loads(out)
    assert (report["given"], len(report["new"]) + report["duplicates"]) == (12, 12)
    assert (report["failed"], report["cost"]["reads"] > 0) == ([], True)
    assert len(world.requests) > 0


@pytest.mark.usefixtures("world")
def test_the_feed_is_read_by_a_flag(run: Run) -> None:
    run("collect", "--rss")
    sources = {item["source"] for item in json.loads(run("list", "--json")[1])["items"]}
    assert sources == {"yf_rss"}


@pytest.mark.parametrize(
    ("fault", "code", "word"),
    [
        (FaultKind.CONSENT, ExitCode.FAILED, "page.consent"),
        (FaultKind.EMPTY, ExitCode.FAILED, "page.no_stories"),
        (FaultKind.CUT, ExitCode.RETRY, "page.truncated"),
        (FaultKind.FORBIDDEN, ExitCode.FAILED, "fetch.forbidden"),
    ],
)
def test_a_list_that_cannot_be_had_ends_with_a_code_and_what_to_do(
    run: Run, world: World, fault: FaultKind, code: ExitCode, word: str
) -> None:
    world.fail("finance.yahoo.com", "/topic/latest-news/", fault)
    ended, out, err = run("collect")
    assert (ended, out) == (code, "")
    assert err.splitlines()[0].endswith(f"[{word}]")


def test_standard_input_is_uploaded_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "\n".join(json.dumps(story) for story in STORIES).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    code, out, _ = run("upload", "-", "--source", "mine", "--json")
    assert (code, json.loads(out)["given"], json.loads(out)["source"]) == (ExitCode.OK, 2, "mine")


def test_a_bad_file_is_refused_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('[{"title": "a", "url": "https://a.test"}, {}]')
    code, out, err = run("upload", str(tmp_path / "bad.json"))
    assert (code, out) == (ExitCode.FAILED, "")
    assert "story 2" in err
    assert run("upload", str(tmp_path / "none.json"))[0] == ExitCode.USAGE


def test_items_are_listed_with_their_zones_time_and_the_cost(
    run: Run, uploaded: list[dict[str, Any]]
) -> None:
    kst = uploaded[0]["uploaded_at_kst_iso"]
    _, out, err = run("list", "--day", uploaded[0]["dt_kst"], "--zone", "kst", "--cost")
    head, first, *_ = out.splitlines()
    assert head.split() == ["time", "key", "tickers", "title"]
    assert f"{kst[:10]} {kst[11:19]} KST" in first
    assert err.startswith("Cost: 1 read units, $0.")
    assert "\u001b" not in out
    _, out, _ = run("list", "--zone", "ny")
    assert uploaded[0]["tz_est_abbr"] in out


@pytest.mark.usefixtures("uploaded")
def test_a_ticker_is_filtered_and_the_cost_is_that_of_all(run: Run) -> None:
    page = json.loads(run("list", "--ticker", "nvda", "--json")[1])
    assert [item["url"] for item in page["items"]] == [URL]
    assert page["read"]["items"] == 2
    assert "No items." in run("list", "--ticker", "AAPL")[1]


@pytest.mark.usefixtures("uploaded")
def test_pages_follow_each_other(run: Run) -> None:
    first = json.loads(run("list", "--limit", "1", "--json")[1])
    second = json.loads(run("list", "--limit", "1", "--cursor", first["cursor"], "--json")[1])
    assert {each["items"][0]["url"] for each in (first, second)} == {
        story["url"] for story in STORIES
    }


def test_a_day_that_is_none_is_a_slip_of_the_pen(run: Run) -> None:
    code, _, err = run("list", "--day", "2025-13-01")
    assert code == ExitCode.USAGE
    assert "2025-11-06" in err


def test_a_list_loads_only_what_it_needs(tmp_path: Path) -> None:
    program = (
        "import sys; from gotgan.cli import main;"
        "code = main(['news', 'list']);"
        "print('\\n'.join(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "GOTGAN_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {*done.stderr.split()}
    assert "gotgan.domains.news.service" in loaded
    assert not loaded & {
        "gotgan.domains.shops.service",
        "gotgan.domains.site.service",
        "sqlalchemy",
    }


def test_in_a_fresh_folder_one_is_told_how_to_begin(run: Run) -> None:
    code, out, _ = run("list")
    assert code == ExitCode.OK
    assert out.startswith("No items. Collect the latest: gotgan news collect\n")
    assert json.loads(run("list", "--json")[1])["items"] == []


def test_an_item_is_shown_with_why_it_has_its_key(run: Run, uploaded: list[dict[str, Any]]) -> None:
    pk = next(item["pk"] for item in uploaded if item["url"] == URL)
    for name in (pk, URL):
        code, out, _ = run("get", name)
        assert code == ExitCode.OK
        assert "id# because the path ends in the article ID 060559667" in out
        assert f"{URL}?guccounter=1" in out
        assert "not fetched yet" in out
    shown = json.loads(run("get", pk, "--json")[1])
    assert tuple(shown["item"]) == field_keys(NewsItem)
    assert shown["why"]["sha256"].startswith(pk.removeprefix("id#"))
    assert (shown["body"], len(shown["lookAlikes"])) == (None, 1)


@pytest.mark.usefixtures("uploaded")
def test_an_address_with_one_letter_too_many_is_not_found(run: Run) -> None:
    code, _, err = run("get", f"{URL}#")
    assert code == ExitCode.FAILED
    assert "exactly as listed" in err


@pytest.mark.usefixtures("uploaded")
def test_bodies_are_fetched_and_what_failed_can_be_tried_again(run: Run, world: World) -> None:
    world.fail("finance.yahoo.com", "/news/*", FaultKind.WRONG_TYPE)
    code, out, _ = run("bodies", "--json")
    assert (code, json.loads(out)["waiting"]) == (ExitCode.RETRY, 2)
    world.heal()
    code, out, _ = run("bodies")
    assert (code, out.splitlines()[0]) == (ExitCode.OK, "articles 0")
    code, out, _ = run("retry", URL)
    assert (code, out.splitlines()[0]) == (ExitCode.OK, "articles 1 · no longer available 1")


@pytest.mark.usefixtures("uploaded")
def test_what_waits_and_what_was_given_up_can_be_listed(run: Run, world: World) -> None:
    assert "The queue is empty." in run("queue")[1]
    world.fail("finance.yahoo.com", "/news/*", FaultKind.WRONG_TYPE)
    _, out, _ = run("bodies")
    assert "failed for now 2 (page.content_type 2)" in out
    assert "Queue: 2 waiting, 0 given up (gotgan news queue)" in out
    _, out, _ = run("queue")
    assert len(out.splitlines()) == 2
    assert "[page.content_type]" in out
    assert json.loads(run("queue", "--dead", "--json")[1])["items"] == []


@pytest.mark.usefixtures("world")
def test_a_body_is_shown_with_its_text(run: Run) -> None:
    run("collect")
    run("bodies")
    items = json.loads(run("list", "--json")[1])["items"]
    shown = [json.loads(run("get", item["pk"], "--json")[1]) for item in items[:25]]
    read = next(each for each in shown if each["body"]["outcome"] == "ok")
    _, out, _ = run("get", read["item"]["pk"])
    assert read["body"]["text"].split("\n\n")[-1] in out
