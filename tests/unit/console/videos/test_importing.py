"""Files that are chosen on the list: kept, all or none, and refused with their place."""

from __future__ import annotations

import httpx
import pytest

from gotgan.app import App
from gotgan.middleware import MAX_BODY_BYTES
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import csrf
from tests.unit.console.videos.filling import FIRST, SECOND, info

File = tuple[str, bytes]


def _send(browser: Browser, *files: File, mark: str | None = None) -> httpx.Response:
    """Send files as a browser does; without any, the field is sent empty."""
    given = [("files", file) for file in files] or [("files", ("", b""))]
    return browser.client.post(
        "/videos/import",
        data={"csrf": csrf(browser.client) if mark is None else mark},
        files=given,
        follow_redirects=True,
    )


def test_a_file_with_one_video_leads_to_it(editor: Browser) -> None:
    answer = _send(editor, ("댓글 “1”.info.json", info()))
    assert answer.url.path == f"/videos/{FIRST}"
    assert "Imported. It can be analysed now." in answer.text
    assert "5 comments are stored" in answer.text


def test_several_files_are_kept_together(app: App, editor: Browser) -> None:
    table = f"video_id,text\n{SECOND},좋아요\r\n".encode()
    answer = _send(editor, ("one.info.json", info()), ("two.csv", table))
    assert answer.url.path == "/videos"
    assert {line.video_id for line in app.videos.list().items} == {FIRST, SECOND}
    assert [each.text for each in app.videos.comments(SECOND).items] == ["좋아요"]


def test_a_file_that_is_wrong_is_refused_with_its_place_and_none_is_kept(
    app: App, editor: Browser
) -> None:
    answer = _send(editor, ("good.info.json", info()), ("<b>.csv", b"video_id,text\nshort,word\n"))
    assert answer.status_code == 422
    assert "Nothing was imported" in answer.text
    assert "&lt;b&gt;.csv, line 2" in answer.text
    assert app.videos.list().items == ()


def test_no_file_is_told_so(editor: Browser) -> None:
    answer = _send(editor)
    assert (answer.status_code, "No file was chosen." in answer.text) == (422, True)


def test_files_that_no_page_of_this_session_sent_are_refused(app: App, editor: Browser) -> None:
    assert _send(editor, ("x.info.json", info()), mark="0" * 64).status_code == 403
    assert app.videos.list().items == ()


def test_files_larger_than_any_request_are_refused(editor: Browser) -> None:
    assert _send(editor, ("x.csv", b"x" * MAX_BODY_BYTES)).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/x-www-form-urlencoded", b"csrf=1", 415),
        ("multipart/form-data", b"", 415),
        ("multipart/form-data; boundary=b", b"", 400),
        ("multipart/form-data; boundary=b", b"--b\r\nno headers\r\n--b--\r\n", 400),
        ("multipart/form-data; boundary=b", b'--b\r\nX: "\r\n\r\nbroken off', 400),
        ("multipart/form-data; boundary=b", b"--b\r\nX: \xff\r\n\r\nx\r\n--b--", 400),
        ("multipart/form-data; boundary=b", b"--b\r\nX: 1\r\n\r\nx\r\n" * 200 + b"--b--", 400),
    ],
)
def test_what_is_no_form_with_files_is_refused(
    editor: Browser, kind: str, body: bytes, status: int
) -> None:
    answer = editor.client.post("/videos/import", content=body, headers={"content-type": kind})
    assert answer.status_code == status


def test_whoever_switches_the_language_after_a_refusal_comes_back_to_the_form(
    editor: Browser,
) -> None:
    assert 'name="next" value="/videos/import"' in _send(editor).text
    assert editor.client.get("/videos/import").headers["location"] == "/videos#import"
