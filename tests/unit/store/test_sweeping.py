"""What has expired is swept by the clock that the store goes by, and by no other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import Banner
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded

HOUR = timedelta(hours=1)
LONG_AGO, FAR_AHEAD = (datetime.now(UTC) + timedelta(days=days) for days in (-400, 400))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, given_secret=Secret("for tests alone, 32 letters long"))


def banner(began: datetime) -> Banner:
    return Banner(id="b1", title="t", img_uri="/i", created_at=began, expires_at=began + HOUR)


def left(store: Store) -> set[str]:
    """Which items are there after a sweep, whether anybody is shown them or not."""
    driver = cast("Embedded", store.calls.driver.in_process)
    driver._engine.sweep()  # noqa: SLF001 - it comes by itself once a minute
    items = driver.call("Scan", {"TableName": SITE.name})["Items"]
    return {item["PK"]["S"].partition("#")[0] for item in items}


@pytest.mark.parametrize("began", [LONG_AGO, FAR_AHEAD])
def test_an_item_is_swept_when_its_time_is_over_by_the_clock_of_the_store(
    settings: Settings, began: datetime
) -> None:
    clock = FixedClock(began)
    with Store.open(settings, clock=clock) as store:
        store.create(SITE)
        store.put(banner(began))
        assert left(store) == {"BANNER"}
        clock.advance(2 * HOUR)
        assert left(store) == set()


@pytest.mark.parametrize("began", [LONG_AGO, FAR_AHEAD])
def test_a_demo_keeps_what_lives_by_its_own_clock_and_what_lives_by_real_time(
    settings: Settings, began: datetime
) -> None:
    with App.open(settings, clock=FixedClock(began), is_demo=True) as app:
        app.prepare()
        code = app.site.tokens.sign_in_code(app.site.users.owner().id)  # by the time of people
        app.store.put(banner(began))
        assert "BANNER" in left(app.store)
        assert app.site.tokens.redeem(code).token.user_id == "owner"
