"""Mails of the demo are really handed in, at a mail server of its own; none goes any further."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import SEOUL, LeapingClock, SystemClock
from gotgan.demo import Demo, open_demo
from gotgan.demo.sample_site import COMPANY, fill_site
from gotgan.demo.stops import Outages
from gotgan.demo.visitors import visit_site

MONDAY = datetime(2025, 11, 3, tzinfo=ZoneInfo(SEOUL))
TEN, ELEVEN, TWO = (MONDAY + timedelta(hours=hour) for hour in (10, 11, 14))
VISITOR = "visitor@example.com"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """A demo whose first day is a Monday, with a site and no more."""
    noon = LeapingClock(SystemClock(), MONDAY + timedelta(days=1, hours=12))
    with open_demo(tmp_path / "gotgan-demo", 1, noon) as demo:
        fill_site(demo.app.site)
        yield demo


def addressed(demo: Demo) -> list[tuple[str, tuple[str, ...]]]:
    return [(letter.sender, letter.to) for letter in demo.world.mails]


def test_the_company_hears_of_whoever_wrote_in_and_they_are_answered(demo: Demo) -> None:
    demo.app.site.mails.send_due()  # what the sample has
    for moment in (TEN, TWO):
        demo.walk.leap_to(moment)
        visit_site(demo.app, moment)
        demo.app.site.mails.send_due()
    assert addressed(demo) == [(COMPANY, (COMPANY,)), (COMPANY, (COMPANY,)), (COMPANY, (VISITOR,))]
    assert demo.app.site.mails.waiting() == []


def test_a_mail_that_is_refused_for_a_while_on_a_monday_arrives_an_hour_later(demo: Demo) -> None:
    demo.walk.leap_to(TEN)
    Outages(demo.world).follow(TEN)
    assert demo.app.site.mails.send_due().failed == 1
    [waiting] = demo.app.site.mails.waiting()
    assert "451" in (waiting.last_error or "")
    demo.walk.leap_to(ELEVEN)
    assert demo.app.site.mails.send_due().sent == 1
    assert addressed(demo) == [(COMPANY, (COMPANY,))]
