"""Small list pages, written by hand in each shape that the list has had."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any

from gotgan.fetch.models import FetchResponse

__all__ = [
    "ADDRESS",
    "SHAPES",
    "Card",
    "answer",
    "document",
    "fetched",
    "in_2024",
    "on_quote_pages",
    "on_the_topic_page",
    "story",
]

ADDRESS = "https://finance.yahoo.com/topic/latest-news/"


@dataclass(frozen=True)
class Card:
    """A story as a page shows it."""

    title: str = "Chip maker lifts forecast"
    href: str = "/news/chip-maker-lifts-forecast-060559667.html"
    tickers: list[str] = field(default_factory=list)
    uuid: str = ""


def document(body: str, *scripts: str) -> bytes:
    """A whole page."""
    head = '<head><meta charset="utf-8"><title>Latest News</title></head>'
    return f"<!doctype html><html>{head}<body>{body}{''.join(scripts)}</body></html>".encode()


def in_2024(cards: Iterable[Card]) -> str:
    """As the list was in 2024 and 2025: tickers are on show, ads have a class of their own."""
    ad = (
        '<li class="stream-item ad-item yf-1a2b3c"><section data-testid="storyitem">'
        '<a class="subtle-link titles" href="https://ads.example/buy" title="Buy">'
        "<h3>Buy</h3></a></section></li>"
    )
    return f'<ul class="stream-items yf-9z8y7x">{ad}{"".join(map(_in_2024, cards))}{ad}</ul>'


def _in_2024(card: Card) -> str:
    href, title = escape(card.href), escape(card.title)
    shown = "".join(
        f'<a data-testid="ticker-container" aria-label="{escape(ticker)}" title="Some Company" '
        f'href="/quote/{escape(ticker)}/"><span>{escape(ticker)} +1.2%</span></a>'
        for ticker in card.tickers
    )
    return f"""<li class="stream-item story-item yf-1a2b3c">
      <section class="container" data-testid="storyitem">
        <a class="subtle-link thumb" href="{href}" aria-label="{title}"><img src="x.jpg"></a>
        <div class="content">
          <a class="subtle-link titles yf-77" href="{href}" title="{title}">
            <h3 class="clamp yf-88">{title}</h3>
          </a>
          <div class="footer"><a href="/author/x" title="Reuters">Reuters</a>{shown}</div>
        </div>
      </section></li>"""


def on_quote_pages(cards: Iterable[Card]) -> str:
    """As lists on quote pages are in 2026: no tickers, but the story's uuid."""
    ad = '<div class="stream-item ad-item"><section data-testid="storyitem">Ad</section></div>'
    return f'<section class="stream-items">{"".join(map(_on_quote_pages, cards))}{ad}</section>'


def _on_quote_pages(card: Card) -> str:
    href, title = escape(card.href), escape(card.title)
    marks = ""
    if card.uuid:
        yga = escape(json.dumps({"yLinkText": "x", "yDestinationContentUUID": card.uuid}))
        marks = f'data-ylk="elm:hdln;itc:0;g:{card.uuid};ct:story" data-yga="{yga}"'
    return f"""<div class="stream-item"><section data-testid="storyitem" class="yf-5">
      <a class="subtle-link titles" {marks} href="{href}" title="{title}">
        <h3 class="clamp">{title}</h3><p>What it is about</p></a>
      </section></div>"""


def on_the_topic_page(cards: Iterable[Card]) -> str:
    """As the list is said to be in 2026: stories are marked, ads are not."""
    ad = (
        '<li><section class="story-item"><a title="Buy" href="https://ads.example/buy">'
        "<h3>Buy</h3></a></section></li>"
    )
    items = "".join(map(_on_the_topic_page, cards))
    beside = (
        '<aside><ul class="stream-items"><li class="stream-item story-item">'
        '<section data-testid="storyitem"><a class="titles" href="/news/trending-111111111.html">'
        "<h3>Trending</h3></a></section></li></ul></aside>"
    )
    stream = f'<ul data-testid="list-ds">{ad}{items}{ad}</ul>'
    return f'{beside}<div data-testid="topic-stream">{stream}</div>{beside}'


def _on_the_topic_page(card: Card) -> str:
    href, title = escape(card.href), escape(card.title)
    shown = "".join(
        f'<a class="ticker-link" title="Company" href="/quote/{escape(ticker)}/">'
        f'<span class="symbol">{escape(ticker)}</span><span>+1%</span></a>'
        for ticker in card.tickers
    )
    return f"""<li><div data-testid="stream-card"><section class="story-item">
      <a href="{href}" title="{title}"><h3>{title}</h3></a>
      <span class="publisher">Reuters</span><span class="published-date">4m ago</span>
      <div class="ticker-wrapper">{shown}</div></section></div></li>"""


SHAPES: dict[str, Callable[[Iterable[Card]], str]] = {
    "2024": in_2024,
    "2026 quote pages": on_quote_pages,
    "2026 topic page": on_the_topic_page,
}


def story(card: Card, **changes: Any) -> dict[str, Any]:
    """What the JSON of a page knows about a card: its tickers by its address, if it has one."""
    content = {
        "title": card.title,
        "contentType": "STORY",
        "canonicalUrl": {"url": "https://publisher.example/story"},
        "clickThroughUrl": {"url": card.href},
        "finance": {"stockTickers": [{"symbol": ticker} for ticker in card.tickers]},
    }
    return {"id": card.uuid or None, "content": {**content, **changes}}


def fetched(*stories: Any, status: int = 200) -> str:
    """The script in which a page keeps what its server fetched."""
    body = json.dumps({"data": {"main": {"stream": list(stories)}}})
    answered = json.dumps({"status": status, "headers": {}, "body": body}).replace("<", "\\u003C")
    return (
        '<script type="application/json" data-sveltekit-fetched '
        f'data-url="/xhr/ncp?query=x">{answered}</script>'
    )


def answer(
    body: bytes, kind: str = "text/html; charset=utf-8", url: str = ADDRESS
) -> FetchResponse:
    """What the web said to a request for the list."""
    headers = {"content-type": kind} if kind else {}
    return FetchResponse(ADDRESS, url, 200, headers, body, datetime(2026, 11, 6, tzinfo=UTC))
