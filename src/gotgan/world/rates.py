"""The European Central Bank of the world: one rate for each currency and working day."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.world.scene import NOT_FOUND, Scene, SceneRequest, SceneResponse, seeded_random

ECB: Final = "www.ecb.europa.eu"
_PATH: Final = "/stats/eurofxref/eurofxref-daily.xml"
_ZONE: Final = ZoneInfo("Europe/Berlin")
_PUBLISHED_AT_HOUR: Final = 16
"""The hour at which the rates of a day are published."""
_MEAN_RATES: Final = {
    "USD": 1.15,
    "JPY": 176.0,
    "GBP": 0.88,
    "CHF": 0.93,
    "CNY": 8.2,
    "KRW": 1680.0,
}


def central_bank(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The rates of the last working day."""
    if request.path != _PATH:
        return NOT_FOUND
    day = _last_day(scene.now)
    rates = "".join(
        f"<Cube currency='{each}' rate='{_rate(scene.seed, each, day)}'/>" for each in _MEAN_RATES
    )
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" '
        'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">'
        "<gesmes:subject>Reference rates</gesmes:subject>"
        "<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>"
        f"<Cube><Cube time='{day}'>{rates}</Cube></Cube></gesmes:Envelope>"
    )
    return SceneResponse(body.encode(), kind="text/xml; charset=utf-8")


def _last_day(now: datetime) -> date:
    """The latest working day whose rates are published."""
    local = now.astimezone(_ZONE)
    day = local.date() if local.hour >= _PUBLISHED_AT_HOUR else local.date() - timedelta(days=1)
    while day.weekday() >= 5:  # noqa: PLR2004 - Saturday
        day -= timedelta(days=1)
    return day


def _rate(seed: int, currency: str, day: date) -> str:
    moved = seeded_random(seed, "rates", currency, day).uniform(-0.01, 0.01)
    return f"{_MEAN_RATES[currency] * (1 + moved):.4f}"
