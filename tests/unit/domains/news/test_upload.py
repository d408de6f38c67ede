"""What is handed over is checked whole before anything is stored, and stays as it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gotgan.app import App
from gotgan.domains.news.models import Story
from gotgan.domains.news.upload import parse_stories
from gotgan.errors import BadUpload

URL = "https://finance.yahoo.com/news/some-article?src=latest&guccounter=1"


def story(**changes: Any) -> dict[str, Any]:
    return {"title": "A headline", "url": URL, "tickers": ["NVDA", "PLTR"], **changes}


def listed(*entries: Any) -> bytes:
    return json.dumps(entries).encode()


def test_a_list_is_taken_as_it_stands() -> None:
    assert parse_stories(listed(story())) == [Story("A headline", URL, ("NVDA", "PLTR"))]


def test_lines_are_taken_like_a_list() -> None:
    lines = b"\n".join(
        [json.dumps(story()).encode(), b"", json.dumps(story(url=URL + "#2")).encode()]
    )
    assert [each.url for each in parse_stories(lines)] == [URL, URL + "#2"]


@pytest.mark.parametrize("tickers", [None, []])
def test_there_may_be_no_tickers(tickers: Any) -> None:
    without = {"title": "A headline", "url": URL}
    for entry in (without, story(tickers=tickers)):
        assert parse_stories(listed(entry))[0].tickers == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://finance.yahoo.com/news/a?",
        "https://finance.yahoo.com/news/a#",
        "https://finance.yahoo.com/../news/%7Ea",
        "HTTPS://Finance.Yahoo.com/News/A",
        "https://finance.yahoo.com/news/가나다?q=한국",
    ],
)
def test_no_letter_of_an_address_is_changed(url: str) -> None:
    assert parse_stories(listed(story(url=url)))[0].url == url


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("text", "not an object"),
        ([], "not an object"),
        (story(title=""), "title"),
        (story(title="  "), "title"),
        (story(title=7), "title"),
        (story(url=""), "url"),
        (story(url="/news/a-060559667.html"), "http"),
        (story(url="ftp://example.com/a"), "http"),
        (story(url="https://"), "http"),
        (story(url="https://[::1"), "http"),
        (story(url=f" {URL}"), "http"),
        (story(tickers="NVDA"), "tickers"),
        (story(tickers=[1]), "tickers"),
        (story(url_norm=URL), "url_norm"),
    ],
)
def test_a_story_that_is_wrong_is_named_and_nothing_is_taken(entry: Any, said: str) -> None:
    with pytest.raises(BadUpload, match="Nothing was stored: story 2: ") as refused:
        parse_stories(listed(story(), entry))
    assert said in refused.value.message


@pytest.mark.parametrize("document", [b"[", b"{", b"nonsense", b'["\\ud800"]', b"\xff"])
def test_what_is_no_json_is_refused_with_what_to_hand_over(document: bytes) -> None:
    with pytest.raises(BadUpload, match="Upload a JSON list of objects"):
        parse_stories(document)


def test_of_many_wrong_stories_the_first_are_told_and_the_rest_counted() -> None:
    with pytest.raises(BadUpload, match=r"story 5: .*; and 7 more"):
        parse_stories(listed(*[story(title="")] * 12))


@pytest.mark.parametrize("bad", [Story("A", "https://a.test/\ud800"), Story(None, URL), {}])  # type: ignore[arg-type]
def test_a_library_call_with_a_story_that_cannot_be_stores_nothing(bad: Any) -> None:
    with App.in_memory() as app:
        with pytest.raises(BadUpload, match="Nothing was stored"):
            app.news.upload([Story("A headline", URL), bad])
        assert list(app.news.list()) == []


@pytest.mark.parametrize("document", [b"", b" \n", b"[]"])
def test_nothing_is_no_story_and_no_error(document: bytes) -> None:
    assert parse_stories(document) == []


def test_a_byte_order_mark_is_no_story() -> None:
    assert len(parse_stories(b"\xef\xbb\xbf" + listed(story()))) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": "x" * 2_001}, "2,000 characters"),
        ({"url": "https://a.test/" + "x" * 4_000}, "4,000 characters"),
        ({"url": "https://a.test/\nb"}, "not the http"),
        ({"url": "https://a.test:99999/b"}, "not the http"),
        ({"tickers": ["A"] * 201}, "tickers"),
        ({"tickers": ["A" * 33]}, "tickers"),
    ],
    ids=str,
)
def test_what_is_beyond_all_measure_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadUpload, match=said):
        parse_stories(listed(story(**changes)))


@pytest.mark.parametrize("source", ["", " ", "x" * 101, "a\nb"])
def test_a_source_is_a_short_name(source: str) -> None:
    with App.in_memory() as app, pytest.raises(BadUpload, match="short name"):
        app.news.upload([Story("A headline", URL)], source=source)


@pytest.mark.parametrize("tickers", ["NVDA", [1], (None,)], ids=str)
def test_a_story_has_a_list_of_tickers(tickers: Any) -> None:
    with pytest.raises(BadUpload, match="list of texts"):
        Story("A headline", URL, tickers)
