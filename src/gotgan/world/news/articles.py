"""Article pages in the site's layouts over time, and the pages shown instead of an article."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Final

from gotgan.world.news.stories import COMPANIES, NEWSPAPER, StoryKind, WorldStory
from gotgan.world.scene import NOT_FOUND, SceneResponse, seeded_random

_ENGLISH: Final = (
    "The company said on {day} that sales rose {n}% from a year earlier.",
    "Orders that had been put off in the spring came back sooner than it had planned.",
    "{other} reported a similar pattern last week, and kept its outlook for the year.",
    "Costs remain the open question, after freight and wages took {n}% of revenue.",
    "Analysts had expected less: their average estimate was {n} cents a share.",
    "“We would rather be early than large,” said the letter to holders, all {n} pages of it.",
    "The shares opened higher, gave back the gain before noon and ended {n} cents up.",
    "Regulators in Brussels & Washington have asked for more time to decide.",
    "The next report on inventories is due in {n} days, and has moved prices twice this year.",
    "For households the effect is small: less than {n} dollars a month on a typical bill.",
    "A spokesperson for {other} declined to add to what had been published.",
)
_GERMAN: Final = (
    "Der Umsatz stieg nach Angaben des Unternehmens um {n} Prozent.",
    "Aufträge, die im Frühjahr verschoben worden waren, kamen früher zurück als erwartet.",
    "Auch {other} hatte zuletzt berichtet, die Prognose für das laufende Jahr zu bestätigen.",
    "Offen bleiben die Kosten: Fracht, Löhne und Energie machten {n} Prozent der Erlöse aus.",
    "Die Aktie gab bis zum Mittag einen Teil ab und schloss dennoch über dem Vortag.",
)
_KOREAN: Final = (
    "회사는 이번 분기 매출이 지난해 같은 기간보다 {n}% 늘었다고 밝혔다.",
    "봄에 미뤄진 주문이 예상보다 빨리 다시 들어온 영향이 컸다.",
    "지난주 {other}도 비슷한 흐름을 전하며 연간 전망을 유지했다.",
    "물류비와 인건비, 에너지 비용이 매출의 {n}%를 차지해 부담은 여전하다.",
    "주가는 장 초반 오른 뒤 상승분을 내줬으나 전날보다 높게 마감했다.",
)
_SENTENCES: Final = {"en-US": _ENGLISH, "de-DE": _GERMAN, "ko-KR": _KOREAN}
_REFRAIN: Final = {
    "en-US": "Trading volume was above the average of the past month.",
    "de-DE": "Der Handel war lebhafter als im Durchschnitt des Monats.",
    "ko-KR": "거래량은 최근 한 달 평균을 웃돌았다.",
}
"""A paragraph that is twice in every article."""
_DESKS: Final = ("Markets desk", "Technology desk", "Energy desk", "Staff of the evening edition")


def story_paragraphs(story: WorldStory) -> list[str]:
    """The paragraphs of a story's article."""
    dice = seeded_random(story.uuid, "prose")
    sentences, refrain = _SENTENCES[story.language], _REFRAIN[story.language]
    texts = [
        " ".join(dice.sample(sentences, 3)).format(
            day=f"{story.at:%A}", n=dice.randint(2, 60), other=dice.choice(COMPANIES).name
        )
        for _ in range(dice.randint(6, 10))
    ]
    return [*texts[:2], refrain, *texts[2:-1], refrain, texts[-1]]


def story_author(story: WorldStory) -> str:
    """The author of a story's article."""
    return seeded_random(story.uuid, "author").choice(_DESKS)


_AD: Final = '<div data-testid="inarticle-ad" class="sda"><p>Advertisement</p></div>'
_VISIBLE_PARAGRAPHS: Final = 5
_TEASER_PARAGRAPHS: Final = 1
_PAYWALL: Final = """\
</div>
<section class="paywall" data-testid="paywall"><h2>Upgrade to read this article</h2>
<a href="/plans/select-plan">See the plans</a></section></div></div></div>"""
_CONTINUE: Final = (
    '<a class="link continue-reading-button" data-testid="continue-reading" href="{url}">'
    "Continue Reading</a></div></div></div></div>"
)
_PLAYER: Final = '<div class="video-player" data-testid="video-player"></div>\n'


def article_page(story: WorldStory) -> SceneResponse:
    """The response at a story's URL on the site."""
    match story.kind:
        case StoryKind.GONE:
            return SceneResponse(
                b"<!doctype html><html><body>This was taken back.</body></html>", 410
            )
        case StoryKind.MISSING:
            return NOT_FOUND
        case StoryKind.PREMIUM | StoryKind.REPORT:
            return _document(story, _teaser(story, _PAYWALL), is_free=False)
        case StoryKind.STUB | StoryKind.MAGAZINE:
            link = _CONTINUE.format(url=f"https://{NEWSPAPER}{story.elsewhere}")
            return _document(story, _teaser(story, link))
        case StoryKind.VIDEO:
            return _document(story, _teaser(story, "</div></div></div></div>", _PLAYER))
        case _:
            shape = seeded_random(story.uuid, "shape").choice(_SHAPES)
            return _document(story, shape(story))


def _document(story: WorldStory, main: str, *, is_free: bool = True) -> SceneResponse:
    text = f"""\
<!doctype html>
<html lang="{story.language}"><head><meta charset="utf-8"><title>{escape(story.title)}</title>
<meta property="og:title" content="{escape(story.title)}">
<meta property="og:site_name" content="{escape(story.publisher)}">
{_linked_data(story, is_free=is_free)}</head>
<body><header><nav><a href="/">Home</a> <a href="/markets/">Markets</a></nav></header>
{main}
<aside><h2>More stories</h2><ul><li><a href="/news/"><p>The week in charts</p></a></li></ul></aside>
<footer><p>Quotes are not sourced from all markets.</p></footer></body></html>
"""
    return SceneResponse(text.encode())


def _linked_data(story: WorldStory, *, is_free: bool = True) -> str:
    about = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.title,
        "datePublished": _published_stamp(story),
        "inLanguage": story.language,
        "author": {"@type": "Organization", "name": story_author(story)},
        "publisher": {"@type": "Organization", "name": story.publisher},
        "isAccessibleForFree": is_free,
    }
    inert = json.dumps(about, ensure_ascii=False).replace("<", "\\u003C")
    return f'<script type="application/ld+json">{inert}</script>'


def _paragraphs(texts: Sequence[str]) -> str:
    return "\n".join(f"<p>{escape(text)}</p>" for text in texts)


def _published_stamp(story: WorldStory) -> str:
    return story.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _cover(story: WorldStory) -> str:
    return f"""\
<div class="cover-wrap"><h1 class="cover-title">{escape(story.title)}</h1></div>
<a class="provider" aria-label="{escape(story.publisher)}"><img alt="{escape(story.publisher)}"></a>
<div class="byline"><div class="byline-attr-author">{escape(story_author(story))}</div>
<time class="byline-attr-meta-time" datetime="{_published_stamp(story)}">\
{story.at:%a, %B %d, %Y at %H:%M} UTC</time></div>"""


def _wrapped_article(story: WorldStory, tag: str) -> str:
    texts = story_paragraphs(story)
    return f"""\
<{tag} data-testid="article-content-wrapper" class="article-wrap">
{_cover(story)}
<div class="body-wrap"><div class="body"><div class="atoms-wrapper">
{_paragraphs(texts[:2])}
{_AD}
{_paragraphs(texts[2:_VISIBLE_PARAGRAPHS])}
</div>
<div class="readmore"><button data-testid="read-more-button">Story Continues</button></div>
<div class="read-more-wrapper" data-testid="read-more" style="display:none">
{_paragraphs(texts[_VISIBLE_PARAGRAPHS:-1])}
{_AD}
{_paragraphs(texts[-1:])}
</div></div></div></{tag}>"""


def _caas(story: WorldStory) -> str:
    texts = story_paragraphs(story)
    return f"""\
<article class="caas-container"><div class="caas-inner">
<header class="caas-header"><h1 data-test-locator="headline">{escape(story.title)}</h1></header>
<div class="caas-attr"><img class="caas-attr-provider-logo" alt="{escape(story.publisher)}">
<span class="caas-attr-provider">{escape(story.publisher)}</span>
<span class="caas-author-byline-collapse">{escape(story_author(story))}</span>
<div class="caas-attr-time-style"><time datetime="{_published_stamp(story)}"></time></div></div>
<div class="caas-content-wrapper"><div class="caas-body">
{_paragraphs(texts[:_VISIBLE_PARAGRAPHS])}
<div class="caas-da"><div data-testid="inarticle-ad"><p>Advertisement</p></div></div>
<div class="caas-readmore"><button class="link caas-button">Story continues</button></div>
{_paragraphs(texts[_VISIBLE_PARAGRAPHS:])}
</div></div></div></article>"""


def _unknown(story: WorldStory) -> str:
    """A shape without known markup, for general extractors."""
    return f"""\
<main><div class="c7"><h1>{escape(story.title)}</h1>
<div class="c9">{escape(story_author(story))}</div>
<div class="c11">
{_paragraphs(story_paragraphs(story))}
</div></div></main>"""


_SHAPES: Final[Sequence[Callable[[WorldStory], str]]] = (
    *([partial(_wrapped_article, tag="div")] * 6),  # of 2025
    *([partial(_wrapped_article, tag="article")] * 2),  # of 2024
    *([_caas] * 2),
    _unknown,
)


def _teaser(story: WorldStory, end: str, player: str = "") -> str:
    """The beginning of an article, and what follows it."""
    return f"""\
<div data-testid="article-content-wrapper" class="article-wrap">
{_cover(story)}
{player}<div class="body-wrap"><div class="body"><div class="atoms-wrapper">
{_paragraphs(story_paragraphs(story)[:_TEASER_PARAGRAPHS])}
{end}"""


def newspaper_article(story: WorldStory) -> SceneResponse:
    """The page of a story on the publisher's own site."""
    main = f"""\
<main><article><header><h1>{escape(story.title)}</h1>
<p class="by">{escape(story_author(story))}, {escape(story.publisher)}</p></header>
{_paragraphs(story_paragraphs(story))}
</article></main>"""
    return _document(story, main)
