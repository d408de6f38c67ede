"""Previews: what a script is given while somebody types, also when their session has ended."""

from __future__ import annotations

import pytest

from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser

PREVIEWS = [
    ("/site/preview", "article-preview"),
    ("/site/banners/preview", "banner-preview"),
]


@pytest.mark.parametrize(("path", "target"), PREVIEWS)
def test_whoever_is_signed_out_is_told_so_and_led_nowhere(
    enter: Enter, path: str, target: str
) -> None:
    headers = {"HX-Request": "true", "HX-Target": target, "HX-Current-URL": "http://any/site"}
    answer = enter("").client.post(path, data={"title": "Mine"}, headers=headers)
    assert answer.status_code == 401
    assert "hx-redirect" not in answer.headers
    assert f'<div id="{target}"' in answer.text
    assert "Sign in in another tab" in answer.text
    assert "<html" not in answer.text


def test_the_form_of_another_session_is_told_where_the_preview_was(editor: Browser) -> None:
    headers = {"HX-Request": "true", "HX-Target": "article-preview"}
    answer = editor.client.post("/site/preview", data={"csrf": "old"}, headers=headers)
    assert answer.status_code == 403
    assert '<div id="article-preview"' in answer.text
    assert "belongs to another session" in answer.text
    assert "<html" not in answer.text


def test_a_target_is_no_markup(enter: Enter) -> None:
    headers = {"HX-Request": "true", "HX-Target": '"><script>'}
    answer = enter("").client.post("/site/preview", data={"a": "b"}, headers=headers)
    assert answer.status_code == 401
    assert "<script>" not in answer.text


def test_without_a_script_the_whole_page_says_it(enter: Enter) -> None:
    answer = enter("").client.post("/site/preview", data={"contents": "kept"})
    assert answer.status_code == 401
    assert answer.text.startswith("<!doctype html>")
    assert "kept" in answer.text
