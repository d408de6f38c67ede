"""Article pages: the shapes that the site has had, and what stands where an article is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from gotgan.world.news.prose import author_of, paragraphs_of
from gotgan.world.news.stories import NEWSPAPER, StoryKind, WorldStory
from gotgan.world.scene import MISSING, SceneResponse, chance

__all__ = ["article_page", "document", "linked_data", "paragraphs"]

_AD: Final = '<div data-testid="inarticle-ad" class="sda"><p>Advertisement</p></div>'
_SEEN: Final = 5
"""How many paragraphs are shown before the reader asks for the rest."""
_TEASER: Final = 1


def article_page(story: WorldStory) -> SceneResponse:
    """What is answered at a story's address on the site."""
    match story.kind:
        case StoryKind.GONE:
            return SceneResponse(
                b"<!doctype html><html><body>This was taken back.</body></html>", 410
            )
        case StoryKind.MISSING:
            return MISSING
        case StoryKind.PREMIUM | StoryKind.REPORT:
            return document(story, _for_subscribers(story), is_free=False)
        case StoryKind.STUB | StoryKind.MAGAZINE:
            return document(story, _stub(story))
        case StoryKind.VIDEO:
            return document(story, _video(story))
        case _:
            shape = chance(story.uuid, "shape").choice(_SHAPES)
            return document(story, shape(story))


def document(story: WorldStory, main: str, *, is_free: bool = True) -> SceneResponse:
    """A whole page around an article."""
    text = f"""\
<!doctype html>
<html lang="{story.language}"><head><meta charset="utf-8"><title>{escape(story.title)}</title>
<meta property="og:title" content="{escape(story.title)}">
<meta property="og:site_name" content="{escape(story.publisher)}">
{linked_data(story, is_free=is_free)}</head>
<body><header><nav><a href="/">Home</a> <a href="/markets/">Markets</a></nav></header>
{main}
<aside><h2>More stories</h2><ul><li><a href="/news/"><p>The week in charts</p></a></li></ul></aside>
<footer><p>Quotes are not sourced from all markets.</p></footer></body></html>
"""
    return SceneResponse(text.encode())


def linked_data(story: WorldStory, *, is_free: bool = True) -> str:
    """The article as schema.org describes it."""
    about = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.title,
        "datePublished": _published(story),
        "inLanguage": story.language,
        "author": {"@type": "Organization", "name": author_of(story)},
        "publisher": {"@type": "Organization", "name": story.publisher},
        "isAccessibleForFree": is_free,
    }
    inert = json.dumps(about, ensure_ascii=False).replace("<", "\\u003C")
    return f'<script type="application/ld+json">{inert}</script>'


def paragraphs(texts: Sequence[str]) -> str:
    """Texts as paragraphs."""
    return "\n".join(f"<p>{escape(text)}</p>" for text in texts)


def _published(story: WorldStory) -> str:
    return story.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _cover(story: WorldStory) -> str:
    return f"""\
<div class="cover-wrap"><h1 class="cover-title">{escape(story.title)}</h1></div>
<a class="provider" aria-label="{escape(story.publisher)}"><img alt="{escape(story.publisher)}"></a>
<div class="byline"><div class="byline-attr-author">{escape(author_of(story))}</div>
<time class="byline-attr-meta-time" datetime="{_published(story)}">\
{story.at:%a, %B %d, %Y at %H:%M} UTC</time></div>"""


def _wrapped(story: WorldStory, tag: str) -> str:
    texts = paragraphs_of(story)
    return f"""\
<{tag} data-testid="article-content-wrapper" class="article-wrap">
{_cover(story)}
<div class="body-wrap"><div class="body"><div class="atoms-wrapper">
{paragraphs(texts[:2])}
{_AD}
{paragraphs(texts[2:_SEEN])}
</div>
<div class="readmore"><button data-testid="read-more-button">Story Continues</button></div>
<div class="read-more-wrapper" data-testid="read-more" style="display:none">
{paragraphs(texts[_SEEN:-1])}
{_AD}
{paragraphs(texts[-1:])}
</div></div></div></{tag}>"""


def _of_2025(story: WorldStory) -> str:
    return _wrapped(story, "div")


def _of_2024(story: WorldStory) -> str:
    return _wrapped(story, "article")


def _caas(story: WorldStory) -> str:
    texts = paragraphs_of(story)
    return f"""\
<article class="caas-container"><div class="caas-inner">
<header class="caas-header"><h1 data-test-locator="headline">{escape(story.title)}</h1></header>
<div class="caas-attr"><img class="caas-attr-provider-logo" alt="{escape(story.publisher)}">
<span class="caas-attr-provider">{escape(story.publisher)}</span>
<span class="caas-author-byline-collapse">{escape(author_of(story))}</span>
<div class="caas-attr-time-style"><time datetime="{_published(story)}"></time></div></div>
<div class="caas-content-wrapper"><div class="caas-body">
{paragraphs(texts[:_SEEN])}
<div class="caas-da"><div data-testid="inarticle-ad"><p>Advertisement</p></div></div>
<div class="caas-readmore"><button class="link caas-button">Story continues</button></div>
{paragraphs(texts[_SEEN:])}
</div></div></div></article>"""


def _unknown(story: WorldStory) -> str:
    """A shape that nobody has described: only a reader of any page makes something of it."""
    return f"""\
<main><div class="c7"><h1>{escape(story.title)}</h1>
<div class="c9">{escape(author_of(story))}</div>
<div class="c11">
{paragraphs(paragraphs_of(story))}
</div></div></main>"""


_SHAPES: Final[Sequence[Callable[[WorldStory], str]]] = (
    *([_of_2025] * 6),
    *([_of_2024] * 2),
    *([_caas] * 2),
    _unknown,
)


def _for_subscribers(story: WorldStory) -> str:
    return f"""\
<div data-testid="article-content-wrapper" class="article-wrap">
{_cover(story)}
<div class="body-wrap"><div class="body"><div class="atoms-wrapper">
{paragraphs(paragraphs_of(story)[:_TEASER])}
</div>
<section class="paywall" data-testid="paywall"><h2>Upgrade to read this article</h2>
<a href="/plans/select-plan">See the plans</a></section></div></div></div>"""


def _stub(story: WorldStory) -> str:
    return f"""\
<div data-testid="article-content-wrapper" class="article-wrap">
{_cover(story)}
<div class="body-wrap"><div class="body"><div class="atoms-wrapper">
{paragraphs(paragraphs_of(story)[:_TEASER])}
<a class="link continue-reading-button" data-testid="continue-reading" \
href="https://{NEWSPAPER}{story.elsewhere}">Continue Reading</a></div></div></div></div>"""


def _video(story: WorldStory) -> str:
    return f"""\
<div data-testid="article-content-wrapper" class="article-wrap">
{_cover(story)}
<div class="video-player" data-testid="video-player"></div>
<div class="body-wrap"><div class="body"><div class="atoms-wrapper">
{paragraphs(paragraphs_of(story)[:_TEASER])}
</div></div></div></div>"""
