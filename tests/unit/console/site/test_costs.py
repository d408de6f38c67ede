"""What the pages read: no more because many mails wait than because few do."""

from __future__ import annotations

from gotgan.app import App
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser
from tests.unit.console.site.filling import fill
from tests.unit.domains.site.records import caller

MOST_UNITS = {
    "/": 16,
    "/site/posts": 10,
    "/site/drafts": 10,
    "/site/categories": 10,
    "/site/banners": 10,
    "/site/inquiries": 25,
    "/site/inquiries?status=new": 25,
    "/site/mails": 15,
    "/site/mails?show=waiting": 35,
    "/site/company": 10,
    "/site/people": 10,
    "/site/tokens": 10,
}


def _units(app: App, somebody: Browser, path: str) -> float:
    before = app.store.total().reads
    somebody.open(path)
    assert somebody.answer.status_code == 200
    return float(app.store.total().reads - before)


def test_no_page_grows_with_the_mails_that_wait(app: App, admin: Browser) -> None:
    fill(app, 300)
    admin.open("/")  # counts the days that are over, once
    read = {path: _units(app, admin, path) for path in MOST_UNITS}
    assert {path: units for path, units in read.items() if units > MOST_UNITS[path]} == {}


def test_an_inquiry_reads_its_own_mails_alone(app: App, site: Site, editor: Browser) -> None:
    fill(app, 300)
    (asked,) = site.inquiries.list(limit=1)
    site.inquiries.reply(asked.id, "With pleasure", by=caller("e"))
    assert _units(app, editor, f"/site/inquiries/{asked.id}") <= 8
    assert _units(app, editor, f"/site/mails/{asked.id}") <= 6
