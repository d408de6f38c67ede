"""What an article page is: an article in one of its shapes, a stub, or a teaser."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gotgan.domains.news.article import Article, Paywalled, Stub, extract_article, is_yahoo
from gotgan.errors import PageError, UnknownShape
from tests.unit.domains.news.articles import (
    ADDRESS,
    COVER,
    SENTENCE,
    article,
    caas,
    linked,
    page,
    read,
    wrapped,
)

ELSEWHERE = "https://www.publisher.example/story?src=A00220"
LONG = f"<p>{SENTENCE * 12}</p>"
WALL = '<section class="xp-paywall-box" data-testid="paywall"><h2>Upgrade</h2></section>'


@pytest.mark.parametrize("tag", ["div", "article"])
def test_an_article_is_read_from_its_wrapper(tag: str) -> None:
    found = article(wrapped("<p>One.</p><p>Two.</p>", "<p>Three.</p>", tag=tag))
    assert found == Article(
        title="Chip maker lifts forecast",
        author="Ada Reed and Bo Li",
        provider="The Wire",
        published_at=datetime(2025, 11, 6, 13, 5, 59, 667000, tzinfo=UTC),
        text="One.\n\nTwo.\n\nThree.",
        language=None,
        extractor="yahoo",
    )


def test_an_article_of_the_years_before_is_read_from_its_body() -> None:
    found = article(
        "<h1>Yahoo Finance</h1>"
        + caas(
            "<p>One.</p><div class='caas-da'><p>Buy</p></div><div class='caas-readmore'>"
            "<button>Story continues</button></div><p>Two.</p>"
        )
    )
    assert found == Article(
        title="Chip maker lifts forecast",
        author="Ada Reed",
        provider="The Wire",
        published_at=datetime(2023, 11, 6, 13, 5, 59, tzinfo=UTC),
        text="One.\n\nTwo.",
        language=None,
        extractor="caas",
    )


def test_a_body_without_an_article_around_it_is_read_too() -> None:
    found = article("<main><h1>Headline</h1><div class='caas-body'><p>One.</p></div></main>")
    assert (found.text, found.title, found.extractor) == ("One.", "Headline", "caas")


def test_an_article_may_lack_everything_but_its_text() -> None:
    found = article(wrapped("<p>One.</p>", cover=""))
    assert found == Article(None, None, None, None, "One.", None, "yahoo")


def test_of_several_articles_the_first_is_meant() -> None:
    both = wrapped("<p>One.</p>") + wrapped("<p>Another.</p>", cover="<h1>Next</h1>")
    assert article(both).text == "One."


def test_a_page_of_another_shape_is_read_by_the_general_extractor() -> None:
    body = f"<main><h1>Headline</h1><div><p>{SENTENCE * 3}</p><p>{SENTENCE * 4}</p></div></main>"
    found = article(body, linked(headline="Declared", author={"name": "Ada Reed"}))
    assert found.extractor == "trafilatura"
    assert found.text.endswith(f"{(SENTENCE * 3).strip()}\n\n{(SENTENCE * 4).strip()}")
    assert (found.title, found.author) == ("Declared", "Ada Reed")


def test_a_wrapper_whose_inside_has_changed_is_read_by_the_general_extractor() -> None:
    inside = f'<div data-testid="article-content-wrapper"><h1>A</h1><div class="new">{LONG}</div>'
    share = '<a href="https://social.example/share">Share</a></div>'
    head = f'<link rel="canonical" href="{ELSEWHERE}">'
    found = article(inside + share, head)
    assert (found.extractor, found.word_count) == ("trafilatura", 12 * len(SENTENCE.split()))


def test_what_a_page_says_to_machines_is_not_its_text() -> None:
    body = linked(articleBody="Not what the page shows.")
    assert article(wrapped("<p>One.</p>"), body).text == "One."


@pytest.mark.parametrize(
    "given",
    [b"", b"<html>", b"<p>", page("<main></main>"), page(wrapped("")), page(f"<p>{SENTENCE}</p>")],
)
def test_a_page_without_text_is_an_error(given: bytes) -> None:
    with pytest.raises(UnknownShape, match=r"No text was found in the article at https://finance"):
        read(given)


def test_a_page_that_nests_without_end_is_an_error_at_once() -> None:
    with pytest.raises(UnknownShape, match="nests more than 1,000 elements"):
        read(page("<DIV a>" * 100_000))


def test_a_long_page_of_another_shape_is_not_read() -> None:
    long = f"<p>{SENTENCE * 19_000}</p>"
    with pytest.raises(UnknownShape, match=r"article at https.*more than 1,500,000 characters"):
        read(page(long))
    assert article(wrapped(f"<p>One.</p><!--{long}-->")).text == "One."


def test_a_table_of_many_cells_beside_an_article_is_left_out() -> None:
    story = f"<h1>Chip maker lifts forecast</h1>{LONG}"
    table = f"<table><tr>{'<td>10</td>' * 60_000}</tr></table>"
    found = article(f"<article>{story}</article>{table}")
    assert SENTENCE.strip() in found.text
    assert "10" not in found.text


def test_the_scripts_of_a_page_do_not_make_it_too_long() -> None:
    body = f"<main>{LONG}</main><script>{'x = 1; ' * 300_000}</script>"
    assert article(body).word_count == 12 * len(SENTENCE.split())


def test_a_query_may_be_private_and_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(given: bytes) -> str:
        with pytest.raises(UnknownShape) as caught:
            extract_article(given, f"{ADDRESS}?token=secret")
        return caught.value.message

    said = [told(b""), told(page(f"<p>{SENTENCE * 19_000}</p>"))]
    monkeypatch.setattr("trafilatura.bare_extraction", None)
    said += [told(page(LONG))]
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    said += [told(page(LONG))]
    assert [words for words in said if ADDRESS not in words or "secret" in words] == []


def test_a_page_of_many_elements_is_no_deep_one() -> None:
    picture = f"<svg>{'<path/><circle />' * 1_000}</svg>"
    body = wrapped("<p>One<br>" * 6_000 + "<DIV></div>" * 11_000 + picture)
    assert article(body).word_count == 6_000


def test_a_page_of_fair_depth_is_read() -> None:
    assert article("<div>" * 450 + wrapped("<div>" * 450 + "<p>One.</p>")).text == "One."


def test_without_the_extra_an_unknown_shape_says_how_to_have_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(UnknownShape, match=r"Install gotgan\[articles\]"):
        read(page(LONG))
    assert article(wrapped("<p>One.</p>")).text == "One."


def test_an_extractor_that_fails_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("trafilatura.bare_extraction", fail)
    with pytest.raises(UnknownShape, match=r"failed on the article at https.*\(too deep\)"):
        read(page(LONG))


def test_an_extractor_that_finds_nothing_writes_no_log(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(UnknownShape):
        read(b"")
    assert caplog.records == []


# --- Stubs --------------------------------------------------------------------------------------

ONWARDS = f'<a class="link" href="{ELSEWHERE}"><span>Continue Reading</span></a>'


@pytest.mark.parametrize("atoms", ["", "<p>A teaser of one line.</p>"])
def test_a_link_to_continue_elsewhere_makes_a_stub(atoms: str) -> None:
    assert read(page(wrapped(atoms + ONWARDS))) == Stub()


@pytest.mark.parametrize(
    "label",
    ["Continue reading", "CONTINUE READING »", "Read full article on The Wire", "View original"],
)
def test_a_link_that_leads_on_may_say_so_in_several_ways(label: str) -> None:
    assert read(page(wrapped(f'<p><a href="{ELSEWHERE}">{label}</a></p>'))) == Stub()


def test_without_text_a_home_elsewhere_makes_a_stub() -> None:
    head = f'<link rel="canonical" href="{ELSEWHERE}">'
    assert read(page(wrapped(""), head)) == Stub()


def test_without_text_a_button_that_leads_on_makes_a_stub() -> None:
    assert read(page(wrapped("<button>Continue reading</button>"))) == Stub()


@pytest.mark.parametrize("kept", ["script", "style"])
def test_what_nobody_reads_makes_no_stub_an_article(kept: str) -> None:
    assert read(page(wrapped(f"{ONWARDS}<{kept}>{SENTENCE * 20}</{kept}>"))) == Stub()


@pytest.mark.parametrize(
    ("atoms", "head"),
    [
        ("<p>Short news.</p>", f'<link rel="canonical" href="{ELSEWHERE}">'),
        (f'<p>Short news.</p><a href="{ELSEWHERE}">Read more: gold</a>', ""),
        ('<p>Short news.</p><a href="/news/x.html">Continue reading</a>', ""),
        ("<p>Short news.</p><button>Continue reading</button>", ""),
        (LONG + ONWARDS, ""),
    ],
    ids=["syndicated", "another link", "a link on the site", "a button", "a whole article"],
)
def test_an_article_is_no_stub(atoms: str, head: str) -> None:
    assert isinstance(read(page(wrapped(atoms), head)), Article)


@pytest.mark.parametrize("href", ["https://social.example/share", "https://wire.example/"])
def test_a_link_that_only_leads_away_makes_no_stub(href: str) -> None:
    with pytest.raises(UnknownShape):
        read(page(wrapped(f'<a href="{href}">The Wire</a>')))


# --- Teasers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wall", "head"),
    [
        (WALL, ""),
        ('<div data-testid="article-paywall-v2"></div>', ""),
        ('<div class="caas-paywall"></div>', ""),
        ('<div class="ArticlePaywall"></div>', ""),
        ('\n<!-- sold --><div id="paywall"></div>', ""),
        ("", linked(isAccessibleForFree=False)),
        ("", linked(isAccessibleForFree="False")),
        ("", linked(isAccessibleForFree="http://schema.org/False")),
        ("", linked(hasPart={"@type": "WebPageElement", "isAccessibleForFree": False})),
    ],
)
def test_little_text_before_a_wall_is_a_teaser(wall: str, head: str) -> None:
    found = read(page(wrapped("<p>A teaser.</p>") + wall, head))
    assert isinstance(found, Paywalled)
    assert found.teaser is not None
    assert (found.text, found.teaser.title) == ("A teaser.", "Chip maker lifts forecast")


def test_a_teaser_on_a_page_of_another_shape_is_kept_too() -> None:
    body = f"<main><h1>Sold</h1><p>{SENTENCE * 3}</p>{WALL}</main>"
    found = extract_article(page(body), "https://www.wire.example/sold")
    assert isinstance(found, Paywalled)
    assert SENTENCE.strip() in found.text


@pytest.mark.parametrize(
    ("body", "attributes"),
    [
        ("{article}", 'class="has-paywall-script"'),
        ('<header class="paywall-banner"><p>Subscribe</p></header>{article}', ""),
        ('{article}<footer><div class="paywall"></div></footer>', ""),
        ('<div class="page"><div id="paywall-root"></div></div><p></p>{article}', ""),
        ('{article}<aside data-testid="paywall-offer"></aside>', ""),
        ('<main><script class="paywall-config"></script>{article}</main>', ""),
        ('<main class="paywall">{article}</main>', ""),
        ('<main class="x"><div class="no-paywall">{article}</div></main>', ""),
        ('<main><div class="paywallet"></div>{article}</main>', ""),
    ],
    ids=["root", "header", "footer", "before", "aside", "script", "the body itself", "no", "word"],
)
def test_a_class_name_makes_no_paywall(body: str, attributes: str) -> None:
    short = wrapped("<p>Short news.</p>")
    found = read(page(body.replace("{article}", short), attributes=attributes))
    assert isinstance(found, Article)


@pytest.mark.parametrize("head", ["", linked(isAccessibleForFree=False)])
def test_a_wall_without_a_teaser_is_a_wall(head: str) -> None:
    assert read(page(wrapped("") + WALL, head)) == Paywalled()


def test_a_whole_article_beside_a_wall_is_an_article() -> None:
    assert isinstance(read(page(wrapped(LONG + WALL), linked(isAccessibleForFree=False))), Article)


@pytest.mark.parametrize("free", [True, "True", None, 1])
def test_a_short_article_that_is_free_is_an_article(free: object) -> None:
    found = read(page(wrapped("<p>Short news.</p>"), linked(isAccessibleForFree=free)))
    assert isinstance(found, Article)


@pytest.mark.parametrize(("free", "kind"), [(True, Article), ("true", Article), (None, Paywalled)])
def test_an_article_that_is_declared_free_has_no_wall(free: object, kind: type) -> None:
    body = wrapped("<p>Short news.</p>") + WALL
    assert isinstance(read(page(body, linked(isAccessibleForFree=free))), kind)


@pytest.mark.parametrize(
    ("tier", "wall", "kind"),
    [
        ("locked", "", Paywalled),
        ("metered", "", Article),
        ("free", "", Article),
        ("free", WALL, Article),
        ("metered", WALL, Paywalled),
    ],
)
def test_the_tier_of_its_content_declares_a_wall(tier: str, wall: str, kind: type) -> None:
    head = f'<meta property="article:content_tier" content="{tier}">'
    body = wrapped("<p>Short news.</p>") + wall
    assert isinstance(read(page(body, head)), kind)
    assert isinstance(read(page(body, head + linked(isAccessibleForFree=True))), Article)


def test_json_that_is_nested_deeply_says_nothing_of_a_wall() -> None:
    deep = linked(isAccessibleForFree="DEEP").replace('"DEEP"', "[" * 1_000 + "]" * 1_000)
    assert article(wrapped("<p>Short news.</p>"), deep).text == "Short news."


def test_a_stub_that_leads_to_a_wall_is_a_stub() -> None:
    assert read(page(wrapped(ONWARDS + WALL))) == Stub()


# --- Addresses and anything at all --------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        ADDRESS,
        "http://finance.yahoo.com/x",
        "HTTPS://UK.Finance.Yahoo.COM:443/x",
        "https://www.yahoo.com",
        "https://yahoo.com/",
        "https://finance.yahoo.com./x",
    ],
)
def test_yahoo_has_its_own_hosts(url: str) -> None:
    assert is_yahoo(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/news/x.html",
        "https://notyahoo.com/",
        "https://finance.yahoo.com.evil.example/",
        "https://finance.yahoo.com@evil.example/",
        "https://evil.example/finance.yahoo.com",
        "ftp://finance.yahoo.com/",
        "javascript://finance.yahoo.com/%0a",
        "https://[yahoo.com/",
    ],
)
def test_other_hosts_are_not_yahoos(url: str) -> None:
    assert not is_yahoo(url)


PIECES = [COVER, WALL, ONWARDS, LONG, wrapped("<p>a</p>", "<li>b"), caas("<tr><td>c"), linked()]
PIECES += ["<table><tr><td>", "</div>", "<p>", "<li>", "<!--", "<script>", "<template>", "&#xD800;"]
PIECES += [
    "<a href='https://[x'>Continue reading</a>",
    "<link rel=canonical href='//['>",
    "\x00\x1f",
]
PIECES += [
    '<time datetime="0001-01-01T00:00+23:59">',
    '<script type="application/ld+json">[{"@type":',
]
PIECES += [linked(author=[{"name": 1}, [], None, "x"], headline={}, isAccessibleForFree=[])]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from(PIECES) | st.text(), max_size=8).map("".join))
@example('<div data-testid="article-content-wrapper">' * 3)
def test_any_page_is_read_or_is_an_error_of_ours(body: str) -> None:
    _expect_a_verdict(body.encode(errors="replace"), None)


@settings(deadline=None, max_examples=50)
@given(
    st.binary(max_size=200), st.none() | st.sampled_from(["euc-kr", "zlib", "idna", "\x00", "x"])
)
def test_any_bytes_are_read_or_are_an_error_of_ours(given: bytes, charset: str | None) -> None:
    _expect_a_verdict(given, charset)


def _expect_a_verdict(given: bytes, charset: str | None) -> None:
    try:
        found = extract_article(given, ADDRESS, charset=charset)
    except PageError:
        return
    assert isinstance(found, Article | Stub | Paywalled)
    if isinstance(found, Article):
        assert found.text.strip() == found.text != ""
        found.text.encode()
