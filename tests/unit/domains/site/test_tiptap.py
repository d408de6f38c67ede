"""Each node and each mark of a tiptap document has its element; wrong shapes do no harm."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from gotgan.domains.site.tiptap import tiptap_to_html

Node = dict[str, Any]


def text(words: str, *marks: str | Node) -> Node:
    return {
        "type": "text",
        "text": words,
        "marks": [{"type": mark} if isinstance(mark, str) else mark for mark in marks],
    }


def node(kind: str, *children: Node, **attributes: Any) -> Node:
    return {"type": kind, "attrs": attributes, "content": list(children)}


def link(href: Any, **attributes: Any) -> Node:
    return {"type": "link", "attrs": {"href": href, **attributes}}


A = text("a")


@pytest.mark.parametrize(
    ("given", "html"),
    [
        (node("doc", node("paragraph", A)), "<p>a</p>"),
        (node("paragraph", A, textAlign="center"), '<p class="align-center">a</p>'),
        (node("heading", A, level=3), "<h3>a</h3>"),
        (node("heading", A, level=Decimal(2), textAlign="right"), '<h2 class="align-right">a</h2>'),
        (node("bulletList", node("listItem", A)), "<ul><li>a</li></ul>"),
        (node("orderedList", node("listItem", A), start=1), "<ol><li>a</li></ol>"),
        (node("orderedList", node("listItem", A), start=4), '<ol start="4"><li>a</li></ol>'),
        (node("blockquote", node("paragraph", A)), "<blockquote><p>a</p></blockquote>"),
        (node("codeBlock", text("1 < 2\n3")), "<pre><code>1 &lt; 2\n3</code></pre>"),
        (node("codeBlock", A, language="c++"), '<pre><code class="language-c++">a</code></pre>'),
        (node("paragraph", A, node("hardBreak"), A), "<p>a<br>a</p>"),
        (node("horizontalRule"), "<hr>"),
        (node("image", src="/a.png"), '<img src="/a.png" alt="">'),
        (
            node("image", src="/a.png", alt='"b"', title="c", width=4, height=5.0),
            '<img src="/a.png" alt="&quot;b&quot;" title="c" width="4" height="5">',
        ),
        (
            node("table", node("tableRow", node("tableHeader", A), node("tableCell", A))),
            "<table><tbody><tr><th>a</th><td>a</td></tr></tbody></table>",
        ),
        (node("tableCell", A, colspan=2, rowspan=3), '<td colspan="2" rowspan="3">a</td>'),
        (node("tableCell", A, colspan=1, rowspan=1, colwidth=[90]), "<td>a</td>"),
        (
            node("taskList", node("taskItem", A, checked=True)),
            '<ul class="tasks"><li><input type="checkbox" disabled="" checked=""> a</li></ul>',
        ),
        (node("taskItem", A, checked=False), '<li><input type="checkbox" disabled=""> a</li>'),
    ],
)
def test_each_node_is_an_element(given: Node, html: str) -> None:
    assert tiptap_to_html(given) == html


@pytest.mark.parametrize(
    ("mark", "tag"),
    [
        ("bold", "strong"),
        ("italic", "em"),
        ("strike", "s"),
        ("underline", "u"),
        ("code", "code"),
        ("highlight", "mark"),
        ("subscript", "sub"),
        ("superscript", "sup"),
    ],
)
def test_each_mark_is_an_element(mark: str, tag: str) -> None:
    assert tiptap_to_html(text("a", mark)) == f"<{tag}>a</{tag}>"


def test_a_link_has_its_address_and_title() -> None:
    marked = text("a", link("/b?c=1&d=2", title="e", target="_blank"))
    assert tiptap_to_html(marked) == '<a href="/b?c=1&amp;d=2" title="e">a</a>'


def test_an_image_can_be_a_link() -> None:
    marked = {**node("image", src="/a.png"), "marks": [link("/b")]}
    assert tiptap_to_html(marked) == '<a href="/b"><img src="/a.png" alt=""></a>'


def test_neighbours_share_the_marks_that_they_begin_with() -> None:
    run = [text("a", link("/x")), text("b", link("/x"), "bold"), text("c", "bold"), text("d")]
    html = '<a href="/x">a<strong>b</strong></a><strong>c</strong>d'
    assert tiptap_to_html(node("doc", *run)) == html


def test_two_links_that_touch_stay_two() -> None:
    run = [text("a", link("/x")), text("b", link("/y"))]
    assert tiptap_to_html(node("doc", *run)) == '<a href="/x">a</a><a href="/y">b</a>'


def test_a_mark_counts_once() -> None:
    assert tiptap_to_html(text("a", *["bold"] * 1000)) == "<strong>a</strong>"


def test_an_unknown_node_gives_its_children_and_an_unknown_mark_nothing() -> None:
    given = node("spoiler", node("paragraph", text("a", "sparkle", "textStyle")))
    assert tiptap_to_html(given) == "<p>a</p>"


def test_a_video_is_left_out() -> None:
    assert tiptap_to_html(node("doc", node("youtube", src="https://example.com/v"), A)) == "a"


@pytest.mark.parametrize("align", ["middle", "center evil", "CENTER", "", 1, None, ["left"]])
def test_only_four_alignments_exist(align: Any) -> None:
    assert tiptap_to_html(node("paragraph", A, textAlign=align)) == "<p>a</p>"


@pytest.mark.parametrize("level", [0, 7, -1, "2", None, 1e400, float("nan"), [2]])
def test_a_heading_without_a_level_is_a_paragraph(level: Any) -> None:
    assert tiptap_to_html(node("heading", A, level=level)) == "<p>a</p>"


@pytest.mark.parametrize(
    "given",
    [
        None,
        7,
        "a",
        [],
        {},
        {"type": None},
        {"type": ["text"], "text": "a"},
        {"type": "text"},
        {"type": "text", "text": 7},
        {"type": "text", "text": "", "marks": {"type": "bold"}},
        {"type": "text", "text": "", "marks": [None, 7, {}, {"type": {}}]},
        {"type": "doc", "content": {"type": "text", "text": "a"}},
        {"type": "doc", "content": [None, 7, "a", [{"type": "text", "text": "a"}]]},
        {"type": "image", "attrs": {"src": 7}},
        {"type": "image", "attrs": "src"},
    ],
)
def test_a_wrong_shape_says_nothing(given: Any) -> None:
    assert tiptap_to_html(given) == ""


def test_text_is_escaped() -> None:
    assert tiptap_to_html(text("<b> & \"'")) == "&lt;b&gt; &amp; &quot;&#x27;"


def test_below_fifty_levels_only_the_text_is_left() -> None:
    given = A
    for _ in range(20_000):
        given = node("blockquote", given)
    html = tiptap_to_html(given)
    assert html.count("<blockquote>") == html.count("</blockquote>") == 51
    assert html.count("a") == 1
