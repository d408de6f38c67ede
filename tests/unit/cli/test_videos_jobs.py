"""``gotgan videos``: jobs that are asked for, joined, done, interrupted and failed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gotgan.cli.output import ExitCode
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.videos import MISSING_VIDEO, THREADS, YOUTUBE
from tests.unit.cli.video_files import VIDEO, Run, told, written

SMALL = "gotganSmall"


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWorld]:
    with world_server(World()) as served:
        yield served


@pytest.fixture
def world(served: ServedWorld, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """YouTube, which behaves unless a test says otherwise; and a key for it."""
    monkeypatch.setenv("GOTGAN_RESOLVE", f"*={served.place}")
    monkeypatch.setenv("GOTGAN_DELAY", "0")
    monkeypatch.setenv("YOUTUBE_API_KEY", "world")
    yield served.world
    served.world.heal()


def test_a_job_is_left_to_workers_joined_done_and_then_given_again(
    videos: Run, tmp_path: Path
) -> None:
    videos("import", written(tmp_path))
    new = told(videos, "analyse", VIDEO)
    job = new["job"]["jobId"]
    assert (new["outcome"], new["job"]["status"], new["analysis"]) == ("new", "queued", None)
    assert told(videos, "analyse", VIDEO) == {**new, "outcome": "joined"}
    code, out, _ = videos("analyse", f"https://www.youtube.com/watch?v={VIDEO}")
    assert code == ExitCode.OK
    assert out.startswith(f"Job {job} is already running: queued: waiting")
    assert f"gotgan videos job {job} --wait" in out
    assert told(videos, "work", "--once") == {"attempts": 1}
    assert told(videos, "job", job)["status"] == "completed"
    again = told(videos, "analyse", VIDEO)
    assert (again["outcome"], again["job"]["jobId"]) == ("hit", job)
    assert again["analysis"]["result"]["meta"]["cacheHit"] is True
    assert f"gotgan videos get {VIDEO}" in videos("analyse", VIDEO)[1]
    assert videos("work", "--once")[1] == "made 0 attempts; nothing more is due\n"


def test_a_new_job_says_who_does_it_and_how_to_follow_it(videos: Run, tmp_path: Path) -> None:
    videos("import", written(tmp_path))
    _, out, _ = videos("analyse", VIDEO)
    [job] = told(videos, "jobs", "--status", "queued", "--video", VIDEO)["items"]
    assert out.splitlines() == [
        f"Job {job['jobId']} is queued for a worker: gotgan up, or gotgan videos work.",
        f"  gotgan videos job {job['jobId']} --wait   # runs it here, unless a worker has it",
    ]
    assert told(videos, "jobs", "--status", "failed")["items"] == []
    code, out, _ = videos("job", job["jobId"], "--wait")
    assert code == ExitCode.OK
    assert "status     completed\n" in out
    assert f"result     gotgan videos get {VIDEO}\n" in out


def test_an_analysis_is_made_anew_for_a_reason_and_not_twice_in_a_row(
    videos: Run, tmp_path: Path
) -> None:
    videos("import", written(tmp_path))
    first = told(videos, "analyse", VIDEO, "--wait")["analysis"]["id"]
    anew = told(videos, "analyse", VIDEO, "--force", "--wait")
    assert anew["analysis"]["id"] != first
    assert anew["job"]["refreshReason"] == "user_request"
    assert "\nothers    v1 of " in videos("get", VIDEO)[1]
    code, _, err = videos("analyse", VIDEO, "--force", "--json")
    assert code == ExitCode.RETRY
    assert json.loads(err)["error"]["code"] == "videos.refresh_too_soon"
    code, _, err = videos("analyse", VIDEO, "--force", "--reason", "retry_failed")
    assert (code, "did not fail" in err) == (ExitCode.FAILED, True)


@pytest.mark.usefixtures("world")
def test_youtube_is_asked_once_and_the_units_are_told(videos: Run) -> None:
    sheet = told(videos, "analyse", SMALL, "--wait")
    units = sheet["analysis"]["result"]["usage"]["units"]
    assert units > 0
    videos("analyse", SMALL)
    quota = told(videos, "quota")
    assert (quota["units"], quota["limit"], quota["isBlocked"]) == (units, 10_000, False)
    assert f"  {units} of 10,000 units\n" in videos("quota")[1]
    today = told(videos, "costs")["items"][0]
    assert (today["units"], today["savedUnits"]) == (units, units)


@pytest.mark.usefixtures("world")
def test_a_video_that_is_not_there_fails_its_job_and_the_command(videos: Run) -> None:
    code, out, err = videos("analyse", MISSING_VIDEO, "--wait")
    assert (code, out) == (ExitCode.FAILED, "")
    assert err.splitlines()[-1].endswith("Check the ID. [ANALYSIS_VIDEO_NOT_FOUND]")
    [job] = told(videos, "jobs")["items"]
    assert (job["status"], job["errorCode"]) == ("failed", "ANALYSIS_VIDEO_NOT_FOUND")
    assert videos("job", job["jobId"])[0] == ExitCode.OK
    assert videos("job", job["jobId"], "--wait")[0] == ExitCode.FAILED
    assert "ANALYSIS_VIDEO_NOT_FOUND" in videos("get", MISSING_VIDEO)[1]


def test_get_tells_what_the_job_of_a_video_without_a_result_does(videos: Run, world: World) -> None:
    job = told(videos, "analyse", SMALL)["job"]["jobId"]
    assert videos("get", SMALL)[1].splitlines() == [
        SMALL,
        "",
        "Queued: waiting for a worker (gotgan up, or gotgan videos work)",
        f"job       {job}",
        f"  gotgan videos job {job} --wait   # runs it here, unless a worker has it",
    ]
    code, _, err = videos("get", SMALL, "--shape", "1")
    assert (code, f"when job {job} ends" in err) == (ExitCode.FAILED, True)
    world.fail(YOUTUBE, THREADS, FaultKind.BROKEN)
    videos("work", "--once")
    shown = videos("get", SMALL)[1]
    queued = told(videos, "get", SMALL)["lastJob"]
    assert (queued["status"], queued["attempts"]) == ("queued", 1)
    seoul = ZoneInfo("Asia/Seoul")
    again = f"{datetime.fromisoformat(queued['nextAttemptAt']).astimezone(seoul):%F %T %Z}"
    assert f"\nQueued: next attempt from {again}  Attempt 1 of 3 failed: YouTube" in shown
    with _hanging(world) as wait:
        other = told(videos, "analyse", "gotganEmpty")["job"]["jobId"]
        with _worker() as worker:
            assert wait()
            assert "\nProcessing, attempt 1  5 %" in videos("get", "gotganEmpty")[1]
            assert told(videos, "get", "gotganEmpty")["lastJob"]["nextAttemptAt"] is None
            worker.send_signal(signal.SIGTERM)
            worker.communicate(timeout=20)
    assert told(videos, "job", other)["status"] == "queued"


@pytest.mark.usefixtures("world")
def test_get_tells_why_the_job_of_a_video_without_a_result_failed(videos: Run) -> None:
    videos("analyse", MISSING_VIDEO, "--wait")
    lines = videos("get", MISSING_VIDEO)[1].splitlines()
    assert lines[2].startswith("Failed: YouTube has no video")
    assert lines[-1] == f"  gotgan videos analyse {MISSING_VIDEO} --wait   # tries again"


def test_whoever_looks_on_sees_how_far_a_job_is(
    videos: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    videos("import", written(tmp_path))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, out, err = videos("analyse", VIDEO, "--wait")
    steps = err.split("\r\x1b[K")
    assert ("\r" in out, steps[1], steps[-1]) == (False, f"{VIDEO}: starting", "")


def test_one_that_is_interrupted_gives_its_job_back_and_the_next_one_goes_on(
    videos: Run, world: World
) -> None:
    for words in (("analyse", SMALL, "--wait"), ("work", "--once")):
        with _interrupted_when_hanging(world):
            code, _, err = videos(*words)
        assert (code, "Traceback" in err) == (ExitCode.INTERRUPTED, False)
        assert _standing(videos) == ("queued", 0)
    assert videos("work", "--once")[0] == ExitCode.OK
    assert _standing(videos) == ("completed", 1)


def test_a_worker_does_jobs_as_they_come_and_gives_back_what_it_has_when_it_is_stopped(
    videos: Run, world: World
) -> None:
    with _worker() as worker:
        assert worker.stdout is not None
        assert json.loads(worker.stdout.readline()) == {"event": "working", "atOnce": 1}
        first = told(videos, "analyse", SMALL)["job"]["jobId"]
        while told(videos, "job", first)["status"] != "completed":
            time.sleep(0.02)
        with _hanging(world) as wait:
            second = told(videos, "analyse", "gotganEmpty")["job"]["jobId"]
            assert wait()
            assert told(videos, "job", second)["step"] == "collecting_comments"
            assert told(videos, "work", "--once") == {"attempts": 0}
            worker.send_signal(signal.SIGTERM)
            _, said = worker.communicate(timeout=20)
    assert (worker.returncode, said) == (ExitCode.OK, "")
    left = told(videos, "job", second)
    assert (left["status"], left["attempts"]) == ("queued", 0)


def _standing(videos: Run) -> tuple[str, int]:
    """How the one job that there is stands, after how many attempts."""
    [job] = told(videos, "jobs")["items"]
    return job["status"], job["attempts"]


@contextmanager
def _worker() -> Iterator[subprocess.Popen[str]]:
    words = ("work", "--at-once", "1", "--json")
    command = [sys.executable, "-W", "error", "-m", "gotgan", "videos", *words]
    with subprocess.Popen(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@contextmanager
def _hanging(world: World) -> Iterator[Callable[[], bool]]:
    """YouTube, which answers nobody while a block runs; and what waits until it was asked."""
    before, over = len(world.requests), threading.Event()

    def wait() -> bool:
        """Whether it was asked, before the block ended."""
        while not over.wait(0.01):
            if any(seen.fault is FaultKind.HANG for seen in world.requests[before:]):
                return True
        return False

    world.fail(YOUTUBE, "*", FaultKind.HANG)
    try:
        yield wait
    finally:
        over.set()
        world.heal()


@contextmanager
def _interrupted_when_hanging(world: World) -> Iterator[None]:
    """As if somebody pressed Ctrl-C while YouTube takes its time."""
    with _hanging(world) as wait:

        def press() -> None:
            if wait():
                os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press, daemon=True).start()
        yield
