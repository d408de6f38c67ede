"""Hints: each is for a message that exists, and leads to a page."""

from __future__ import annotations

from string import Formatter

import pytest
from starlette.routing import Match

from gotgan.console import sections
from gotgan.console.hints import HINTS, hint_links, message_with_links
from gotgan.console.session import Viewer
from gotgan.console.texts import catalogue
from gotgan.domains.market import messages as market
from gotgan.messages import templates, text
from tests.each import each


def _values(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name}


@each("code", HINTS)
def test_a_hint_is_for_a_message_that_has_its_values(code: str) -> None:
    assert _values(HINTS[code].path) <= _values(templates()[code])
    assert HINTS[code].label in catalogue()


@each("code", HINTS)
def test_a_hint_leads_to_a_page(code: str) -> None:
    path = HINTS[code].path.partition("?")[0]
    scope = {"type": "http", "method": "GET", "path": path, "root_path": ""}
    routes = [
        route for routers in sections().values() for router in routers for route in router.routes
    ]
    assert any(route.matches(scope)[0] is Match.FULL for route in routes)


def test_a_message_inside_another_has_its_hint() -> None:
    inner = market.COLLECTED_ELSEWHERE(day="2025-10-20")
    outer = market.SIDES(sides=[market.OF_DAY(day="2025-10-20", result=inner), inner])
    links = [("/market/recover?first=2025-10-20&last=2025-10-20", "소급 수집")]
    assert hint_links(Viewer(language="ko"), outer) == links


@pytest.mark.parametrize("words", ["plain <b>", text("plain <b>")])
def test_other_words_have_none(words: str) -> None:
    assert hint_links(Viewer(), words) == []
    assert message_with_links(Viewer(), words) == "plain &lt;b&gt;"
