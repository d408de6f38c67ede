"""Tickers: from the JSON that a list page carries, or else as the page shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.news.latest import latest_stories
from tests.unit.domains.news.pages import (
    ADDRESS,
    SHAPES,
    Card,
    document,
    fetched,
    in_2024,
    on_quote_pages,
    on_the_topic_page,
    story,
)

UUID = "0a1b2c3d-1111-3222-8333-444455556666"
OTHER = "ffffffff-1111-3222-8333-444455556666"
BARE = Card(uuid=UUID)
CHIPS = Card(tickers=["NVDA", "AMD"])


def _tickers(body: str, *scripts: str) -> list[tuple[str, ...]]:
    return [story.tickers for story in latest_stories(document(body, *scripts), ADDRESS)]


def _script(text: str) -> str:
    return f'<script type="application/json" data-sveltekit-fetched>{text}</script>'


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_the_json_gives_a_story_its_tickers(shape: Any) -> None:
    cards = [Card("One", "/one.html"), Card("Two", "/two.html"), Card("Three", "/three.html")]
    known = [Card("Two", "/two.html", ["B", "C"]), Card("One", "/one.html", ["A"])]
    script = fetched(*(story(card) for card in known))
    assert _tickers(shape(cards), script) == [("A",), ("B", "C"), ()]


def test_tickers_are_in_capitals_once_and_in_their_order() -> None:
    card = Card(tickers=[" nvda", "BRK-B", "NVDA ", "", "^GSPC", "brk-b"])
    for page in (in_2024([card]), on_the_topic_page([card])):
        assert _tickers(page) == [("NVDA", "BRK-B", "^GSPC")]
    assert _tickers(on_quote_pages([card]), fetched(story(card))) == [("NVDA", "BRK-B", "^GSPC")]


def test_what_the_page_shows_counts_where_the_json_says_nothing() -> None:
    for page in (in_2024([CHIPS]), on_the_topic_page([CHIPS])):
        assert _tickers(page) == [("NVDA", "AMD")]
        assert _tickers(page, fetched(story(Card()))) == [("NVDA", "AMD")]


def test_the_json_is_believed_more_than_what_the_page_shows() -> None:
    script = fetched(story(Card(tickers=["TSM", "NVDA", "AMD"])))
    assert _tickers(in_2024([CHIPS]), script) == [("TSM", "NVDA", "AMD")]


def test_a_ticker_without_a_label_shows_only_its_symbol() -> None:
    page = """<ul class="stream-items"><li class="story-item"><a href="/x"><h3>X</h3></a>
      <a data-testid="ticker-container" aria-label="" href="/quote/NVDA">
        <span class="symbol">NVDA</span> +1.2%</a></li></ul>"""
    assert _tickers(page) == [("NVDA",)]


@pytest.mark.parametrize("name", ["canonicalUrl", "clickThroughUrl"])
def test_a_story_is_found_by_either_of_its_addresses(name: str) -> None:
    href = "https://publisher.example/a?src=A00220&yptr=yahoo"
    links: dict[str, Any] = {"canonicalUrl": None, "clickThroughUrl": None, name: {"url": href}}
    page = on_quote_pages([Card(href=href)])
    assert _tickers(page, fetched(story(CHIPS, **links))) == [("NVDA", "AMD")]


def test_a_story_is_found_by_its_address_without_the_query() -> None:
    known = story(CHIPS, clickThroughUrl={"url": "https://publisher.example/a#top"})
    page = on_quote_pages([Card(href="https://publisher.example/a?src=A00220&yptr=yahoo#x")])
    assert _tickers(page, fetched(known)) == [("NVDA", "AMD")]


def test_stories_that_differ_only_in_their_query_are_not_mixed_up() -> None:
    one = story(Card(href="https://p.example/story?id=1", tickers=["A"]))
    two = story(Card(href="https://p.example/story?id=2", tickers=["B"]))
    cards = [Card(href=f"https://p.example/story?id={n}") for n in (1, 2, 3)]
    assert _tickers(on_quote_pages(cards), fetched(one, two)) == [("A",), ("B",), ()]


@pytest.mark.parametrize("uuid", [UUID, UUID.upper()])
@pytest.mark.parametrize("unread", ["data-ylk", "data-yga"])
def test_a_story_is_found_by_its_uuid(unread: str, uuid: str) -> None:
    page = on_quote_pages([Card(uuid=uuid)]).replace(unread, "data-x")
    known = story(CHIPS, clickThroughUrl=None)
    for entry in ({**known, "id": UUID.upper()}, story(CHIPS, clickThroughUrl=None, id=UUID)):
        assert _tickers(page, fetched(entry)) == [("NVDA", "AMD")]
    assert _tickers(page, fetched({**known, "id": OTHER})) == [()]


def test_a_uuid_is_surer_than_an_address_without_its_query() -> None:
    other = story(Card(href="/x?a=1", tickers=["A"]))
    this = story(Card(href="https://elsewhere.example/", tickers=["B"], uuid=UUID))
    page = on_quote_pages([Card(href="/x?a=2", uuid=UUID)])
    assert _tickers(page, fetched(other, this)) == [("B",)]


def test_several_scripts_are_read_and_those_that_failed_are_not() -> None:
    scripts = [
        fetched(story(Card(tickers=["WRONG"])), status=500),
        _script('{"status":200,"body":"stockTickers, but not as JSON"}'),
        _script('{"stockTickers'),
        fetched(story(Card("Two", "/two", ["B"]))),
        fetched(story(CHIPS)),
    ]
    page = on_quote_pages([Card(), Card("Two", "/two")])
    assert _tickers(page, *scripts) == [("NVDA", "AMD"), ("B",)]


def test_what_was_said_first_stays_and_nothing_is_not_said() -> None:
    known = [story(Card(tickers=tickers)) for tickers in ([], ["A"], ["B"])]
    assert _tickers(on_quote_pages([Card()]), fetched(*known)) == [("A",)]


def test_of_two_streams_the_first_one_that_knows_a_story_counts() -> None:
    streams = {name: {"stream": [story(Card(tickers=[name]))]} for name in ("FIRST", "SECOND")}
    script = _script(json.dumps({"status": 200, "body": {"data": streams}}))
    assert _tickers(on_quote_pages([Card()]), script) == [("FIRST",)]


def test_a_body_may_be_an_object_and_the_stream_may_stand_elsewhere() -> None:
    stream = {"other": [{"deeper": {"items": [story(CHIPS)]}}]}
    for whole in ({"status": 200, "body": stream}, {"body": stream}, stream, [stream]):
        script = _script(json.dumps(whole))
        assert _tickers(on_quote_pages([Card()]), script) == [("NVDA", "AMD")]


def test_a_text_that_was_cut_in_the_middle_of_a_character_costs_no_tickers() -> None:
    known = story(Card(tickers=["NVDA", "\ud83d"]), summary="cut \ud83d")
    assert _tickers(on_quote_pages([Card()]), fetched(known)) == [("NVDA",)]


def test_json_that_is_nested_too_deeply_is_passed_over() -> None:
    script = _script('{"stockTickers":' + "[" * 100_000)
    assert _tickers(in_2024([CHIPS]), script) == [("NVDA", "AMD")]


def test_an_id_that_is_nested_deeply_costs_no_tickers() -> None:
    entry = json.dumps({**story(CHIPS), "id": "DEEP"})
    script = _script(entry.replace('"DEEP"', "[" * 1_000 + "]" * 1_000))
    assert _tickers(on_quote_pages([Card()]), script) == [("NVDA", "AMD")]


ODD: list[Any] = [None, 1, "x", [], {}, [None], {"url": 1}, {"stockTickers": {}}]


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("name", ["finance", "canonicalUrl", "clickThroughUrl", "id"])
def test_a_part_of_another_kind_is_passed_over(name: str, odd: Any) -> None:
    script = fetched(story(CHIPS, **{name: odd}), None, "x", 1, [], story(CHIPS))
    assert _tickers(on_quote_pages([Card()]), script) == [("NVDA", "AMD")]


def test_tickers_of_another_kind_are_passed_over() -> None:
    listed = {"stockTickers": [None, {}, {"symbol": 1}, "AMD", {"symbol": "NVDA"}, ["X"]]}
    script = fetched(story(Card(), finance=listed))
    assert _tickers(on_quote_pages([Card()]), script) == [("AMD", "NVDA")]


NAMES = st.sampled_from(
    [
        "status",
        "body",
        "data",
        "stream",
        "content",
        "finance",
        "stockTickers",
        "symbol",
        "id",
        "url",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=50, deadline=None)
@given(JSON, st.booleans())
def test_no_json_stops_the_list_from_being_read(value: Any, as_text: bool) -> None:
    inner = json.dumps(value) if as_text else value
    text = json.dumps({"status": 200, "body": inner, "stockTickers": value}).replace("<", "\\u003C")
    assert len(_tickers(on_quote_pages([BARE, CHIPS]), _script(text))) == 2
