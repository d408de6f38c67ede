"""The text of an article: which elements it is made of, in which order, and how it is written."""

from __future__ import annotations

import pytest

from gotgan.domains.news.article import Article
from tests.unit.domains.news.articles import article, caas, page, read, wrapped

KB = 1_000


def _text(atoms: str, more: str = "") -> str:
    return article(wrapped(atoms, more)).text


def test_identical_paragraphs_are_all_kept() -> None:
    assert _text("<p>Buy.</p><p>Sell.</p><p>Buy.</p>", "<p>Buy.</p>") == (
        "Buy.\n\nSell.\n\nBuy.\n\nBuy."
    )


def test_the_rest_of_a_story_stands_where_the_page_has_it() -> None:
    rest = '<div data-testid="read-more"><p>Two.</p></div>'
    assert _text(f"<p>One.</p>{rest}<p>Three.</p>") == "One.\n\nTwo.\n\nThree."


def test_the_rest_of_a_story_may_have_its_own_atoms() -> None:
    more = '<div class="body-wrap"><div class="atoms-wrapper"><p>Two.</p></div></div><p>Three.</p>'
    assert _text("<p>One.</p>", more) == "One.\n\nTwo.\n\nThree."


def test_a_page_may_have_several_groups_of_atoms() -> None:
    atoms = (
        '<p>One.</p></div><div class="other"><p>No.</p></div><div class="atoms-wrapper"><p>Two.</p>'
    )
    assert _text(atoms) == "One.\n\nTwo."


@pytest.mark.parametrize(
    "beside",
    [
        '<div data-testid="inarticle-ad"><p>Buy this.</p></div>',
        '<div class="caas-da sticky"><p>Buy this.</p></div>',
        "<button><p>Story Continues</p></button>",
        "<button><p>Show the rest</p></button>",
        "<p>Story Continues</p>",
        "<p>Story continues</p>",
        "<p>Advertisement</p>",
        "<figure><img alt='A chip'><figcaption><p>A chip. (Photo)</p></figcaption></figure>",
        "<aside><p>More stories</p></aside>",
        "<form><p>Sign up.</p></form>",
        "<script>var a = '<p>x</p>';</script><style>p { }</style>",
        "<noscript><p>Turn it on.</p></noscript>",
        "<template><p>Later.</p></template>",
        "<svg><text>x</text></svg>",
        "<!-- <p>Draft.</p> -->",
        "<div>Credit: somebody</div>",
        "<p> &nbsp; &#8203; </p>",
        "",
    ],
)
def test_what_is_no_story_is_left_out(beside: str) -> None:
    assert _text(f"<p>One.</p>{beside}<p>Two.</p>") == "One.\n\nTwo."


def test_a_sentence_may_speak_of_advertisements_and_of_stories() -> None:
    assert _text("<p>The story continues.</p><p>Advertisement sales rose.</p>") == (
        "The story continues.\n\nAdvertisement sales rose."
    )


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>Why</h2><p>So.</p>", "Why\n\nSo."),
        ("<p>See:</p><ul><li>One</li><li>Two</li></ul><p>So.</p>", "See:\n\n- One\n- Two\n\nSo."),
        (
            "<ol><li><p>One</p></li><li>Two<ul><li>Three</li></ul></li></ol>",
            "- One\n- Two\n- Three",
        ),
        ("<blockquote>We are glad.</blockquote>", "We are glad."),
        ("<blockquote><p>We</p><p>are.</p></blockquote>", "We\n\nare."),
        ("<section><div><p>Deep.</p></div></section>", "Deep."),
        ("<pre>a\n  b</pre>", "a b"),
        ("<dl><dt>EPS</dt><dd>Earnings a share</dd></dl>", "EPS\n\nEarnings a share"),
        (
            "<table><tr><th>Year</th><th>Sales</th></tr><tr><td><p>2025</p></td><td>1<br>bn</td></tr>",
            "| Year | Sales |\n| 2025 | 1 bn |",
        ),
        ("<table><tr><td></td><td>Alone</td></tr></table><p>So.</p>", "Alone\n\nSo."),
        ("<table><tr><td><ul><li>a<li>b</ul></td><td>c</td></tr></table>", "| a b | c |"),
    ],
)
def test_headings_lists_quotes_and_tables_are_lines_of_the_text(html: str, text: str) -> None:
    assert _text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("up&nbsp;5%", "up 5%"),
        ("  up \n\t 5% ", "up 5%"),
        ("up<br>5%<br/>", "up 5%"),
        ("N<b>V</b><a href='/q'>DA</a>, up", "NVDA, up"),
        ("zero\u200bwidth\ufeff\u2060 soft\u00adhyphen", "zerowidth softhyphen"),
        ("bell\x07 and\x1funit", "bell and unit"),
        ("नहीं\u200c 👩\u200d💻", "नहीं\u200c 👩\u200d💻"),
        ("AT&amp;T &lt;b&gt; &amp;amp; &euro;", "AT&T <b> &amp; €"),
        ("a <!-- b --> c", "a c"),
        ("삼성전자가\n 급등했다", "삼성전자가 급등했다"),
    ],
)
def test_a_line_is_written_as_it_is_seen(html: str, text: str) -> None:
    assert _text(f"<p>{html}</p>") == text
    assert article(caas(f"<p>{html}</p>")).text == text


def test_a_long_text_is_cut_after_a_paragraph() -> None:
    paragraphs = [f"{number:04}" + "가" * 1_000 for number in range(200)]
    found = article(wrapped("".join(f"<p>{each}</p>" for each in paragraphs)))
    kept = found.text.split("\n\n")
    assert found.is_cut
    assert kept == paragraphs[: len(kept)]
    assert 296 * KB < len(found.text.encode()) <= 300 * KB


def test_a_text_that_just_fits_is_whole() -> None:
    half = "a" * (150 * KB - 1)
    assert not article(wrapped(f"<p>{half}</p><p>{half}</p>")).is_cut
    assert article(wrapped(f"<p>{half}</p><p>{half}b</p>")).is_cut


def test_a_single_paragraph_is_cut_at_a_character() -> None:
    found = article(wrapped(f"<p>a{'가' * 200 * KB}</p><p>b</p>"))
    assert found.text == "a" + "가" * 99_999
    assert found.is_cut


@pytest.mark.parametrize(
    ("charset", "encoding", "meta"),
    [(None, "utf-8", ""), ("EUC-KR", "cp949", ""), (None, "cp949", '<meta charset="euc-kr">')],
)
def test_a_page_is_read_in_its_encoding(charset: str | None, encoding: str, meta: str) -> None:
    html = page(wrapped("<p>똠방각하가 왔다</p>")).decode().replace("<meta charset=utf-8>", meta)
    found = read(html.encode(encoding), charset)
    assert getattr(found, "text", None) == "똠방각하가 왔다"


@pytest.mark.parametrize("declared", ["iso-8859-1", "euc-kr", "windows-1251"])
def test_a_page_that_was_encoded_again_says_so_by_its_bytes(declared: str) -> None:
    body = f'<meta charset="{declared}">{wrapped("<p>삼성전자 실적 발표</p>")}'.encode()
    found = read(body)
    assert isinstance(found, Article)
    assert found.text == "삼성전자 실적 발표"


def test_a_single_character_does_not_show_the_encoding() -> None:
    body = f'<meta charset="windows-1252">{wrapped("<p>Ã© is a misprint</p>")}'
    found = read(body.encode("cp1252"))
    assert isinstance(found, Article)
    assert found.text.startswith("Ã©")
