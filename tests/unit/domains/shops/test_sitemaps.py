"""Sitemaps of every kind, and what strangers call one."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.shops import sitemaps
from gotgan.domains.shops.sitemaps import ListedUrl, Sitemap, parse_sitemap, walk_sitemaps

AT = "https://antik.example/sitemap.xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
JANUARY = datetime(2026, 1, 15, tzinfo=UTC)
URLSET = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {SPACE} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://antik.example/stuhl?utm_source=x </loc><lastmod>2026-01-15</lastmod>
<image:image><image:loc>https://antik.example/bild</image:loc></image:image></url>
<url><loc><![CDATA[https://antik.example/a?b=1&c=2]]></loc></url>
<url><loc>https://antik.example/b?c=1&amp;d=2</loc><lastmod>soon</lastmod></url>
<url><loc>https://antik.example/stuhl</loc></url>
<url><lastmod>2026-01-15</lastmod></url>
</urlset>""".encode()
PAGES = (
    ListedUrl("https://antik.example/stuhl", JANUARY),
    ListedUrl("https://antik.example/a?b=1&c=2"),
    ListedUrl("https://antik.example/b?c=1&d=2"),
)


def test_pages_come_in_their_order_each_once_and_in_one_spelling() -> None:
    assert parse_sitemap(URLSET, AT) == Sitemap(pages=PAGES)


@pytest.mark.parametrize("members", [1, 2])
def test_a_packed_sitemap_is_the_same(members: int) -> None:
    half = len(URLSET) // members
    packed = gzip.compress(URLSET[:half]) + (gzip.compress(URLSET[half:]) if members > 1 else b"")
    assert parse_sitemap(packed, AT) == Sitemap(pages=PAGES)


def test_an_index_lists_sitemaps() -> None:
    body = f"""<sitemapindex {SPACE}>
    <sitemap><loc>https://antik.example/1.xml.gz</loc><lastmod>2026-01-15T01:00+01:00</lastmod>
    </sitemap><sitemap><loc>/2.xml?from=1</loc></sitemap></sitemapindex>"""
    assert parse_sitemap(body.encode(), AT).sitemaps == (
        ListedUrl("https://antik.example/1.xml.gz", JANUARY),
        ListedUrl("https://antik.example/2.xml?from=1"),
    )


def test_plain_lines_are_pages() -> None:
    body = b"\xef\xbb\xbfhttps://antik.example/a\r\n\r\nnonsense\nhttps://antik.example/b\n"
    pages = (ListedUrl("https://antik.example/a"), ListedUrl("https://antik.example/b"))
    assert parse_sitemap(body, AT) == Sitemap(pages=pages)


def test_a_feed_lists_its_items() -> None:
    rss = b"""<rss><channel><link>https://antik.example/</link>
    <item><link>https://antik.example/a</link>
    <pubDate>Thu, 15 Jan 2026 01:00:00 +0100</pubDate></item></channel></rss>"""
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://antik.example/"/>
    <entry><link rel="enclosure" href="https://antik.example/x"/>
    <link href="https://antik.example/a"/><link href="https://antik.example/en/a" rel="self"/>
    <updated>2026-01-15T00:00:00Z</updated></entry></feed>"""
    expected = Sitemap(pages=(ListedUrl("https://antik.example/a", JANUARY),))
    assert parse_sitemap(rss, AT) == parse_sitemap(atom, AT) == expected


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-01", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-01-15T00:00:00.000Z", JANUARY),
        ("2026-01-15 00:00:00", JANUARY),
        ("2026-01-14T15:00:00-09:00", JANUARY),
        ("0001-01-01T00:00:00+14:00", None),
        ("15.01.2026", None),
        ("", None),
    ],
)
def test_a_time_is_in_utc_or_left_out(text: str, moment: datetime | None) -> None:
    body = f"<urlset><url><loc>https://a.example/</loc><lastmod>{text}</lastmod></url></urlset>"
    assert parse_sitemap(body.encode(), AT).pages == (ListedUrl("https://a.example/", moment),)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "windows-1252"])
def test_a_sitemap_may_be_written_in_another_encoding(encoding: str) -> None:
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    body = f"{declared}<urlset><url><loc>https://a.example/ä</loc></url></urlset>"
    [page] = parse_sitemap(body.encode(encoding), AT).pages
    assert page.url == "https://a.example/%C3%A4"


def test_a_sitemap_that_breaks_off_gives_what_came_before() -> None:
    found = parse_sitemap(URLSET[: URLSET.index(b"<url><loc>https://antik.example/b?")], AT)
    assert found.pages == PAGES[:2]
    assert "broken" in (found.flaw or "")


LAUGHS = (
    b'<!DOCTYPE u [<!ENTITY a "https://a.example/">]><urlset><url><loc>&a;</loc></url></urlset>'
)


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        (b"", "empty"),
        (b"Not found", "empty"),
        (b"<!DOCTYPE html><html><body>https://a.example/</body></html>", "DOCTYPE"),
        (b"<!doctype html><html><body><p>Sorry<br></body></html>", "broken"),
        (LAUGHS, "DOCTYPE"),
        (b'<?xml version="1.0" encoding="x-none"?><urlset/>', "broken"),
        (gzip.compress(URLSET, mtime=0)[:60], "is incomplete"),
        (b"\x1f\x8bnonsense", "Could not decompress"),
    ],
    ids=("empty", "text", "page", "broken page", "entities", "no encoding", "cut", "no gzip"),
)
def test_what_is_no_sitemap_lists_nothing_and_says_why(body: bytes, flaw: str) -> None:
    found = parse_sitemap(body, AT)
    assert (found.pages, found.sitemaps) == ((), ())
    assert flaw in (found.flaw or "")


def test_a_sitemap_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "_MAX_URLS", 2)
    found = parse_sitemap(URLSET, AT)
    assert (found.pages, found.flaw) == (PAGES[:2], "a sitemap lists more than 2 URLs")
    monkeypatch.setattr(sitemaps, "_MAX_BYTES", len(URLSET) - 1)
    for body in (URLSET, gzip.compress(URLSET)):
        found = parse_sitemap(body, AT)
        assert found.pages == ()
        assert "bytes, the limit" in (found.flaw or "")


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=60), st.sampled_from([b"", b"<urlset><url><loc>", b"\x1f\x8b\x08"]))
def test_no_bytes_at_all_are_too_much(body: bytes, start: bytes) -> None:
    parse_sitemap(start + body, AT)


def test_an_index_is_walked_to_its_pages_each_file_once_and_not_too_deep() -> None:
    files = {
        "a": Sitemap(sitemaps=(ListedUrl("b"), ListedUrl("c"), ListedUrl("a"))),
        "b": Sitemap(pages=(ListedUrl("1"),), sitemaps=(ListedUrl("c"), ListedUrl("d"))),
        "c": Sitemap(pages=(ListedUrl("2"),)),
        "d": Sitemap(pages=(ListedUrl("3"),), sitemaps=(ListedUrl("e"),)),
    }
    assert [page.url for page in walk_sitemaps(["a", "a"], files.pop)] == ["1", "2", "3"]
    assert files == {}


def test_an_index_is_walked_within_bounds() -> None:
    def read(address: str) -> Sitemap:
        number = int(address)
        pages = (ListedUrl(f"page-{number}"),)
        return Sitemap(pages, tuple(ListedUrl(f"{number}{digit}") for digit in range(3)))

    assert len(list(walk_sitemaps(["1"], read))) == 1 + 3 + 9
    assert len(list(walk_sitemaps(["1"], read, most_files=5))) == 5
    assert len(list(walk_sitemaps(["1"], read, deepest=1))) == 1
    assert len(list(walk_sitemaps(["1", "2", "3"], read, most_files=2))) == 2


@pytest.mark.parametrize(
    ("bounds", "flaws"),
    [
        ({}, []),
        ({"deepest": 1}, ["its sitemaps are nested more than 1 level deep"]),
        ({"most_files": 4}, []),
        ({"most_files": 3}, ["it has more than 3 sitemaps"]),
    ],
)
def test_what_an_index_lists_beyond_the_bounds_is_told(
    bounds: dict[str, int], flaws: list[str]
) -> None:
    files = {"1": Sitemap(sitemaps=tuple(map(ListedUrl, "1234")))}
    told: list[str] = []
    list(walk_sitemaps(["1"], lambda at: files.get(at, Sitemap()), on_flaw=told.append, **bounds))
    assert told == flaws
