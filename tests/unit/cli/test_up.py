"""``gotgan up`` as a program: it listens, lets its owner in once, keeps what it took, ends well."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from gotgan.app import App
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.up import print_missing_setup
from gotgan.demo.demo import demo_settings
from gotgan.demo.sample_site import fill_site
from gotgan.encoding import encode
from gotgan.settings import Settings
from tests.patience import PATIENCE
from tests.unit.domains.site import mail_server

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """A fresh folder."""
    with App.open(Settings(data=tmp_path)) as app:
        app.prepare()
        yield app


@contextmanager
def running(
    folder: Path, *words: str, **settings: str
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The command on a free port, and what it said when it listened."""
    command = [sys.executable, "-m", "gotgan", "up", "--port", "0", "--json", *words]
    environment = os.environ | {"GOTGAN_DATA": str(folder)} | settings
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.communicate(timeout=30)


@contextmanager
def signed_in(said: dict[str, Any]) -> Iterator[httpx.Client]:
    """A browser that followed the link and pressed the button."""
    with httpx.Client(base_url=said["url"], timeout=PATIENCE, follow_redirects=True) as browser:
        page = browser.get(said["sign_in"].removeprefix(said["url"]))
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        browser.post("/sign-in", data=fields, headers={"Origin": said["url"]})
        yield browser


def test_the_printed_link_signs_the_owner_in_once(tmp_path: Path) -> None:
    with running(tmp_path) as (_process, said):
        with signed_in(said) as browser:
            who = browser.get("/v1/me").json()["data"]
        assert (who["user"]["id"], who["role"]) == ("owner", "admin")
        with signed_in(said) as late:
            assert late.get("/v1/me").status_code == 401


def test_an_address_for_others_gets_no_link(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "0.0.0.0") as (_process, said):  # noqa: S104 - that is the case
        assert said["sign_in"] is None
        assert _statuses(said["url"], socket.gethostname()) == (200, 400)


def test_a_name_of_another_site_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, GOTGAN_HOSTS="*.example.com") as (_process, said):
        assert _statuses(said["url"], "www.example.com") == (200, 400)


def _statuses(url: str, name: str) -> tuple[int, int]:
    """What the sign-in page answers under a name that is ours, and under one of another site."""
    ours, foreign = (
        httpx.get(f"{url}/sign-in", headers={"Host": host}, timeout=PATIENCE).status_code
        for host in (name, "rebound.test")
    )
    return ours, foreign


def test_it_serves_although_nobody_can_sign_in(tmp_path: Path) -> None:
    with App.open(Settings(data=tmp_path)) as app:
        app.prepare()
        app.site.users.create(id="owner", display_name="Owner", role="viewer")
    with running(tmp_path) as (_process, said):
        assert said["sign_in"] is None
        assert httpx.get(f"{said['url']}/v1/health", timeout=PATIENCE).status_code == 200


def test_what_is_real_does_not_call_itself_a_demo(tmp_path: Path) -> None:
    with running(tmp_path) as (_process, said):
        page = httpx.get(f"{said['url']}/sign-in", timeout=PATIENCE)
    assert said["is_demo"] is False
    assert "X-Gotgan-Demo" not in page.headers
    assert 'class="demo"' not in page.text


def test_a_port_that_somebody_has_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = subprocess.run(
            [sys.executable, "-m", "gotgan", "up", "--port", str(taken.getsockname()[1])],
            env=os.environ | {"GOTGAN_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode == ExitCode.USAGE
    assert "Choose another port" in ended.stderr


def test_it_does_the_jobs_of_videos_without_a_timetable_too(tmp_path: Path) -> None:
    with App.open(Settings(data=tmp_path)) as app:
        app.videos.import_files([("a.csv", b"video_id,text\ndQw4w9WgXcQ,good\n")])
        job_id = app.videos.analyse("dQw4w9WgXcQ").job.job_id
        with running(tmp_path, "--no-schedule"):
            while app.videos.job(job_id).is_open:
                time.sleep(0.02)
        assert app.videos.job(job_id).status == "completed"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_well(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path) as (process, said):
        assert httpx.get(f"{said['url']}/v1/health", timeout=PATIENCE).status_code == 200
        process.send_signal(number)
        assert process.wait(timeout=30) == ExitCode.OK


def test_what_was_answered_survives_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as (process, said):
        message = {"name": "홍", "email": "a@example.com", "subject": "문의", "message": "하나"}
        receipt = httpx.post(f"{said['url']}/v1/contact", json=message, timeout=PATIENCE).json()[
            "data"
        ]
        process.kill()
        process.wait()
    with running(tmp_path) as (_process, said), signed_in(said) as browser:
        kept = browser.get(f"/v1/contact/{receipt['id']}").json()["data"]
    assert kept["message"] == "하나"


def test_it_sends_the_mails_that_are_due(tmp_path: Path) -> None:
    _written(tmp_path)
    with mail_server.serving() as post:
        settings = {"GOTGAN_SMTP_URL": post.url.reveal(), "GOTGAN_MAIL_FROM": "s@example.com"}
        with running(tmp_path, **settings) as (_process, said), signed_in(said) as browser:
            mail = browser.get("/v1/mails").json()["data"]["items"][0]
            while mail["status"] != "sent":
                mail = browser.get(f"/v1/mails/{mail['id']}").json()["data"]
        assert [each.to for each in post.received] == [["corp@example.com"]]


def _written(folder: Path) -> None:
    """A company with an address, and an inquiry that waits."""
    with App.open(Settings(data=folder)) as app:
        app.prepare()
        app.site.company.replace({"name": "n", "email": "corp@example.com"})
        app.site.inquiries.receive(
            name="n", email="a@example.com", subject="s", message="m", address="127.0.0.1"
        )


def test_a_fresh_folder_is_told_what_each_domain_lacks_and_where_to_read_how(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as (process, listening):
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
    assert (said["event"], said["url"]) == ("setup.missing", f"{listening['url']}/setup")
    with App.open(Settings(data=tmp_path)) as app:
        assert said["steps"] == encode(app.operations.setup().missing)
    assert {step["domain"] for step in said["steps"]} == {
        "news",
        "market",
        "shops",
        "videos",
        "site",
    }


def test_people_are_told_in_a_line_for_each_domain(app: App, capsys: Capture) -> None:
    print_missing_setup(Output(as_json=False), app, "http://127.0.0.1:8080")
    assert (
        capsys.readouterr().out
        == """
Not set up yet; http://127.0.0.1:8080/setup and gotgan setup say how:
  news    contact (GOTGAN_CONTACT)
  shops   contact (GOTGAN_CONTACT), shop
  market  login (KRX_ID, KRX_PW)
  videos  key (YOUTUBE_API_KEY)
  site    company, category
"""
    )


def test_a_domain_that_has_all_it_needs_is_not_named(app: App, capsys: Capture) -> None:
    app.site.company.replace({"name": "n", "email": "corp@example.com"})
    app.site.categories.create(id="c001", title="t", slug="t", order=1)
    print_missing_setup(Output(as_json=False), app, "http://127.0.0.1:8080")
    assert "  site " not in capsys.readouterr().out


def test_nothing_is_said_where_nothing_is_missing(tmp_path: Path, capsys: Capture) -> None:
    settings = demo_settings(tmp_path, {"*": "127.0.0.1:9"}, "smtp://127.0.0.1:9")
    with App.open(settings) as app:
        app.prepare()
        fill_site(app.site)
        app.shops.add("antik-1.shop.test", country="DE")
        print_missing_setup(Output(as_json=False), app, "http://127.0.0.1:8080")
    assert capsys.readouterr().out == ""


def test_what_cannot_be_told_at_the_moment_is_no_reason_to_fail(app: App, capsys: Capture) -> None:
    app.store.close()
    print_missing_setup(Output(as_json=True), app, "http://127.0.0.1:8080")
    assert json.loads(capsys.readouterr().out)["event"] == "setup.unknown"
