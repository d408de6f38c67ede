"""The list parser on pages of every shape that the list has had."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.news.latest import latest_stories
from gotgan.domains.news.models import Story
from gotgan.errors import NoStories, PageError
from tests.unit.domains.news.pages import (
    ADDRESS,
    SHAPES,
    Card,
    document,
    in_2024,
    on_quote_pages,
    on_the_topic_page,
)

Shape = Callable[[Iterable[Card]], str]

UUID = "0a1b2c3d-1111-3222-8333-444455556666"
SITE = "https://finance.yahoo.com"
few = settings(max_examples=50, deadline=None)
HREFS = {
    "/news/chip-maker-lifts-forecast-060559667.html": SITE,
    "/markets/stocks/articles/banks-report-123456789.html": SITE,
    "/video/what-to-watch-120000123.html": SITE,
    f"/m/{UUID}/a-slug.html": SITE,
    "/research/reports/ARGUS_43216_X_1744369279000?yptr=yahoo&ncid=a&amp=b": SITE,
    "/news/with-an-empty-query-060559667.html?": SITE,
    "/news/with-an-empty-fragment-060559667.html#": SITE,
    "/a/../b/./c//d-060559667.html": SITE,
    "https://www.publisher.example/story?src=A00220&yptr=yahoo": "",
    "HTTP://WWW.Publisher.Example:80/Story?#": "",
    "https://publisher.example/%7Ea/é?q=가#x": "",
    "//other.example/x?": "https:",
    "story-060559667.html": ADDRESS,
    "?page=2": ADDRESS,
}
NO_PAGES = ["", " ", "#", "#top", "javascript:void(0)", "JavaScript:x", "mailto:a@b.example"]
NO_PAGES += ["tel:1", "data:text/html,x", "ftp://a.example/b", "https:", "https://", "http:///x"]
NO_PAGES += ["//", "https://[x/", "//[x/", "\x01//[x/", "https:/x"]


STORY = '<a href="/x"><h3>X</h3></a>'
STORY_ITEM = f'<div class="story-item">{STORY}</div>'


def _read(body: str, *scripts: str) -> list[Story]:
    return latest_stories(document(body, *scripts), ADDRESS)


def _card(inner: str) -> str:
    return f'<ul class="stream-items"><li class="story-item">{inner}</li></ul>'


def _urls(body: str) -> list[str]:
    return [story.url for story in _read(body)]


@pytest.fixture(params=SHAPES.values(), ids=list(SHAPES))
def shape(request: pytest.FixtureRequest) -> Shape:
    found: Shape = request.param
    return found


def test_stories_come_in_page_order_without_ads_and_sidebars(shape: Shape) -> None:
    cards = [Card(f"Story {n}", f"/news/story-{n}-06055966{n}.html") for n in (3, 1, 2)]
    assert _read(shape(cards)) == [Story(card.title, SITE + card.href) for card in cards]


def test_a_story_that_is_listed_twice_is_given_twice(shape: Shape) -> None:
    card = Card()
    assert _urls(shape([card, Card("Another", "/x.html"), card])) == [
        SITE + card.href,
        f"{SITE}/x.html",
        SITE + card.href,
    ]


@pytest.mark.parametrize(("href", "front"), HREFS.items(), ids=HREFS.keys())
def test_a_link_is_taken_as_it_stands(shape: Shape, href: str, front: str) -> None:
    assert _urls(shape([Card(href=href)])) == [front + href]


@pytest.mark.parametrize("href", NO_PAGES)
def test_a_link_that_leads_to_no_page_is_no_story(shape: Shape, href: str) -> None:
    assert _urls(shape([Card(href=href), Card(href="/x.html")])) == [f"{SITE}/x.html"]


def test_white_space_around_a_link_is_not_part_of_it(shape: Shape) -> None:
    assert _urls(shape([Card(href=" \n\t/x.html\f\r\n ")])) == [f"{SITE}/x.html"]


def test_other_space_around_a_link_is_part_of_it(shape: Shape) -> None:
    assert _urls(shape([Card(href="https://a.example/x\u00a0")])) == ["https://a.example/x\u00a0"]


def test_a_link_is_unescaped_once_and_no_more() -> None:
    page = on_the_topic_page([Card(href="/x?a=1&amp;b=2&lt;")])
    assert "&amp;amp;" in page
    assert _urls(page) == [f"{SITE}/x?a=1&amp;b=2&lt;"]


def test_links_do_not_depend_on_the_path_of_the_list() -> None:
    page = document(in_2024([Card(href="/x"), Card(href="y"), Card(href="//z.example/")]))
    found = latest_stories(page, "http://127.0.0.1:8000/a/list?b=/c")
    assert [story.url for story in found] == [
        "http://127.0.0.1:8000/x",
        "http://127.0.0.1:8000/a/y",
        "http://z.example/",
    ]


def test_a_list_at_the_root_of_its_host_gives_the_same_links() -> None:
    found = latest_stories(document(in_2024([Card(href="/x")])), "https://news.example?list#now")
    assert found[0].url == "https://news.example/x"


def test_a_title_is_the_headline_on_one_line(shape: Shape) -> None:
    title = "  Fed\n    cuts\trates –  “소폭” & <b>\u00a0½ 🚀 "
    assert _read(shape([Card(title)]))[0].title == "Fed cuts rates – “소폭” & <b>\u00a0½ 🚀"


def test_a_title_in_several_elements_is_one_title() -> None:
    page = in_2024([Card("MARK")]).replace(">MARK</h3>", "><b>Fed</b> cuts <i>rates</i></h3>")
    assert _read(page)[0].title == "Fed cuts rates"


def test_without_a_headline_the_title_of_the_link_counts(shape: Shape) -> None:
    card = Card()
    page = shape([card]).replace("<h3", "<span").replace("</h3>", "</span>")
    assert _read(page) == [Story(card.title, SITE + card.href)]


def test_an_empty_headline_gives_way_to_the_title_of_the_link() -> None:
    page = '<a href="/x" title="The title"><h3> </h3></a>'
    assert _read(_card(page)) == [Story("The title", f"{SITE}/x")]


def test_a_link_inside_the_headline_is_its_link() -> None:
    page = '<a href="/y" title="Y">i</a><h3><a href="/x">X</a></h3>'
    assert _read(_card(page)) == [Story("X", f"{SITE}/x")]


def test_a_link_beside_the_headline_must_say_that_it_is_the_story() -> None:
    page = '<h3>X</h3><a href="/author" title="Reuters">A</a>'
    with pytest.raises(NoStories):
        _read(_card(page))
    for said in ('title=" X "', 'class="titles"'):
        assert _urls(_card(f'{page}<a href="/x" {said}>go</a>')) == [f"{SITE}/x"]


def test_a_ticker_is_never_taken_for_the_story() -> None:
    for mark in ('data-testid="ticker-container"', 'class="ticker-link"'):
        with pytest.raises(NoStories):
            _read(_card(f'<h3>X</h3><a {mark} href="/quote/X" title="X">X</a>'))


@pytest.mark.parametrize("title", ["", "  \n ", "\u00a0"])
def test_a_card_without_a_title_is_no_story(shape: Shape, title: str) -> None:
    assert [story.title for story in _read(shape([Card(title), Card("Told")]))] == ["Told"]


def test_a_card_without_a_link_is_no_story() -> None:
    page = in_2024([Card("Untold"), Card("Told")]).replace("href=", "data-href=", 3)
    assert [story.title for story in _read(page)] == ["Told"]
    with pytest.raises(NoStories):
        _read(page.replace("href=", "data-href="))


def test_cards_in_cards_and_links_beside_links_are_one_story() -> None:
    inner = (
        '<a href="/x" title="X"><img></a><a href="/x" title="X"><h3>X</h3></a><a href="/x">…</a>'
    )
    for page in (
        f'<section data-testid="storyitem">{inner}</section>',
        f'<div data-testid="stream-card"><div class="story-item">{inner}</div>{inner}</div>{inner}',
        inner,
    ):
        assert _read(_card(page)) == [Story("X", f"{SITE}/x")]


def test_cards_in_cards_are_one_story_however_many_there_are() -> None:
    assert _read(_card('<div class="story-item">' * 900 + STORY)) == [Story("X", f"{SITE}/x")]


def test_a_link_around_a_whole_card_is_its_link() -> None:
    card = '<div class="story-item"><h3>{}</h3></div>'
    one, other = card.format("One"), card.format("Other")
    page = f'<a href="/x"><div>{one}</div></a><a href="/y"><p>{other}</p></a>'
    assert _read(f'<div class="stream-items">{page}</div>') == [
        Story("One", f"{SITE}/x"),
        Story("Other", f"{SITE}/y"),
    ]


def test_a_marked_card_counts_even_if_what_is_around_it_looks_like_one() -> None:
    card = '<div data-testid="stream-card"><a href="/x"><h3>X</h3></a></div>'
    page = f'<ul data-testid="list-ds"><li class="story-item">{card}</li></ul>'
    assert _read(page) == [Story("X", f"{SITE}/x")]


def test_a_card_that_only_sounds_like_an_ad_is_kept() -> None:
    page = in_2024([Card()]).replace("stream-item story-item", "road-items story-item")
    assert len(_read(page)) == 1


def test_what_stands_beside_the_stream_is_not_taken() -> None:
    beside = '<section class="story-item"><a href="/beside"><h3>Beside</h3></a></section>'
    for shape in SHAPES.values():
        assert [s.title for s in _read(beside + shape([Card("In")]) + beside)] == ["In"]


def test_of_two_streams_the_longer_one_is_the_list() -> None:
    short, long = in_2024([Card("Beside")]), on_quote_pages([Card("One"), Card("Two")])
    for page in (short + long, long + short):
        assert [story.title for story in _read(page)] == ["One", "Two"]


def test_a_stream_in_a_stream_is_a_part_of_it() -> None:
    cards = "".join(f'<i class="story-item"><a href="/{n}"><h3>X</h3></a></i>' for n in range(4))
    inner = f'<div class="stream-items">{cards}</div>'
    assert len(_read(f'<div class="stream-items">{inner}{STORY_ITEM}{inner}</div>')) == 9


def test_an_empty_topic_stream_is_not_replaced_by_a_sidebar() -> None:
    with pytest.raises(NoStories):
        _read(on_the_topic_page([]))


@pytest.mark.parametrize(
    "card",
    [
        f'<li><section data-testid="storyitem">{STORY}</section></li>',
        f'<li class="story-item">{STORY}</li>',
        f'<div class="stream-item"><section data-testid="storyitem">{STORY}</section></div>',
        f'<li><div data-testid="stream-card">{STORY}</div></li>',
    ],
)
def test_without_any_stream_the_lists_of_the_page_are_read(card: str) -> None:
    assert _read(card * 2) == [Story("X", f"{SITE}/x")] * 2


@pytest.mark.parametrize("around", ["aside", "nav", "header", "footer"])
def test_without_any_stream_what_is_above_or_beside_is_still_not_taken(around: str) -> None:
    item = f'<li><section class="story-item" data-testid="storyitem">{STORY}</section></li>'
    hero = f'<section data-testid="storyitem">{STORY}</section>'
    with pytest.raises(NoStories):
        _read(f"{hero}<{around}><ul>{item}</ul></{around}>")


def test_the_hashes_of_a_build_do_not_matter() -> None:
    page = in_2024([Card()])
    assert _read(page.replace("yf-", "qq-")) == _read(page)


@pytest.mark.parametrize(
    "page",
    [b"", b" ", b"\x00", b"\x1f\x8b\x08\x00rest", bytes(range(256)), b"<html></html>", b"{}"],
)
def test_a_page_without_stories_is_an_error_that_says_what_to_do(page: bytes) -> None:
    with pytest.raises(NoStories, match=r"list at https://finance.*GOTGAN_RECORD=folder"):
        latest_stories(page, ADDRESS)


@pytest.mark.parametrize("tag", ["<div>", '<div class="story-item">', '<ul class="stream-items">'])
def test_a_list_that_nests_without_end_is_an_error_at_once(tag: str) -> None:
    with pytest.raises(NoStories, match=r"list at https://finance.*nests more than 1,000 elements"):
        _read(_card(tag * 20_000 + STORY))


def test_a_query_may_be_private_and_is_not_told() -> None:
    for page in (b"", b"<div>" * 2_000):
        with pytest.raises(NoStories) as caught:
            latest_stories(page, f"{ADDRESS}?token=secret")
        assert "secret" not in caught.value.message


@pytest.mark.parametrize("declared", ["euc-kr", "windows-1252", "utf-8", "nobody-knows", "rot13"])
def test_a_page_is_read_in_the_encoding_that_it_names(declared: str) -> None:
    codec, title = {
        "euc-kr": ("cp949", "삼성전자 똠방각하"),
        "windows-1252": ("cp1252", "“Zürich” – 5 €"),
    }.get(declared, ("utf-8", "“Zürich” 삼성 🚀"))
    page = in_2024([Card(title)])
    by_page = f'<html><meta charset="{declared}">{page}'.encode(codec)
    assert latest_stories(by_page, ADDRESS)[0].title == title
    assert latest_stories(page.encode(codec), ADDRESS, charset=declared)[0].title == title


@pytest.mark.parametrize("charset", ["\udcff", "a\0b", "utf-16", "unicode_escape", " "])
def test_an_encoding_that_is_none_is_utf_8(charset: str) -> None:
    page = document(in_2024([Card("Zürich")]))
    assert latest_stories(page, ADDRESS, charset=charset)[0].title == "Zürich"


def test_the_server_is_believed_more_than_the_page_and_a_mark_more_than_both() -> None:
    page = f'<meta charset="euc-kr">{in_2024([Card("Zürich")])}'
    assert latest_stories(page.encode(), ADDRESS, charset="utf-8")[0].title == "Zürich"
    marked = page.encode("utf-8-sig")
    assert latest_stories(marked, ADDRESS, charset="euc-kr")[0].title == "Zürich"


def test_bytes_that_cannot_be_read_spoil_nothing_but_themselves() -> None:
    page = document(in_2024([Card("Z\u00fcrich MARK")])).replace(b"MARK", b"\xff\xfe")
    assert latest_stories(page, ADDRESS)[0].title == "Zürich \ufffd\ufffd"


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
FRAGMENTS = st.sampled_from(
    [shape([Card()]) for shape in SHAPES.values()]
    + ["<ul class=stream-items>", "<li class=story-item>", "<h3>", "</a>", "<a href=", "</ul>"]
    + ["<script type=application/json>", '{"stockTickers":[', "<!--", "</script>", "&#xD800;"]
    + ["<template>", "<svg>", "<table>", '"', "data-testid=storyitem>"]
)


@few
@given(st.lists(FRAGMENTS | TEXT, max_size=12).map("".join) | TEXT)
def test_whatever_comes_gives_stories_or_a_page_error(page: str) -> None:
    try:
        found = latest_stories(page.encode(), ADDRESS)
    except PageError:
        return
    assert all(story.title and story.url.startswith("http") for story in found)


@few
@given(st.binary(max_size=200), st.text(max_size=10) | st.none())
def test_whatever_bytes_come_give_stories_or_a_page_error(junk: bytes, charset: str | None) -> None:
    with pytest.raises(PageError):
        latest_stories(junk, ADDRESS, charset=charset)


@few
@given(st.lists(TEXT.map("https://host.example/".__add__), min_size=1, max_size=5))
def test_any_absolute_links_that_are_put_in_come_out_unchanged(urls: list[str]) -> None:
    for shape in SHAPES.values():
        assert _urls(shape([Card(href=url) for url in urls])) == [url.strip(" ") for url in urls]


@few
@given(TEXT)
def test_any_path_that_is_put_in_comes_out_behind_its_host(path: str) -> None:
    href = f"/x{path}x"
    assert _urls(_card(f'<a href="{escape(href)}"><h3>X</h3></a>')) == [SITE + href]
