"""Charts in a real browser: read at the crosshair, moved, and broken where there is a gap."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from sqlalchemy import insert

from gotgan.app import App
from gotgan.domains.market.keys import STOCK_PRICES, STOCKS
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import Watched, sign_in

SHARE = "/market/stocks/000070"
PHONE = {"width": 390, "height": 844}
MAX_SCRIPT_BYTES = 90_000
_AT = datetime(2025, 10, 20, 8, tzinfo=UTC)


def _price(day: date, number: int, *, is_halted: bool) -> dict[str, Any]:
    close = 10_000 + 10 * number
    traded = {"open": close - 50, "high": close + 80, "low": close - 90}
    return {
        **(dict.fromkeys(traded) if is_halted else traded),
        "date": day,
        "ticker": "000070",
        "market": "KOSPI",
        "close": close,
        "change": 10,
        "volume": 0 if is_halted else 1_000 + number,
        "value": 0 if is_halted else 10_000_000 + number,
        "market_cap": 10_000 * close,
        "shares": 10_000,
        "is_halted": is_halted,
        "provider": "krx",
        "is_final": True,
        "updated_at": _AT,
    }


@pytest.fixture(scope="module", autouse=True)
def days(app: App) -> list[date]:
    """The sessions of a share in half a year, with a halt of four weeks."""
    calendar, today = app.market.calendar(), app.market.today()
    days = list(calendar.sessions(today - timedelta(days=180), today - timedelta(days=1)))
    seen = {"first_seen": days[0], "last_seen": days[-1]}
    stock = {"ticker": "000070", "name": "가온전자", "market": "KOSPI", **seen}
    rows = [_price(day, number, is_halted=40 <= number < 60) for number, day in enumerate(days)]
    with app.database.begin() as connection:
        connection.execute(insert(STOCKS).values(**stock))
        connection.execute(insert(STOCK_PRICES), rows)
    return days


def _open_chart(open_page: OpenPage, app: App, path: str = SHARE, **options: object) -> Watched:
    watched = open_page(**options)
    sign_in(watched, app, "u003", path)
    expect(watched.page.locator("figure[data-drawn]")).to_be_visible()
    return watched


def _point_at(page: Page, x: float, y: float = 0.3) -> None:
    """Move the mouse to a part of the chart's width and height."""
    box = page.locator(".chart-box").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * x, box["y"] + box["height"] * y)


def test_the_values_below_the_mouse_are_shown(
    open_page: OpenPage, app: App, days: list[date]
) -> None:
    page = _open_chart(open_page, app).page
    legend = page.locator(".chart-legend").first
    last = 10_000 + 10 * (len(days) - 1)
    expect(legend).to_contain_text(str(days[-1]))
    expect(legend).to_contain_text(f"C {last:,}")
    _point_at(page, 0.002)
    expect(legend).to_contain_text(str(days[0]))
    expect(legend).to_contain_text("C 10,000")
    _point_at(page, 0.42)
    expect(legend).to_contain_text("Close –")


def test_the_wheel_zooms_and_a_toggle_hides_an_indicator(open_page: OpenPage, app: App) -> None:
    page = _open_chart(open_page, app, f"{SHARE}?every=week").page
    legend = page.locator(".chart-legend").first
    _point_at(page, 0.01)
    first = legend.inner_text()
    page.mouse.wheel(0, -600)
    _point_at(page, 0.012)
    expect(legend).not_to_have_text(first)
    toggle = page.get_by_role("button", name="SMA 5", exact=True)
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(legend).to_contain_text("SMA 5")
    toggle.click()
    expect(legend).not_to_contain_text("SMA 5")
    page.reload()
    expect(page.get_by_role("button", name="SMA 5", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )


def test_ranges_and_intervals_draw_the_chart_again_and_are_in_the_address(
    open_page: OpenPage, app: App, days: list[date]
) -> None:
    page = _open_chart(open_page, app).page
    table = page.locator(".table > table").first
    table.evaluate("table => table.dataset.kept = 'yes'")
    page.get_by_role("link", name="1 month").click()
    page.wait_for_url("**range=1m")
    expect(page.locator("figure[data-drawn]")).to_be_visible()
    expect(table).to_have_attribute("data-kept", "yes")
    page.get_by_role("link", name="Month", exact=True).click()
    page.wait_for_url("**every=month")
    expect(page.locator("figure[data-drawn]")).to_be_visible()
    _point_at(page, 0.9)
    expect(page.locator(".chart-legend").first).to_contain_text(str(days[-1]))
    page.go_back()
    expect(page.get_by_role("link", name="1 month")).to_have_attribute("aria-current", "true")
    expect(page.locator("figure[data-drawn]")).to_be_visible()


INK_OF_A_THIRD = """(figure, third) => {
  let found = 0;
  for (const canvas of figure.querySelectorAll("canvas")) {
    if (canvas.width < 300) continue;
    const width = Math.floor(canvas.width / 3);
    const copy = new OffscreenCanvas(width, canvas.height);
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, -third * width, 0);
    const image = context.getImageData(0, 0, width, canvas.height);
    for (let at = 0; at < image.data.length; at += 4) {
      const [red, green, blue, alpha] = image.data.slice(at, at + 4);
      if (alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) found += 1;
    }
  }
  return found;
}"""


@pytest.mark.parametrize("kind", ["line", "step", "area"])
def test_a_line_is_not_drawn_across_a_gap(open_page: OpenPage, app: App, kind: str) -> None:
    values = [10] * 30 + [None] * 30 + [10] * 30
    times = [f"{date(2025, 1, 1) + timedelta(days=number)}" for number in range(90)]
    series = {"kind": kind, "name": "x", "tone": 1, "values": values}
    chart = {"times": times, "panes": [{"series": [series]}]}

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(chart), content_type="application/json")

    watched = open_page()
    watched.page.route("**/*.json*", answer)
    sign_in(watched, app, "u003", SHARE)
    figure = watched.page.locator("figure[data-drawn]")
    expect(figure).to_be_visible()
    expect(watched.page.locator(".chart-legend")).to_contain_text("x 10")
    first, middle, last = (figure.evaluate(INK_OF_A_THIRD, third) for third in range(3))
    assert first > 0
    assert middle == 0
    assert last > 0


def test_a_chart_that_cannot_be_loaded_says_so(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    watched.page.route("**/*.json*", lambda route: route.fulfill(status=500))
    sign_in(watched, app, "u003", SHARE)
    expect(watched.page.locator("figure.chart")).to_contain_text("could not be loaded")
    watched.is_expected("500")


def test_a_chart_follows_the_colours_that_are_chosen(open_page: OpenPage, app: App) -> None:
    page = _open_chart(open_page, app).page
    close = page.locator(".chart-legend > span", has_text="C ").first
    korean = close.evaluate("each => getComputedStyle(each).color")
    page.get_by_text("Display").click()
    page.get_by_role("button", name="Green and red").click()
    expect(page.locator("figure[data-drawn]")).to_be_visible()
    assert close.evaluate("each => getComputedStyle(each).color") != korean


def test_a_page_with_a_chart_is_light_and_moves_nothing(open_page: OpenPage, app: App) -> None:
    watched, sizes = open_page(viewport=PHONE), dict[str, int]()
    page = watched.page

    def weigh(url: str, size: str | None) -> None:
        sizes[url] = int(size or 0)

    page.on(
        "response",
        lambda answer: (
            weigh(answer.url, answer.headers.get("content-length"))
            if ".js" in answer.url.partition("?")[0] and ".json" not in answer.url
            else None
        ),
    )
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => {"
        "for (const each of list.getEntries()) window.shift += each.value;"
        "}).observe({type: 'layout-shift', buffered: true})"
    )
    sign_in(watched, app, "u003", SHARE)
    expect(page.locator("figure[data-drawn]")).to_be_visible()
    assert len(sizes) == 4
    assert sum(sizes.values()) <= MAX_SCRIPT_BYTES
    assert page.evaluate("window.shift") < 0.01
    assert watched.overflow == 0


def test_no_chart_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe
) -> None:
    assert wrong_with(open_page, app, axe, ["/market", SHARE, "/market/stocks"]) == {}
