"""The feed parser."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.news.latest import feed_stories
from gotgan.domains.news.models import Story
from gotgan.errors import NoStories, PageError, TruncatedPage, WrongContentType

ADDRESS = "https://finance.yahoo.com/news/rssindex"
ITEM = "<item><title>{}</title><link>{}</link><guid>x</guid><pubDate>x</pubDate></item>"
ONE = ITEM.format("One", "https://x.example/one-060559667.html?.tsrc=rss")


def _feed(*items: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> bytes:
    return (
        f'{head}<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>'
        f"<title>Yahoo! Finance</title><link>https://finance.yahoo.com/</link>{''.join(items)}"
        "</channel></rss>"
    ).encode()


def test_stories_come_in_their_order_without_tickers() -> None:
    two = ITEM.format("Two &amp; “zwei”", "https://x.example/2?a=1&amp;b=2&amp;amp;#")
    assert feed_stories(_feed(two, ONE, two), ADDRESS) == [
        Story("Two & “zwei”", "https://x.example/2?a=1&b=2&amp;#"),
        Story("One", "https://x.example/one-060559667.html?.tsrc=rss"),
        Story("Two & “zwei”", "https://x.example/2?a=1&b=2&amp;#"),
    ]


def test_a_title_and_a_link_may_stand_in_cdata_over_several_lines() -> None:
    item = ITEM.format("<![CDATA[\n A <b>\n title ]]>", "<![CDATA[\n /news/x?a&b \n]]>")
    assert feed_stories(_feed(item), ADDRESS) == [
        Story("A <b> title", "https://finance.yahoo.com/news/x?a&b")
    ]


@pytest.mark.parametrize(
    "item",
    [
        "<item/>",
        ITEM.format("", "https://x.example/"),
        ITEM.format("X", ""),
        ITEM.format("X", "javascript:x"),
        "<item><title>X</title></item>",
    ],
)
def test_an_item_without_title_or_link_is_passed_over(item: str) -> None:
    assert [story.title for story in feed_stories(_feed(item, ONE), ADDRESS)] == ["One"]
    with pytest.raises(NoStories):
        feed_stories(_feed(item), ADDRESS)


def test_a_feed_without_stories_is_an_error_that_says_what_to_do() -> None:
    for feed in (_feed(), b"<html/>", b"<feed><entry/></feed>"):
        with pytest.raises(NoStories, match=r"The feed at https://finance.*GOTGAN_RECORD=folder"):
            feed_stories(feed, ADDRESS)


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE rss>",
        "\ufeff<!DOCTYPE rss>",
        "\ufeff\ufeff<!DOCTYPE rss>",
        '<?xml version="1.0"?>\n<!-- a -->\n<?b c?> <!DOCTYPE rss [<!ENTITY a "b">]>',
        '<!DOCTYPE rss SYSTEM "file:///etc/passwd">',
    ],
)
def test_a_feed_with_a_doctype_is_not_read(head: str) -> None:
    with pytest.raises(WrongContentType, match="DOCTYPE"):
        feed_stories(_feed(ONE, head=head), ADDRESS)


def test_a_doctype_within_a_text_or_a_comment_is_only_text() -> None:
    item = ITEM.format("<![CDATA[<!DOCTYPE html>]]>", "https://x.example/")
    assert feed_stories(_feed(item), ADDRESS)[0].title == "<!DOCTYPE html>"
    commented = _feed(ONE, head="<!-- <!DOCTYPE rss> -->")
    assert len(feed_stories(commented, ADDRESS)) == 1


def test_an_entity_that_nobody_defined_makes_no_feed() -> None:
    with pytest.raises(WrongContentType, match="is not a feed"):
        feed_stories(_feed(ITEM.format("&secret;", "https://x.example/")), ADDRESS)


def test_a_feed_that_ends_in_the_middle_may_be_asked_for_again() -> None:
    whole = _feed(ONE, ITEM.format("<![CDATA[Two]]>", "https://x.example/2"))
    for length in range(len(whole)):
        with pytest.raises(TruncatedPage, match="is incomplete"):
            feed_stories(whole[:length], ADDRESS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "euc-kr"])
def test_a_feed_is_read_in_the_encoding_that_it_names(encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
    feed = _feed(ITEM.format("삼성전자", "https://x.example/"), head=head).decode().encode(encoding)
    assert feed_stories(feed, ADDRESS)[0].title == "삼성전자"


def test_the_server_is_believed_more_than_the_feed() -> None:
    feed = _feed(ITEM.format("삼성전자", "https://x.example/")).decode().encode("euc-kr")
    assert feed_stories(feed, ADDRESS, charset="euc-kr")[0].title == "삼성전자"


@pytest.mark.parametrize("feed", [_feed(), _feed(head="<!DOCTYPE rss>"), _feed()[:-9], b"{}"])
def test_a_query_may_be_private_and_is_not_told(feed: bytes) -> None:
    with pytest.raises(PageError, match=ADDRESS) as caught:
        feed_stories(feed, f"{ADDRESS}?token=secret")
    assert "secret" not in caught.value.message


def test_a_feed_in_an_encoding_that_is_none_is_read_as_utf_8() -> None:
    feed = _feed(
        ITEM.format("Zürich", "https://x.example/"), head='<?xml version="1.0" encoding="idna"?>'
    )
    assert feed_stories(feed, ADDRESS)[0].title == "Zürich"


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=80) | st.text(max_size=80).map(_feed))
def test_whatever_comes_gives_stories_or_a_page_error(feed: bytes) -> None:
    with suppress(PageError):
        feed_stories(feed, ADDRESS)
