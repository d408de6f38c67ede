"""An index drawn as SVG: its close within each day's range, and below it what was traded."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from gotgan.domains.market.drawn_panels import Panel, bars, line, ribbon

if TYPE_CHECKING:
    from gotgan.domains.market.rows import IndexSheet

__all__ = ["index_chart"]

_WIDTH: Final = 960
_LEFT: Final = 8
_RIGHT: Final = 72
_TOP: Final = 12
_PRICE: Final = 300
_VOLUME: Final = 80
_BETWEEN: Final = 18
_BOTTOM: Final = 26
_LINE: Final = "#2c9a68"
_BAND: Final = "#7d8590"


def index_chart(sheet: IndexSheet) -> Markup:
    """A part of a page, on the page's own ground."""
    height = _TOP + _PRICE + _BETWEEN + _VOLUME + _BOTTOM
    return Markup(  # noqa: S704 - the title is escaped, and the rest are figures
        '<svg xmlns="http://www.w3.org/2000/svg" class="market-chart" role="img" '
        f'viewBox="0 0 {_WIDTH} {height}" font-size="11" fill="currentColor">'
        f"<title>{escape(f'{sheet.code} {sheet.name}')}</title>{''.join(_drawn(sheet))}</svg>"
    )


def _float(level: Decimal | None) -> float | None:
    return None if level is None else float(level)


def _drawn(sheet: IndexSheet) -> Iterable[str]:
    count, width = len(sheet.values), _WIDTH - _LEFT - _RIGHT
    upper = Panel(_LEFT, _TOP, width, _PRICE, count)
    lower = Panel(_LEFT, _TOP + _PRICE + _BETWEEN, width, _VOLUME, count)
    highs, lows, closes = (
        [_float(getattr(row, name)) for row in sheet.values] for name in ("high", "low", "close")
    )
    values = [float(row.value) for row in sheet.values]
    scale, volumes = upper.scale(highs, lows), lower.scale(values, floor=0.0)
    yield upper.axis(scale)
    yield ribbon(upper, scale, highs, lows, "band", _BAND)
    yield line(upper, scale, closes, "close", _LINE)
    yield bars(lower, volumes, values, "value", _BAND)
    yield lower.axis(volumes, "value")
    yield lower.months([row.date for row in sheet.values])
