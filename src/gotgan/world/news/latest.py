"""The list page: the latest stories, and all that stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from gotgan.world.news.cards import SHOWN, hashed, stream
from gotgan.world.news.embedded import answer_of, embedded
from gotgan.world.news.stories import WorldStory, newest
from gotgan.world.scene import Scene, SceneResponse, chance

__all__ = ["empty_page", "latest_page"]

_ASIDE: Final = 12
_AHEAD: Final = 5
"""How many of the oldest cards may be missing in the JSON."""
_PIECE: Final = 500
"""About how many bytes one piece of padding has."""


def latest_page(scene: Scene) -> SceneResponse:
    """The page of the newest stories."""
    stories = newest(scene, scene.cards)
    return _page(scene, stream(scene, stories), embedded(scene, _known(scene, stories)))


def empty_page(scene: Scene) -> SceneResponse:
    """The same page without a single story."""
    return _page(scene, "<p>Nothing to show at the moment.</p>", "")


def _known(scene: Scene, stories: Sequence[WorldStory]) -> list[WorldStory]:
    """The stories in the JSON: all but a few whose tickers the markup shows in full."""
    if scene.markup == "2026-quote":
        return list(stories)
    ahead = len(stories) - _AHEAD
    return [each for n, each in enumerate(stories) if n < ahead or len(each.tickers) > SHOWN]


def _page(scene: Scene, main: str, scripts: str) -> SceneResponse:
    others = newest(scene, _ASIDE, "feed")
    text = f"""\
<!doctype html>
<html lang="en-US" data-color-scheme="light">
<head><meta charset="utf-8"><title>Latest Stock Market News</title>
<link rel="canonical" href="https://finance.yahoo.com/topic/latest-news/">
<style>{_styles(scene)}</style></head>
<body class="{hashed(scene, "body")}">
<header><nav><a href="/" title="Home"><h3>Home</h3></a>
<a href="/topic/latest-news/" title="Latest news">Latest news</a></nav></header>
<main class="{hashed(scene, "main")}"><h1>Latest news</h1>
{_hero(others[0])}
{main}
</main>
<aside class="{hashed(scene, "aside")}"><h2>Trending</h2>{_trending(others[1:])}</aside>
<footer><a href="https://guce.yahoo.com/privacy-dashboard" title="Privacy">Privacy</a></footer>
{scripts}
{_state(scene)}
</body></html>
"""
    return SceneResponse(text.encode())


def _hero(story: WorldStory) -> str:
    """A story above the list that is no part of it."""
    href, title = escape(story.href), escape(story.title)
    return (
        f'<section class="hero" data-testid="storyitem"><a class="subtle-link titles" href="{href}"'
        f' title="{title}"><h2>{title}</h2></a></section>'
    )


def _trending(stories: Sequence[WorldStory]) -> str:
    items = "".join(
        f'<li><section class="story-item"><a class="subtle-link titles" href="{escape(each.href)}"'
        f' title="{escape(each.title)}"><h3 class="clamp">{escape(each.title)}</h3></a></section>'
        "</li>"
        for each in stories
    )
    return f'<ul class="trending" data-testid="list-ds">{items}</ul>'


def _styles(scene: Scene) -> str:
    """Half of the padding, as rules for classes that nobody uses."""
    pieces = range(scene.padding // 2 // _PIECE)
    return "\n".join(_rules(scene, piece) for piece in pieces)


def _rules(scene: Scene, piece: int) -> str:
    names = [f".yf-{piece:04x}{letter}{scene.seed % 10}" for letter in "abcdefghi"]
    return " ".join(f"{name}{{display:flex;margin:0 auto;padding:{piece % 9}px}}" for name in names)


def _state(scene: Scene) -> str:
    """The other half, as an answer to something else that a script would have asked."""
    dice = chance(scene.seed, scene.now.date(), "padding")
    pieces = range(scene.padding // 2 // _PIECE)
    points = [[dice.randrange(10_000_000) for _ in range(63)] for _ in pieces]
    return answer_of("/xhr/charts", {"chart": {"result": points}})
