"""``gotgan shops crawl``, ``scrape``, ``changes`` and ``deliver``: the work on shops."""

from __future__ import annotations

import hmac
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.listener import serve_in_thread
from gotgan.world import FaultKind, World, world_server
from gotgan.world.shops import shop_products

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]

SHOP = "antik-1.shop.test"
SECRET = "s" * 32


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World(shop_bytes=500)
    with world_server(world) as served:
        monkeypatch.setenv("GOTGAN_RESOLVE", f"*={served.place}")
        monkeypatch.setenv("GOTGAN_DELAY", "0")
        yield world


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Run:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["shops", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def scraped(run: Run, world: World) -> int:
    """A shop that was crawled and scraped; how many products it has."""
    run("add", SHOP, "--country", "DE")
    assert run("crawl")[0] == ExitCode.OK
    assert run("scrape")[0] == ExitCode.OK
    return len(shop_products(world.scene, SHOP))


def test_a_crawl_says_how_it_ended(run: Run, world: World) -> None:
    run("add", SHOP, "--country", "DE")
    code, out, _ = run("crawl", SHOP)
    assert code == ExitCode.OK
    assert out.startswith(f"{SHOP}: ok, all pages were visited · pages ")
    [told] = json.loads(run("crawl", SHOP, "--json")[1])["shops"]
    assert (told["outcome"], told["new"]) == ("ok", 0)
    assert told["unchanged"] > 0
    assert len(world.requests) > 0


@pytest.mark.usefixtures("world")
def test_where_nothing_is_due_there_is_nothing_to_do(run: Run) -> None:
    run("add", SHOP)
    assert run("crawl")[1] == "Nothing to do.\n"
    assert run("scrape")[1] == "Nothing to do.\n"


def test_a_shop_that_is_blocked_is_done_and_says_why(run: Run, world: World) -> None:
    run("add", SHOP, "--country", "DE")
    world.fail(SHOP, "*", FaultKind.FORBIDDEN)
    code, out, _ = run("crawl")
    assert code == ExitCode.OK
    assert out.startswith(f"{SHOP}: blocked, ")


@pytest.mark.parametrize("verb", ["crawl", "scrape"])
def test_a_shop_that_cannot_be_reached_is_tried_again_later(
    run: Run, scraped: int, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    assert scraped
    before = json.loads(run("get", SHOP, "--json")[1])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = f"127.0.0.1:{listener.getsockname()[1]}"
    monkeypatch.setenv("GOTGAN_RESOLVE", f"*={closed}")
    code, out, _ = run(verb, SHOP)
    assert code == ExitCode.RETRY
    assert out.startswith(f"{SHOP}: unreachable, Could not connect to https://{SHOP}/robots.txt: ")
    assert ": connection refused. Next attempt 20" in out
    after = json.loads(run("get", SHOP, "--json")[1])
    ended = f"last_{verb.removesuffix('e')}ed_end"
    assert (after[ended], after[f"{verb}_state"]) == (before[ended], "DONE")
    waits = after[f"{verb}_postponed"]
    assert waits["lastError"].endswith(": connection refused")
    assert (waits["attempts"], waits["notBefore"] > waits["triedAt"]) == (1, True)
    assert "connection refused" in run("get", SHOP)[1]


@pytest.mark.usefixtures("world")
def test_a_shop_that_nobody_registered_is_not_found(run: Run) -> None:
    code, _, err = run("crawl", "nobody.test")
    assert code == ExitCode.FAILED
    assert "[not_found]" in err


def test_one_that_is_interrupted_while_a_page_takes_its_time_gives_its_shop_back(
    run: Run, world: World
) -> None:
    run("add", SHOP, "--country", "DE")
    world.fail(SHOP, "*", FaultKind.HANG)
    command = [sys.executable, "-W", "error", "-m", "gotgan", "shops", "crawl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            while not any(seen.fault is FaultKind.HANG for seen in world.requests):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=10)  # a page may take longer
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in said
    assert json.loads(run("stuck", "--older-than", "0s", "--json")[1])["items"] == []
    assert SHOP in run("due")[1]


def test_changes_are_listed_with_before_and_after(run: Run, scraped: int) -> None:
    _, out, _ = run("changes", SHOP, "--limit", "2")
    head, first, *_ = out.splitlines()
    assert head.split() == ["time", "before", "after", "title", "url"]
    assert re.search(r"  new +[A-Z]+ [0-9,]+\.[0-9]{2} EUR  ", first)
    assert "--cursor" in out
    changes = json.loads(run("changes", SHOP, "--limit", "1000", "--json")[1])["items"]
    assert len(changes) >= scraped
    assert {change["before"] for change in changes} == {None}
    assert run("changes", SHOP, "--since", "2999-01-01")[1].startswith("No changes.")


def test_a_file_hears_of_every_change_once(run: Run, scraped: int, tmp_path: Path) -> None:
    file = tmp_path / "changes.jsonl"
    first = json.loads(run("deliver", "--file", str(file), "--json")[1])
    assert first["changes"] >= scraped
    assert json.loads(run("deliver", SHOP, "--file", str(file), "--json")[1])["changes"] == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len({line["id"] for line in lines}) == len(lines) == first["changes"]


def test_a_file_that_cannot_be_written_loses_nothing(
    run: Run, scraped: int, tmp_path: Path
) -> None:
    code, out, _ = run("deliver", "--file", str(tmp_path / "no" / "changes.jsonl"))
    assert code == ExitCode.RETRY
    assert "They are kept" in out
    (tmp_path / "no").mkdir()
    code, out, _ = run("deliver", "--file", str(tmp_path / "no" / "changes.jsonl"), "--json")
    assert (code, json.loads(out)["changes"] >= scraped) == (ExitCode.OK, True)


def test_a_webhook_gets_signed_changes(
    run: Run, scraped: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[tuple[dict[str, str], bytes]] = []

    async def listen(scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        received.append((headers, body))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    with serve_in_thread(listen) as url:
        monkeypatch.setenv("GOTGAN_WEBHOOK", f"{url}/hook")
        monkeypatch.setenv("GOTGAN_WEBHOOK_SECRET", SECRET)
        monkeypatch.delenv("GOTGAN_RESOLVE")
        assert run("deliver")[0] == ExitCode.OK
    [(headers, body)] = received
    moment = headers["gotgan-timestamp"]
    signed = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, sha256).hexdigest()
    assert headers["gotgan-signature"] == f"sha256={signed}"
    assert len(json.loads(body)["changes"]) >= scraped


@pytest.mark.usefixtures("scraped")
def test_where_nobody_wants_to_hear_one_is_told_what_to_set(run: Run) -> None:
    code, _, err = run("deliver")
    assert code == ExitCode.USAGE
    assert "GOTGAN_WEBHOOK" in err
