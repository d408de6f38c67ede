"""How somebody likes the pages: language, theme, zone, and times in it."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from gotgan.console.render import environment
from gotgan.console.session import Viewer
from gotgan.store.costs import Cost, CostLine

SUMMER = datetime(2025, 7, 1, 23, 30, 5, tzinfo=UTC)
WINTER = datetime(2025, 12, 1, 23, 30, 5, tzinfo=UTC)


def _request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    settings = SimpleNamespace(zone="Europe/Berlin")
    state = SimpleNamespace(gotgan=SimpleNamespace(settings=settings))
    return Request({"type": "http", "headers": raw, "app": SimpleNamespace(state=state)})


def _written(template: str, viewer: Viewer | None = None, **names: Any) -> str:
    return environment().from_string(template).render(viewer=viewer or Viewer(), **names)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("ko", "ko"),
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        ("en-GB,en;q=0.9,ko;q=0.8", "en"),
        ("ko;q=0.5, en;q=0.9", "en"),
        ("fr, KO;q=0.3", "ko"),
        ("fr", "en"),
        ("korean", "en"),
        ("*;q=oops,;;,ko;q=", "ko"),
    ],
)
def test_the_language_is_the_one_that_the_browser_likes_best(accepted: str, language: str) -> None:
    assert Viewer.stranger(_request(accept_language=accepted)).language == language


def test_a_choice_counts_more_than_the_browser() -> None:
    chosen = _request(accept_language="ko", cookie="gotgan_language=en; gotgan_theme=dark")
    assert Viewer.stranger(chosen).language == "en"
    assert Viewer.stranger(chosen).theme == "dark"


def test_a_cookie_with_nonsense_counts_for_nothing() -> None:
    odd = _request(accept_language="ko", cookie="gotgan_language=xx; gotgan_theme=; gotgan_zone=/")
    assert Viewer.stranger(odd) == Viewer(language="ko", zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("cookies", "zone"),
    [
        ("", "Europe/Berlin"),
        ("gotgan_browser_zone=Asia/Tokyo", "Asia/Tokyo"),
        ("gotgan_zone=auto; gotgan_browser_zone=Asia/Tokyo", "Asia/Tokyo"),
        ("gotgan_zone=seoul; gotgan_browser_zone=Asia/Tokyo", "Asia/Seoul"),
        ("gotgan_zone=utc", "UTC"),
        ("gotgan_browser_zone=Mars/Phobos", "Europe/Berlin"),
        ("gotgan_browser_zone=../../etc/passwd", "Europe/Berlin"),
        ("gotgan_browser_zone=/etc/localtime", "Europe/Berlin"),
        ("gotgan_browser_zone=Asia", "Europe/Berlin"),
        ("gotgan_browser_zone=", "Europe/Berlin"),
    ],
)
def test_the_zone_is_chosen_else_the_browsers_else_that_of_the_settings(
    cookies: str, zone: str
) -> None:
    assert Viewer.stranger(_request(cookie=cookies)).zone == zone


def test_a_zone_is_called_by_its_word_or_its_name() -> None:
    assert Viewer(language="ko").zone_name() == "서울"
    assert Viewer().zone_name("Europe/Berlin") == "Europe/Berlin"


@pytest.mark.parametrize(
    ("zone", "moment", "shown"),
    [
        ("UTC", SUMMER, "2025-07-01 23:30|UTC"),
        ("Asia/Seoul", SUMMER, "2025-07-02 08:30|KST"),
        ("America/New_York", SUMMER, "2025-07-01 19:30|EDT"),
        ("America/New_York", WINTER, "2025-12-01 18:30|EST"),
    ],
)
def test_a_moment_is_shown_in_the_zone_with_its_name(
    zone: Any, moment: datetime, shown: str
) -> None:
    local, name = shown.split("|")
    exact = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert _written("{{ at|moment }}", Viewer(zone=zone), at=moment) == (
        f'<time datetime="{exact}">{local} <span class="zone">{name}</span></time>'
    )


def test_a_moment_can_be_shown_to_the_second_and_written_as_text() -> None:
    assert "23:30:05" in _written("{{ at|moment(seconds=true) }}", at=SUMMER)
    assert "23:30" in _written("{{ at|moment }}", at="2025-07-01T23:30:05Z")


def test_what_is_not_there_is_a_dash() -> None:
    assert _written("{{ at|moment }}{{ at|number }}", at=None) == "––"


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{ 1234567|number }}", "1,234,567"),
        ("{{ 0|number }}", "0"),
        ("{{ 1234.5|number(2) }}", "1,234.50"),
        ("{{ big|number }}", "12,345.678"),
        ("{{ 1025.0|number }}{{ 0.5|number }}", "1,0250.5"),
        ("{{ cost|money }}", "$0.000066"),
        ('{{ "it\'s"|shell }}', "&#39;it&#39;&#34;&#39;&#34;&#39;s&#39;"),
    ],
)
def test_numbers_and_words_for_a_shell_are_written_so(template: str, shown: str) -> None:
    cost = Cost((CostLine("v", "t", None, reads=25, writes=100),))
    assert _written(template, big=Decimal("12345.678"), cost=cost) == shown


def test_what_a_template_does_not_know_is_an_error() -> None:
    with pytest.raises(Exception, match="'unknown' is undefined"):
        _written("{{ unknown }}")
