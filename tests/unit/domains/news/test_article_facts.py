"""Who wrote an article, for whom, when, in which language, and how long it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.domains.news.article import Article
from tests.unit.domains.news.articles import article, linked, wrapped

DAWN = datetime(2025, 11, 6, 5, 35, 12, tzinfo=UTC)
SITE = '<meta property="og:site_name" content="Yahoo Finance">'


def _bare(head: str = "", cover: str = "", attributes: str = "", text: str = "Up.") -> Article:
    """An article that says nothing about itself but what is given."""
    return article(wrapped(f"<p>{text}</p>", cover=cover), head, attributes)


def _time(written: str) -> str:
    return f'<time class="byline-attr-meta-time" datetime="{written}">Thu</time>'


@pytest.mark.parametrize(
    "written",
    [
        "2025-11-06T05:35:12Z",
        "2025-11-06T05:35:12+00:00",
        "2025-11-06T00:35:12-05:00",
        "2025-11-06T14:35:12+0900",
        " 2025-11-06T05:35:12.000Z ",
        "20251106T053512Z",
    ],
)
def test_a_time_with_a_zone_is_told_in_utc(written: str) -> None:
    found = _bare(cover=_time(written)).published_at
    assert found == DAWN
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    "written",
    [
        "",
        "2025-11-06T05:35:12",
        "2025-11-06",
        "Thu, November 6, 2025",
        "4m ago",
        "1762407312",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "1970-01-01T00:00:00Z",
        "2025-13-06T05:35:12Z",
    ],
)
def test_a_time_that_would_be_a_guess_is_none(written: str) -> None:
    assert _bare(linked(datePublished=written), _time(written)).published_at is None


@pytest.mark.parametrize(
    ("cover", "head"),
    [
        (_time("2025-11-06T05:35:12Z"), linked(datePublished="2020-01-01T00:00:00Z")),
        (_time("yesterday"), linked(datePublished="2025-11-06T05:35:12Z")),
        ("", linked(datePublished="2025-11-06T05:35:12Z")),
        ("", '<meta property="article:published_time" content="2025-11-06T05:35:12Z">'),
        (
            "",
            linked(datePublished=None)
            + '<meta name="article:published_time" content="2025-11-06T05:35:12Z">',
        ),
    ],
)
def test_the_time_is_taken_from_the_surest_place_that_tells_it(cover: str, head: str) -> None:
    assert _bare(head, cover).published_at == DAWN


@pytest.mark.parametrize(
    ("cover", "head", "provider"),
    [
        ("", linked(provider={"name": "Reuters"}, publisher={"name": "Yahoo"}), "Reuters"),
        ("<div class='byline'><img alt='The Wire'></div>", linked(publisher="Yahoo"), "The Wire"),
        ("<a class='provider'><img alt='The Wire'></a>", SITE, "The Wire"),
        ("<div class='byline'><img alt=''></div>", linked(publisher={"name": "Yahoo"}), "Yahoo"),
        ("", linked(publisher=[{"name": "S&amp;P"}]) + SITE, "S&P"),
        ("", linked(publisher={"name": 7}) + SITE, "Yahoo Finance"),
        ("", SITE, "Yahoo Finance"),
        ("", "", None),
    ],
)
def test_the_provider_is_who_wrote_it_before_whose_site_it_is(
    cover: str, head: str, provider: str | None
) -> None:
    assert _bare(head, cover).provider == provider


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("Ada Reed", "Ada Reed"),
        ("By Ada Reed", "Ada Reed"),
        ("<a>Ada Reed</a><span> · </span>Senior Reporter", "Ada Reed"),
        ("<a><img alt='Ada Reed'></a>", "Ada Reed"),
        ("Byron Lee", "Byron Lee"),
        ("", "Declared"),
    ],
)
def test_the_author_is_the_name_in_the_byline(byline: str, author: str) -> None:
    cover = f'<div class="byline-attr-author">{byline}</div>'
    assert _bare(linked(author="Declared"), cover).author == author


@pytest.mark.parametrize(
    ("head", "author"),
    [
        (linked(author={"name": "Ada Reed"}), "Ada Reed"),
        (linked(author=[{"name": "Ada Reed"}, "Bo Li", {}, 3]), "Ada Reed, Bo Li"),
        ('<meta name="author" content="Ada Reed">', "Ada Reed"),
        (linked(author=[[]]), None),
    ],
)
def test_without_a_byline_the_author_is_who_is_declared(head: str, author: str | None) -> None:
    assert _bare(head).author == author


@pytest.mark.parametrize(
    "script",
    [
        '[{"@type": "WebPage"}, {"@type": ["Thing", "NewsArticle"], "headline": "Found"}]',
        '{"@graph": [{"@type": "Person"}, {"@type": "BlogPosting", "headline": "Found"}]}',
        '{"@type": "ReportageNewsArticle", "headline": " Fo\\u200bund\\n"}',
    ],
)
def test_an_article_is_found_wherever_the_json_has_it(script: str) -> None:
    assert _bare(f'<script type="application/ld+json">{script}</script>').title == "Found"


@pytest.mark.parametrize(
    "script", ["", "{", "null", "[1, [2]]", "7", '{"@type": 7}', "[" * 5000, '{"@type": "WebPage"}']
)
def test_json_that_is_of_no_use_is_passed_over(script: str) -> None:
    head = f'<script type="application/ld+json">{script}</script>'
    assert _bare(head + linked(headline="Found")).title == "Found"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ('<meta property="og:title" content="A"><title>B</title>', "A"),
        ("<title>B &amp; C</title>", "B & C"),
        (linked(headline="x" * 5_000), "x" * 1_000),
    ],
)
def test_without_a_cover_the_title_is_what_is_declared(head: str, title: str) -> None:
    assert _bare(head).title == title


@pytest.mark.parametrize(
    ("attributes", "head", "language"),
    [
        ("lang=en-US", "", "en"),
        ("lang=KO", '<meta property="og:locale" content="en_US">', "ko"),
        ("", '<meta property="og:locale" content="en_US">', "en"),
        ("", linked(inLanguage="fr"), "fr"),
        ("lang=''", linked(inLanguage="de-AT"), "de"),
        ("lang=und", linked(inLanguage=["x"]), None),
        ("lang='English language'", "", None),
    ],
)
def test_the_language_is_what_the_page_declares(
    attributes: str, head: str, language: str | None
) -> None:
    assert _bare(head, attributes=attributes).language == language


def test_what_the_page_declares_counts_more_than_its_letters() -> None:
    assert _bare(attributes="lang=en", text="삼성전자 주가가 급등했다.").language == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("삼성전자 주가가 3분기 실적 발표 뒤 급등했다. HBM 수요가 늘었다.", "ko"),
        ("The founder of 삼성전자 spoke in Seoul about memory chips.", None),
        ("トヨタ自動車の株価は決算発表後に上昇した。", "ja"),
        ("日本銀行総裁は記者会見で金利据置を発表した。", "ja"),
        ("日本銀行総裁記者会見要旨。", "zh"),
        ("贵州茅台公布第三季度业绩。", "zh"),
        ("ราคาหุ้นปรับตัวขึ้น", "th"),
        ("Shares rose.", None),
        ("Акции выросли.", None),
        ("12,345", None),
    ],
)
def test_where_nobody_says_the_letters_may_give_the_language_away(
    text: str, language: str | None
) -> None:
    assert _bare(text=text).language == language


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Shares of AT&T rose 5% — a record.", 7),
        ("삼성전자 주가가 급등했다", 3),
        ("贵州茅台公布业绩", 8),
        ("トヨタの株価 rose 5%", 8),
        ("iPhone17を発売", 4),
        ("- … —", 0),
    ],
)
def test_words_stand_between_spaces_where_a_language_has_them(text: str, words: int) -> None:
    assert _bare(text=text).word_count == words


@pytest.mark.parametrize("about", [{"headline": {"a": 1}}, {"headline": None}, {"author": {}}])
def test_what_is_declared_in_a_wrong_shape_is_none(about: dict[str, Any]) -> None:
    found = _bare(linked(**about))
    assert (found.title, found.author) == (None, None)
