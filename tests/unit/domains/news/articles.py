"""Small article pages, written by hand in each shape that they have had."""

from __future__ import annotations

import json
from typing import Any

from gotgan.domains.news.article import Article, ArticleResult, extract_article

__all__ = ["ADDRESS", "COVER", "SENTENCE", "article", "caas", "linked", "page", "read", "wrapped"]

ADDRESS = "https://finance.yahoo.com/news/chip-maker-lifts-forecast-060559667.html"
SENTENCE = "The maker of chips said on Thursday that it will sell more of them than it thought. "

COVER = """\
<div class="cover-wrap yf-1a2b3c"><h1 class="cover-title yf-9">Chip maker lifts forecast</h1></div>
<div class="byline yf-2"><a href="https://wire.example/"><img alt="The Wire"></a>
<div class="byline-attr-author yf-3">By <a href="/author/1">Ada Reed</a> and <a>Bo Li</a></div>
<time class="byline-attr-meta-time" datetime="2025-11-06T13:05:59.667Z">Thu</time></div>
"""


def page(body: str, head: str = "", attributes: str = "") -> bytes:
    """A whole page."""
    html = f"<!doctype html><html {attributes}><head><meta charset=utf-8>{head}</head>"
    return f"{html}<body>{body}</body></html>".encode()


def linked(**about: Any) -> str:
    """An article as JSON-LD."""
    text = json.dumps({"@context": "https://schema.org", "@type": "NewsArticle", **about})
    return f'<script type="application/ld+json">{text}</script>'


def wrapped(atoms: str, more: str = "", *, cover: str = COVER, tag: str = "div") -> str:
    """An article of 2025, or of 2024 in an ``article``."""
    rest = f'<div class="read-more-wrapper" data-testid="read-more">{more}</div>' if more else ""
    return f"""<{tag} class="article-wrap" data-testid="article-content-wrapper">{cover}
<div class="body-wrap yf-4"><div class="body"><div class="atoms-wrapper">{atoms}</div>
<div class="readmore"><button>Story Continues</button></div>{rest}</div></div></{tag}>"""


def caas(body: str) -> str:
    """An article of the years before 2025."""
    return f"""<article><header class="caas-header"><h1>Chip maker lifts forecast</h1></header>
<div class="caas-attr"><img class="caas-attr-provider-logo" alt="The Wire">
<div class="caas-attr-item-author">Ada Reed</div>
<div class="caas-attr-time-style"><time datetime="2023-11-06T13:05:59.000Z">Mon</time></div></div>
<div class="caas-body">{body}</div></article>"""


def read(given: bytes, charset: str | None = None) -> ArticleResult:
    """What is said about a page."""
    return extract_article(given, ADDRESS, charset=charset)


def article(body: str, head: str = "", attributes: str = "") -> Article:
    """The article on a page that has one."""
    found = read(page(body, head, attributes))
    assert isinstance(found, Article)
    return found
