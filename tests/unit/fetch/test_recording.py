"""Replies that are kept in a folder and given again from there."""

from __future__ import annotations

import asyncio
import json
import resource
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import AddressRefused, FetchTimeout, NotRecorded, SettingsError
from gotgan.fetch.models import Hop, HopResponse
from gotgan.fetch.recording import RecordingTransport, ReplayTransport

AT = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)
HOP = Hop(
    url="https://news.test/latest?page=1",
    headers={"Accept": "text/html", "User-Agent": "gotgan"},
    is_trusted=False,
    most_bytes=1000,
    seconds=5.0,
)
PAGE = HopResponse(200, {"content-type": "text/html", "etag": '"1"'}, "<p>곳간</p>".encode())


class Script:
    """A transport that gives prepared replies, one after the other."""

    def __init__(self, *replies: HopResponse | Exception) -> None:
        self._replies = iter(replies)
        self.is_closed = False

    async def exchange(self, hop: Hop) -> HopResponse:
        assert hop.url
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def close(self) -> None:
        self.is_closed = True


def record(folder: Path, *pairs: tuple[Hop, HopResponse]) -> None:
    async def story() -> None:
        script = Script(*(reply for _, reply in pairs))
        recording = RecordingTransport(script, folder, clock=FixedClock(AT))
        for hop, reply in pairs:
            assert await recording.exchange(hop) == reply

    asyncio.run(story())


def replay(folder: Path, *hops: Hop) -> list[HopResponse]:
    async def story() -> list[HopResponse]:
        replaying = ReplayTransport(folder)
        replies = [await replaying.exchange(hop) for hop in hops]
        await replaying.close()
        return replies

    return asyncio.run(story())


def to(url: str) -> Hop:
    return replace(HOP, url=url)


def saying(**headers: str) -> Hop:
    said = {name.replace("_", "-"): value for name, value in headers.items()}
    return replace(HOP, headers={**HOP.headers, **said})


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_recorded_is_given_again(tmp_path: Path) -> None:
    moved = HopResponse(302, {"location": "https://news.test/"}, b"")
    busy = HopResponse(503, {"retry-after": "7"}, b"\x00\xff not text")
    pairs = [(HOP, PAGE), (to("https://a.test/"), moved), (to("https://a.test/?q"), busy)]
    record(tmp_path, *pairs)
    assert replay(tmp_path, *(hop for hop, _ in pairs)) == [reply for _, reply in pairs]


def test_a_recording_can_be_read_by_people(tmp_path: Path) -> None:
    record(tmp_path, (HOP, PAGE))
    body, note = files(tmp_path / "news.test")
    assert body.read_bytes() == PAGE.body
    assert note.read_text(encoding="utf-8") == (
        "{\n"
        '  "url": "https://news.test/latest?page=1",\n'
        '  "status": 200,\n'
        '  "headers": {\n'
        '    "content-type": "text/html",\n'
        '    "etag": "\\"1\\""\n'
        "  },\n"
        '  "at": "2025-11-06T00:35:12Z"\n'
        "}\n"
    )
    assert note.name == f"{body.stem}.json"


def test_headers_lie_in_order_so_that_recordings_can_be_compared(tmp_path: Path) -> None:
    record(tmp_path, (HOP, HopResponse(200, {"b": "2", "c": "3", "a": "1"}, b"")))
    note = json.loads(files(tmp_path)[1].read_text(encoding="utf-8"))
    assert list(note["headers"]) == ["a", "b", "c"]


def test_nothing_secret_is_kept(tmp_path: Path) -> None:
    secrets = ("set-cookie", "cookie", "authorization", "proxy-authorization")
    reply = HopResponse(200, {**dict.fromkeys(secrets, "hush"), "server": "s"}, b"")
    hop = saying(Authorization="hush", Cookie="hush")
    record(tmp_path, (hop, reply))
    assert not [path for path in files(tmp_path) if b"hush" in path.read_bytes()]
    assert replay(tmp_path, hop)[0].headers == {"server": "s"}


def test_replies_to_the_same_request_come_in_their_order_and_the_last_one_stays(
    tmp_path: Path,
) -> None:
    replies = [replace(PAGE, body=str(number).encode()) for number in range(12)]
    record(tmp_path, *((HOP, reply) for reply in replies))
    assert replay(tmp_path, *[HOP] * 14) == [*replies, replies[-1], replies[-1]]


def test_order_holds_beyond_a_thousand(tmp_path: Path) -> None:
    record(tmp_path, (HOP, PAGE))
    body, note = files(tmp_path)
    for path in (body, note):
        path.rename(path.with_name(path.name.replace("-001", "-1000")))
    late = replace(PAGE, body=b"999")
    record(tmp_path / "other", (HOP, late))
    for path in files(tmp_path / "other"):
        path.rename(body.parent / path.name.replace("-001", "-999"))
    assert replay(tmp_path, HOP, HOP) == [late, PAGE]


def test_a_later_recording_goes_on_where_the_earlier_one_ended(tmp_path: Path) -> None:
    later = replace(PAGE, body=b"later")
    record(tmp_path, (HOP, PAGE))
    record(tmp_path, (HOP, later))
    assert replay(tmp_path, HOP, HOP) == [PAGE, later]


@pytest.mark.parametrize(
    "other",
    [
        to("https://news.test/latest?page=2"),
        to("http://news.test/latest?page=1"),
        saying(Accept="application/rss+xml"),
        saying(**{"If-None-Match": '"1"'}),
        saying(**{"If-Modified-Since": "Thu, 06 Nov 2025 00:00:00 GMT"}),
    ],
    ids=["address", "scheme", "accept", "etag", "date"],
)
def test_what_changes_the_answer_makes_another_request(tmp_path: Path, other: Hop) -> None:
    changed = HopResponse(304, {}, b"")
    record(tmp_path, (HOP, PAGE), (other, changed))
    assert replay(tmp_path, other, HOP) == [changed, PAGE]


@pytest.mark.parametrize(
    "same",
    [
        replace(HOP, headers={"accept": "text/html", "user-agent": "another"}),
        replace(HOP, is_trusted=True, most_bytes=9, seconds=0.1),
    ],
    ids=["headers", "limits"],
)
def test_what_does_not_change_the_answer_makes_no_difference(tmp_path: Path, same: Hop) -> None:
    record(tmp_path, (HOP, PAGE))
    assert replay(tmp_path, same) == [PAGE]


def test_what_was_not_recorded_is_not_made_up(tmp_path: Path) -> None:
    record(tmp_path, (HOP, PAGE))
    with pytest.raises(NotRecorded, match=r"https://news\.test/other .*GOTGAN_RECORD"):
        replay(tmp_path, to("https://news.test/other"))


def test_a_failure_is_handed_on_and_leaves_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        await RecordingTransport(Script(FetchTimeout("slow")), tmp_path).exchange(HOP)

    with pytest.raises(FetchTimeout):
        asyncio.run(story())
    assert files(tmp_path) == []


def test_closing_a_recording_closes_what_it_records(tmp_path: Path) -> None:
    script = Script()
    asyncio.run(RecordingTransport(script, tmp_path).close())
    assert script.is_closed


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://NEWS.test:8443/", "news.test_8443"),
        ("https://news.test:443/../../up", "news.test"),
        ("http://[2001:db8::1]:80/", "_2001_db8__1_"),
    ],
)
def test_a_host_has_a_folder(tmp_path: Path, url: str, name: str) -> None:
    record(tmp_path, (to(url), PAGE))
    assert {path.parent for path in files(tmp_path)} == {tmp_path / name}
    assert replay(tmp_path, to(url)) == [PAGE]


def test_no_address_leads_out_of_the_recording(tmp_path: Path) -> None:
    with pytest.raises(AddressRefused):
        record(tmp_path / "in", (to("https://../up"), PAGE))
    assert files(tmp_path) == []


def test_a_reply_without_its_note_was_never_there_and_its_number_stays_free_of_others(
    tmp_path: Path,
) -> None:
    record(tmp_path, (HOP, PAGE))
    files(tmp_path)[1].unlink()
    with pytest.raises(NotRecorded):
        replay(tmp_path, HOP)
    later = replace(PAGE, body=b"later")
    record(tmp_path, (HOP, later))
    assert replay(tmp_path, HOP) == [later]


@pytest.mark.parametrize("spoilt", ["{", "[]", "{}", "\udcff"])
def test_a_damaged_note_is_no_answer(tmp_path: Path, spoilt: str) -> None:
    record(tmp_path, (HOP, PAGE))
    files(tmp_path)[1].write_text(spoilt, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(NotRecorded, match="no complete recording"):
        replay(tmp_path, HOP)


def test_a_lost_body_is_no_answer(tmp_path: Path) -> None:
    record(tmp_path, (HOP, PAGE))
    files(tmp_path)[0].unlink()
    with pytest.raises(NotRecorded, match="no complete recording"):
        replay(tmp_path, HOP)


def test_a_folder_that_cannot_be_written_is_a_matter_of_settings(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match="GOTGAN_RECORD"):
        record(tmp_path / "file", (HOP, PAGE))


def test_a_disk_that_is_full_leaves_nothing_half(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(SettingsError, match="free space"):
            record(tmp_path, (HOP, replace(PAGE, body=b"x" * 10_000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files(tmp_path) == []


def test_a_number_is_claimed_and_not_just_looked_up(tmp_path: Path) -> None:
    record(tmp_path, (HOP, PAGE))
    body, note = files(tmp_path)
    body.unlink()
    note.unlink()
    body.symlink_to("nowhere")  # who looks sees nothing; who claims the name cannot have it
    record(tmp_path, (HOP, PAGE))
    assert body.is_symlink()
    assert [path.name for path in files(tmp_path)] == [
        body.name.replace("-001", "-002"),
        note.name.replace("-001", "-002"),
    ]


def test_those_who_record_at_once_overwrite_nothing_of_each_other(tmp_path: Path) -> None:
    barrier = threading.Barrier(4)

    def bodies(name: str) -> list[bytes]:
        return [f"{name}{number}".encode() for number in range(20)]

    def recorder(name: str) -> None:
        barrier.wait()
        record(tmp_path, *((HOP, replace(PAGE, body=body)) for body in bodies(name)))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(recorder, "abcd"))
    kept = [reply.body for reply in replay(tmp_path, *[HOP] * 80)]
    for name in "abcd":
        assert [body for body in kept if body.startswith(name.encode())] == bodies(name)
    assert len(files(tmp_path)) == 160, "drafts were left behind"
