"""A post is Markdown, a tiptap document or text, and is shown as HTML and searched as words."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.ruler import Ruler

from gotgan.domains.site import content
from gotgan.domains.site.content import Format, detect_format, plain_text, render
from tests.unit.domains.site.structure import faults

DOCUMENT = {
    "type": "doc",
    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "봄 & 여름"}]}],
}
FORMATS: list[Format] = ["markdown", "tiptap", "text"]
REL = 'rel="noopener noreferrer nofollow"'


@pytest.mark.parametrize(
    ("contents", "found"),
    [
        (DOCUMENT, "tiptap"),
        ({}, "tiptap"),
        (json.dumps(DOCUMENT), "tiptap"),
        ("\n " + json.dumps(DOCUMENT), "tiptap"),
        ('{"type":"doc"}', "tiptap"),
        ('{"type":"doc","content":7}', "text"),
        ('{"type":"note","content":[]}', "text"),
        ('{"type":"doc","content":[', "text"),
        ('[{"type":"doc"}]', "text"),
        ("# Spring", "markdown"),
        ("a\n\n### b", "markdown"),
        ("- one", "markdown"),
        ("first\n12. twelfth", "markdown"),
        ("> said", "markdown"),
        ("```\ncode\n```", "markdown"),
        ("a | b\n--|--\n1 | 2", "markdown"),
        ("see [here](/a)", "markdown"),
        ("![](/a.png)", "markdown"),
        ("**봄**", "markdown"),
        ("call `render`", "markdown"),
        ("", "text"),
        ("Two lines\nof prose.", "text"),
        ("#hashtag, 2 * 3 * 4, a_b_c, 1.5", "text"),
        ("-----\nnot a table", "text"),
        ("[1] (a note)", "text"),
    ],
)
def test_the_format_is_found_by_what_the_contents_look_like(contents: Any, found: Format) -> None:
    assert detect_format(contents) == found


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# *a* **b** ~~c~~ `d`", "<h1><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></h1>"),
        ("[a](/b 'c')", f'<p><a href="/b" title="c" {REL}>a</a></p>'),
        ("<https://a.example>", f'<p><a href="https://a.example" {REL}>https://a.example</a></p>'),
        ("![a](/b.png)", '<p><img src="/b.png" alt="a"></p>'),
        ("```py\na\n```", '<pre><code class="language-py">a\n</code></pre>'),
        ("3. a", '<ol start="3">\n<li>a</li>\n</ol>'),
        ("a  \nb", "<p>a<br>\nb</p>"),
        ("<b>a</b>", "<p>&lt;b&gt;a&lt;/b&gt;</p>"),
    ],
)
def test_markdown_is_rendered(markdown: str, html: str) -> None:
    assert render(markdown, "markdown").strip() == html


def test_the_columns_of_a_markdown_table_are_aligned_by_a_class() -> None:
    html = render("a | b | c\n:-: | -: | -\n1 | 2 | 3", "markdown")
    assert '<th class="align-center">a</th>' in html
    assert '<td class="align-right">2</td>' in html
    assert "<td>3</td>" in html


def test_text_keeps_its_paragraphs_and_line_breaks() -> None:
    html = render("a *b*\r\nc < d\n \n\n  e\rf\n", "text")
    assert html == "<p>a *b*<br>c &lt; d</p><p>  e<br>f</p>"


@pytest.mark.parametrize("contents", [DOCUMENT, json.dumps(DOCUMENT)])
def test_a_tiptap_document_is_rendered_from_a_map_and_from_json(contents: Any) -> None:
    assert render(contents, "tiptap") == "<p>봄 &amp; 여름</p>"


def test_a_map_is_tiptap_whatever_it_is_said_to_be() -> None:
    assert render(DOCUMENT, "markdown") == render(DOCUMENT, "text") == render(DOCUMENT, "tiptap")


def test_what_is_no_tiptap_document_is_shown_as_text() -> None:
    assert render('{"type":', "tiptap") == '<p>{"type":</p>'


@pytest.mark.parametrize(
    ("contents", "form", "text"),
    [
        ("# a\n\n**b**c [d](/e)\n\n- f\n- g", "markdown", "a bc d f g"),
        ("a | b\n-|-\n1 | 2", "markdown", "a b 1 2"),
        ("1 &lt; 2 &amp; `<b>`", "markdown", "1 < 2 & <b>"),
        ("a\n\n\n   b\xa0\tc ", "text", "a b c"),
        ("a  \nb", "markdown", "a b"),
        ("![picture](/a.png) b", "markdown", "b"),
        (DOCUMENT, "tiptap", "봄 & 여름"),
        ("", "markdown", ""),
    ],
)
def test_the_words_of_contents_are_one_line_without_markup(
    contents: Any, form: Format, text: str
) -> None:
    assert plain_text(contents, form) == text


def test_one_reference_used_often_does_not_make_the_page_huge() -> None:
    source = f"[a]: /{'u' * 20_000}\n\n" + "[a] " * 3_000
    html = render(source, "markdown")
    assert len(html) < 20 * len(source)
    assert html.count(">a</a>") == 3_000


@pytest.mark.parametrize("mark", ["> ", "- ", "1. "])
def test_markdown_that_is_nested_too_deep_is_shown_as_text(mark: str) -> None:
    assert render(mark * 8 + "a", "markdown").count("<") > 16
    assert render(mark * 500 + "deep", "markdown").count("<p>") == 1
    assert "deep</p>" in render(mark * 500 + "deep", "markdown")


@pytest.mark.parametrize("opening", ["[", "![", "[a](", "<", "*a "])
def test_thousands_of_openings_are_shown_as_they_are(opening: str) -> None:
    words = opening * 5_000
    assert plain_text(words, "markdown") == words.strip()


def test_more_lines_than_an_article_has_are_shown_as_text() -> None:
    assert render("a\n" * 9_000 + "*b*", "markdown").count("<em>") == 1
    assert render("a\n" * 10_001 + "*b*", "markdown").count("<em>") == 0


WIDE = "|a" * 200 + "|\n" + "|-" * 200 + "|\n"


@pytest.mark.parametrize(
    "attack",
    [
        "![" * 150_000,
        "[" * 50_000,
        "[a](" * 20_000,
        ("[a](" + "b" * 96) * 3_000,
        "*a* " * 25_000,
        "*_" * 50_000,
        "`a` " * 25_000,
        "<http://a>" * 10_000,
        "&amp;" * 60_000,
        "\\*" * 50_000,
        "%" * 300_000,
        "- a\n" * 9_000,
        "> " * 18 + "a\n" + "a\n" * 9_000,
        ("- " * 9 + "a\n") * 2_500,
        WIDE + "x\n" * 800,
        (WIDE + "x\n" * 20 + "\n") * 20,
        f"> {WIDE}".replace("\n|", "\n> |") + "> x\n" * 800,
        "|a|b|\n-|-\n" + "x\n" * 9_000,
    ],
    ids=lambda attack: attack[:12],
)
def test_what_would_take_the_parser_too_long_is_shown_as_text(attack: str) -> None:
    html = render(attack, "markdown")
    assert html == render(attack, "text")
    assert set(re.findall("<[a-z]+", html)) <= {"<p", "<br"}


@pytest.mark.parametrize(
    "article",
    [
        "A line of prose, as long as lines are, (with brackets) – and dashes - and: colons.\n"
        * 3_500,
        "- [A page](https://example.com/a-path/of_it?with=more) and *why* to read it\n" * 1_500,
        "|a|b|c|d|e|f|g|h|\n" + "|-" * 8 + "|\n" + "|1|2|3|4|5|6|7|8|\n" * 500,
        "".join(
            f"{'  ' * (n % 5)}- item {n} with `code` and **strong** words\n" for n in range(1_500)
        ),
        "## Head\n\nSome *words* of [it](/there) and ![this](/a.png).\n\n" * 700,
        "가나다라 마바사, 아자차카. " * 8_000,
        "```\n" + "x = a[0] * b[1] & c\n" * 4_000 + "```\n",
    ],
    ids=["prose", "links", "table", "list", "sections", "korean", "code"],
)
def test_long_articles_are_still_markdown(article: str) -> None:
    assert render(f"**begin**\n\n{article}", "markdown").startswith("<p><strong>begin</strong>")


@given(st.text(st.sampled_from("|-:ab > \n*1."), max_size=300))
def test_no_table_has_more_cells_than_were_estimated(text: str) -> None:
    cells = len(re.findall("<t[dh]", render(text, "markdown")))
    assert 2 * cells <= content.block_steps(text)


def test_half_a_surrogate_pair_is_replaced() -> None:
    broken = {"type": "text", "text": "a\ud800b"}
    assert render("a\ud800b", "markdown").strip() == "<p>a?b</p>"
    assert render(broken, "tiptap") == plain_text(broken, "tiptap") == "a?b"


def test_threads_render_beside_each_other() -> None:
    sources = [f"# *{n}*\n\n> [{n}](/{n})\n" * 20 for n in range(40)]
    expected = [render(source, "markdown") for source in sources]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda source: render(source, "markdown"), sources)) == expected


def test_a_parser_has_sorted_its_rules_before_threads_share_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content._parser.cache_clear()  # noqa: SLF001 - a parser that nobody has used
    content._parser()  # noqa: SLF001 - the first to ask for it
    sorted_later: list[Ruler[Any]] = []
    monkeypatch.setattr(Ruler, "__compile__", sorted_later.append)
    assert "<em>" in render("# *a*\n\n> [b](/c)", "markdown")
    assert sorted_later == []


MARKUP = st.text(st.sampled_from("<>[]()!*_~`#|-:&;\\\"' \n\tab1/=\0"), max_size=200)
WORDS = st.text(st.characters(exclude_categories=[]), max_size=100) | MARKUP
NAMES = st.sampled_from(
    ["doc", "text", "paragraph", "heading", "image", "link", "tableCell", "taskItem", "codeBlock"]
)
ATTRIBUTES = st.sampled_from(
    ["href", "src", "alt", "title", "level", "textAlign", "language", "colspan", "width", "start"]
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | NAMES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS, inner, max_size=4)
        | st.fixed_dictionaries(
            {"type": NAMES | inner},
            optional={
                "content": st.lists(inner, max_size=4) | inner,
                "marks": st.lists(inner, max_size=3) | inner,
                "text": WORDS | inner,
                "attrs": st.dictionaries(ATTRIBUTES, inner) | inner,
            },
        )
    ),
    max_leaves=20,
)


@given(WORDS, st.sampled_from(FORMATS))
def test_any_text_is_rendered_safely(words: str, form: Format) -> None:
    assert faults(render(words, form)) == []
    assert faults(render(words, detect_format(words))) == []
    assert plain_text(words, form) == " ".join(plain_text(words, form).split())


@given(JSON, st.sampled_from(FORMATS))
def test_any_json_is_rendered_safely(value: Any, form: Format) -> None:
    assert faults(render(value, form)) == []
    assert faults(render(json.dumps(value), "tiptap")) == []
    plain_text(value, form)
