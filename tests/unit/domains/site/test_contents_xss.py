"""No contents, however they are written, bring a script or a style to the page."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.site.content import render, sanitise
from tests.unit.domains.site.structure import faults

ADDRESSES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\x01javascript:alert(1)",
    "\x00javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "java\rscript:alert(1)",
    "javascript\t:alert(1)",
    "\u00a0javascript:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;&#x61;vascript:alert(1)",
    "javascript&colon;alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "%6Aavascript:alert(1)",
    "javascript://example.com/%0aalert(1)",
    "feed:javascript:alert(1)",
    "view-source:javascript:alert(1)",
    "jar:javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "data:image/png;base64,iVBORw0KGgo=",
    "DATA:,x",
    "vbscript:msgbox(1)",
    "VBScript:msgbox(1)",
    "livescript:alert(1)",
    "mocha:alert(1)",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "filesystem:https://example.com/1",
    "intent://example.com#Intent;end",
    "ms-settings:",
    'x" onclick="alert(1)',
    "x' onclick='alert(1)",
    'x"><script>alert(1)</script>',
    "x`onclick=alert(1)",
    'http://example.com/" style="color:red',
]

HTML = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//example.com/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script/x>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src='x'onerror='alert(1)'>",
    "<img/src=x/onerror=alert(1)>",
    '<img """><script>alert(1)</script>">',
    "<img src=javascript:alert(1)>",
    "<img src=x style=background:url(javascript:alert(1))>",
    "<img srcset='x 1x, javascript:alert(1) 2x'>",
    "<img src=mailto:a@example.com>",
    "<body onload=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text y=9>x</text></a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:alert(1)></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><desc><table><td><style><a title='</style><img src onerror=alert(1)>'>",
    "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img onerror=x&gt;'>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<textarea><img title='</textarea><img src onerror=alert(1)>'>",
    "<title><a title='</title><img src onerror=alert(1)>'></title>",
    "<xmp><p title='</xmp><img src onerror=alert(1)>'>",
    "<plaintext><script>alert(1)</script>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<applet code=x>",
    "<base href=//example.com/>",
    "<link rel=stylesheet href=//example.com/x.css>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<input type=image src=x onerror=alert(1)>",
    "<input autofocus onfocus=alert(1) value=password name=password>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<isindex action=javascript:alert(1)>",
    "<style>*{background:url(javascript:alert(1))}</style>",
    "<style>@import '//example.com/x.css'</style>",
    "<p style='position:fixed;inset:0'>x</p>",
    "<p style=width:expression(alert(1))>x</p>",
    "<p id=cookie name=cookie>x</p>",
    "<p class='console danger'>x</p>",
    "<p class='align-center console'>x</p>",
    "<p lang=x title=y contenteditable>x</p>",
    "<p onclick=alert(1)>x</p>",
    "<p/onmouseover='alert(1)'>x</p>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href=x onclick=alert(1)>x</a>",
    "<a href=x target=_self rel=opener ping=//example.com download>x</a>",
    "<a href='x' style='color:red'>x</a>",
    "<table background=javascript:alert(1)><td background=x>x</td></table>",
    "<td colspan=1 onclick=alert(1)>x",
    "<code class='language-x onclick=alert(1)'>x</code>",
    "<!--<img src='--><img src=x onerror=alert(1)>'>",
    "<!-- --!><script>alert(1)</script> -->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
    "</p></div></main><script>alert(1)</script>",
    "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
    "<custom-element onclick=alert(1) is=x>x</custom-element>",
    "<\x00script>alert(1)</script>",
    "<img src=x\x00onerror=alert(1)>",
    "\u00bcscript\u00bealert(1)\u00bc/script\u00be",
]

MARKDOWN = [
    '[a](/b "c\\" onmouseover=\\"alert(1)")',
    "[a](/b 'c\"><script>alert(1)</script>')",
    '![a" onerror="alert(1)](/b)',
    "![<img src=x onerror=alert(1)>](/b)",
    "[<script>alert(1)</script>](/b)",
    '```x" onclick="alert(1)\na\n```',
    '```"><script>alert(1)</script>\na\n```',
    "~~~&quot;onclick=alert(1)\na\n~~~",
    "```a&#x20;b\na\n```",
    "[a]: javascript:alert(1)\n\n[a]",
    "[a]: /b '\"onclick=alert(1)'\n\n[a]",
    "[a]: data:text/html,x\n\n![a]",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "<foo:bar>",
    '<mailto:a@example.com?onclick="alert(1)">',
    "[a](<javascript:alert(1)>)",
    "[a](javascript&#58;alert(1))",
    "[a](\\javascript:alert(1))",
    "![a](mailto:b@example.com)",
    "[a [b](javascript:alert(1))](c)",
    "`<script>alert(1)</script>`",
    "    <script>alert(1)</script>",
    "a | <script>alert(1)</script>\n-|-\n<img src=x onerror=alert(1)> | b",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "**<b onclick=alert(1)>**",
    "<div\n\nonclick=alert(1)>",
]

HARMFUL_VALUES = [
    "javascript:alert(1)",
    'x" onclick="alert(1)',
    "x' onclick='alert(1)",
    'x"><script>alert(1)</script>',
    "center;background:url(javascript:alert(1))",
    "center console",
    "align-center",
    "red;position:fixed",
    '#fff" onmouseover="alert(1)',
    "expression(alert(1))",
    "url(javascript:alert(1))",
    "x\x00y",
    {"toString": "alert(1)"},
    ["left"],
    -1,
    1e999,
]


def document(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"type": "doc", "content": list(nodes)}


def marked(kind: str, **attributes: Any) -> dict[str, Any]:
    return {"type": "text", "text": "a", "marks": [{"type": kind, "attrs": attributes}]}


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_runs_from_markdown(address: str) -> None:
    for source in (f"[a]({address})", f"[a](<{address}>)", f"![a]({address})", f"<{address}>"):
        assert faults(render(source, "markdown")) == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_runs_from_tiptap(address: str) -> None:
    link = marked("link", href=address, title=address, target=address, rel=address)
    image = {"type": "image", "attrs": {"src": address, "alt": address, "title": address}}
    assert faults(render(document(link, image), "tiptap")) == []


@pytest.mark.parametrize("html", HTML)
def test_raw_html_is_only_words(html: str) -> None:
    tiptap = document({"type": "text", "text": html}, {"type": html, "attrs": {"html": html}})
    assert faults(render(html, "markdown")) == []
    assert faults(render(f"a {html} b", "markdown")) == []
    assert faults(render(html, "text")) == []
    assert faults(render(tiptap, "tiptap")) == []


@pytest.mark.parametrize("html", HTML)
def test_raw_html_that_found_a_way_in_is_taken_apart(html: str) -> None:
    once = sanitise(html)
    assert faults(once) == []
    assert sanitise(once) == once


@pytest.mark.parametrize("source", MARKDOWN)
def test_markdown_stays_what_it_is(source: str) -> None:
    assert faults(render(source, "markdown")) == []


@pytest.mark.parametrize("value", HARMFUL_VALUES)
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("paragraph", ("textAlign", "style", "class", "id")),
        ("heading", ("level", "textAlign")),
        ("codeBlock", ("language", "params")),
        ("orderedList", ("start", "type")),
        ("image", ("src", "alt", "title", "width", "height", "srcset", "style")),
        ("tableCell", ("colspan", "rowspan", "colwidth", "align", "textAlign", "backgroundColor")),
        ("taskItem", ("checked",)),
        ("youtube", ("src", "start", "width")),
        ("iframe", ("src", "srcdoc")),
    ],
)
def test_no_attribute_of_a_node_gets_through(kind: str, names: tuple[str, ...], value: Any) -> None:
    child = {"type": "text", "text": "a"}
    node = {"type": kind, "attrs": dict.fromkeys(names, value), "content": [child]}
    row = {"type": "table", "content": [{"type": "tableRow", "content": [node]}]}
    assert faults(render(document(node, row), "tiptap")) == []


@pytest.mark.parametrize("value", HARMFUL_VALUES)
@pytest.mark.parametrize("kind", ["link", "highlight", "textStyle", "bold", "code", "script"])
def test_no_attribute_of_a_mark_gets_through(kind: str, value: Any) -> None:
    names = ("href", "title", "class", "target", "rel", "color", "style", "onclick", "fontFamily")
    text = marked(kind, **dict.fromkeys(names, value))
    assert faults(render(document(text), "tiptap")) == []


@pytest.mark.parametrize(
    "address",
    ["/a", "b.html", "#c", "?d=1", "//e.example", "http://f.example/", "https://g.example/?h=1"],
)
def test_good_addresses_stay(address: str) -> None:
    image = {"type": "image", "attrs": {"src": address}}
    assert f'href="{address}"' in render(f"[a]({address})", "markdown")
    assert f'src="{address}"' in render(f"![a]({address})", "markdown")
    assert f'src="{address}"' in render(document(image), "tiptap")


@pytest.mark.parametrize("address", ["mailto:a@example.com", "tel:+8225550100"])
def test_a_link_can_write_and_call(address: str) -> None:
    assert f'href="{address}"' in render(f"[a]({address})", "markdown")


@pytest.mark.parametrize(
    "html",
    [
        "<script>",
        "<p onclick=x>a</p>",
        "<p style='color:red'>a</p>",
        "<p class=console>a</p>",
        "<a href='java\tscript:x' rel='noopener noreferrer nofollow'>a</a>",
        "<a href=/b>a</a>",
        "<img src=data:,x>",
        "<img src=mailto:a>",
        "<input type=text disabled>",
        "<input type=checkbox>",
        "<p>a",
        "</div>",
        "<!-- a -->",
        "<!DOCTYPE html>",
        "<?a?>",
    ],
)
def test_the_check_sees_what_is_wrong(html: str) -> None:
    assert faults(html) != []
