"""Feeds of other sources: every kind, as it should be and as it should not."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.news.feeds import MAX_STORIES, feed_links, is_html, parse_feed, plain_title
from gotgan.domains.news.models import Story
from gotgan.errors import GotganError, NoStories, PageError, TruncatedPage, WrongContentType

ADDRESS = "https://wire.example/feeds/news"
STORIES = (
    Story("Shares & bonds rise", "https://wire.example/1?a=1&b=2"),
    Story("Zürich: ein Überblick", "https://wire.example/2"),
)


def _rss(items: str, head: str = '<?xml version="1.0"?>') -> bytes:
    media = 'xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"'
    return (
        f'{head}<rss version="2.0" {media}><channel><title>The Wire</title>'
        f"<link>https://wire.example/</link><image><title>Logo</title></image>{items}"
        "</channel></rss>"
    ).encode()


RSS = _rss(
    "<item><media:title>A picture</media:title><title>Shares &amp; bonds rise</title>"
    "<atom:link href='https://other.example/'/><link>https://wire.example/1?a=1&amp;b=2</link>"
    "</item>"
    "<item><title><![CDATA[Z&uuml;rich: <b>ein</b> Überblick]]></title>"
    "<guid>https://wire.example/2</guid></item>"
)
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns="http://purl.org/rss/1.0/"><channel><title>The Wire</title></channel>'
    "<item><title>Shares &amp; bonds rise</title><link>/1?a=1&amp;b=2</link></item>"
    "<item><title>Zürich: ein Überblick</title><link>https://wire.example/2</link></item></rdf:RDF>"
).encode()
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">The Wire</title>'
    "<author><name>Ada</name></author>"
    '<entry><id>x</id><link rel="edit" href="/edit"/><link rel="alternate" href="/1?a=1&amp;b=2"/>'
    '<title type="html">Shares &amp;amp; bonds &lt;em&gt;rise&lt;/em&gt;</title>'
    "<source><title>Somebody else</title></source></entry>"
    '<entry><title type="xhtml"><div>Zürich: <i>ein</i> Überblick</div></title>'
    '<link href="https://wire.example/2"/></entry></feed>'
).encode()
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">'
    "<url><loc>https://wire.example/1?a=1&amp;b=2</loc><news:news><news:publication><news:name>W"
    "</news:name></news:publication><news:title>Shares &amp; bonds rise</news:title></news:news>"
    "</url><url><loc>https://wire.example/about</loc></url>"
    "<url><loc> https://wire.example/2 </loc><news:news><news:title>Zürich: ein Überblick"
    "</news:title></news:news></url></urlset>"
).encode()
JSON = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "The Wire",
        "items": [
            {"id": "1", "url": "/1?a=1&b=2", "title": "Shares & bonds rise"},
            {"id": "2", "content_text": "a note without a title", "url": "https://wire.example/n"},
            {"id": "https://wire.example/2", "title": "Zürich: ein Überblick"},
        ],
    }
).encode()
FEEDS = {"rss": RSS, "atom": ATOM, "json": JSON, "sitemap": SITEMAP}


@pytest.mark.parametrize("kind", FEEDS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_kind_of_feed_has_the_same_stories(kind: str, packed: bool) -> None:
    body = gzip.compress(FEEDS[kind]) if packed else FEEDS[kind]
    found = parse_feed(body, "https://wire.example/feeds/news")
    assert (found.format, found.stories) == (kind, STORIES)
    assert found.title == (None if kind == "sitemap" else "The Wire")


def test_rss_of_the_year_2000_is_read_too() -> None:
    found = parse_feed(RDF, ADDRESS)
    assert (found.format, found.stories) == ("rss", STORIES)


@pytest.mark.parametrize("kind", FEEDS)
def test_a_feed_that_ends_in_the_middle_stores_nothing(kind: str) -> None:
    for length in range(1, len(FEEDS[kind]), 7):
        with pytest.raises(PageError):
            parse_feed(FEEDS[kind][:length], ADDRESS)


@pytest.mark.parametrize(
    "body",
    [
        _rss(""),
        b'<feed xmlns="http://www.w3.org/2005/Atom"/>',
        b'{"items": []}',
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>',
    ],
)
def test_a_feed_may_be_empty(body: bytes) -> None:
    assert parse_feed(body, ADDRESS).stories == ()


@pytest.mark.parametrize(
    "body",
    [
        _rss("<item><title>No link</title></item>"),
        _rss("<item><link>https://wire.example/1</link></item>"),
        _rss("<item><title>X</title><link>javascript:x()</link></item>"),
        _rss('<item><title>X</title><guid isPermaLink="false">https://x.example/</guid></item>'),
        b"<urlset><url><loc>https://wire.example/</loc></url></urlset>",
        b'{"items": [{"url": "https://wire.example/1"}]}',
    ],
)
def test_entries_without_titles_or_links_are_no_stories(body: bytes) -> None:
    with pytest.raises(NoStories, match=r"No entry of https://wire\.example/feeds/news has both"):
        parse_feed(body, ADDRESS)


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (b"<html><body>A page</body></html>", "<html>"),
        (b"<sitemapindex><sitemap><loc>https://x/</loc></sitemap></sitemapindex>", "an index of"),
        (b"just words", "syntax error"),
        (b'{"title": "no items"}', "no list of items"),
        (b"{broken", "is not a feed"),
        (b"[]", "syntax error"),
        (_rss("<item><title>X</tilte></item>"), "mismatched tag"),
    ],
)
def test_what_is_no_feed_says_why(body: bytes, cause: str) -> None:
    with pytest.raises(WrongContentType, match=cause):
        parse_feed(body, ADDRESS)


@pytest.mark.parametrize(
    "flaw",
    ["AT&T beats", "Caf&eacute; prices", "5 &gt; 4 & 3", "Up\x0b again", "A &unknown; word"],
)
def test_what_many_feeds_get_wrong_is_put_right(flaw: str) -> None:
    link = "<![CDATA[https://wire.example/1?a=1&copy=2]]>"
    found = parse_feed(_rss(f"<item><title>{flaw}</title><link>{link}</link></item>"), ADDRESS)
    [story] = found.stories
    assert story.url == "https://wire.example/1?a=1&copy=2"
    meant = {"Caf&eacute; prices": "Café prices", "5 &gt; 4 & 3": "5 > 4 & 3"}
    assert story.title == meant.get(flaw, flaw.replace("\x0b", ""))


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE rss>",
        '<!DOCTYPE rss [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>',
        '<!DOCTYPE rss SYSTEM "file:///etc/passwd">',
    ],
)
def test_a_doctype_is_refused(head: str) -> None:
    with pytest.raises(WrongContentType, match="DOCTYPE"):
        parse_feed(_rss("", head), ADDRESS)


def test_a_feed_has_bounds() -> None:
    item = "<item><title>T {}</title><link>https://wire.example/{}</link></item>"
    many = _rss("".join(item.format(n, n) for n in range(MAX_STORIES + 5)))
    found = parse_feed(many, ADDRESS)
    assert (len(found.stories), found.entries) == (MAX_STORIES, MAX_STORIES + 5)
    with pytest.raises(WrongContentType, match="nests more than 100"):
        parse_feed(_rss("<a>" * 200), ADDRESS)
    bomb = gzip.compress(b" " * 50_000_000)
    with pytest.raises(GotganError, match="10,000,000"):
        parse_feed(bomb, ADDRESS)
    long = _rss(f"<item><title>{'x' * 100_000}</title><link>https://x.example/</link></item>")
    [story] = parse_feed(long, ADDRESS).stories
    assert len(story.title) == 500
    assert story.title.endswith("…")


def test_a_feed_of_many_open_sections_is_refused_at_once() -> None:
    with pytest.raises((WrongContentType, TruncatedPage)):
        parse_feed(b"<rss>&x;" + b"<![CDATA[" * 200_000, ADDRESS)


def test_a_feed_in_the_middle_of_a_tag_may_be_asked_for_again() -> None:
    with pytest.raises(TruncatedPage) as caught:
        parse_feed(RSS[:-20], ADDRESS)
    assert caught.value.retry


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Plain", "Plain"),
        ("A &amp; B", "A & B"),
        ("A &amp;amp; B", "A & B"),
        ("&lt;b&gt;Bold&lt;/b&gt; news", "Bold news"),
        ("  two\n lines ", "two lines"),
        ("Profit < loss > nothing", "Profit < loss > nothing"),
        ("", ""),
    ],
)
def test_a_title_is_shown_without_its_html(written: str, meant: str) -> None:
    assert plain_title(written) == meant


PAGE = b"""<!doctype html><html><head><title>The Wire</title>
<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments.xml">
<link rel="Alternate" type="application/atom+xml; charset=utf-8" href="atom.xml">
<link rel="alternate" type="application/feed+json" href="https://cdn.example/feed.json">
<link rel="alternate" hreflang="ko" href="/ko/"><link rel="stylesheet" type="text/css" href="/x">
<link rel="alternate" type="application/rss+xml" href="javascript:x()">
</head><body></body></html>"""


def test_a_page_names_its_feeds() -> None:
    assert is_html(PAGE)
    assert feed_links(PAGE, "https://wire.example/world/") == [
        "https://wire.example/world/atom.xml",
        "https://cdn.example/feed.json",
        "https://wire.example/comments.xml",
    ]


@pytest.mark.parametrize("kind", FEEDS)
def test_a_feed_is_no_page(kind: str) -> None:
    assert not is_html(FEEDS[kind])


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=80) | st.text(max_size=80).map(_rss))
def test_whatever_comes_is_a_feed_or_an_error_of_ours(body: bytes) -> None:
    with suppress(GotganError):
        parse_feed(body, ADDRESS)
