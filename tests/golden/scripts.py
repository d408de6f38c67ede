"""The commands that are run for each group, in an order in which each has data to show."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

from gotgan.domain import SimpleDecision
from gotgan.schedule import jobs
from gotgan.scheduler import DueJob, Ticks
from tests.golden.terminal import Terminal
from tests.unit.cli.video_files import OTHER, VIDEO, written
from tests.unit.console.news.filling import dead, stored, waiting
from tests.unit.console.shops.filling import added, product, seen, stuck
from tests.unit.day.made import changed, store_story, ticked

__all__ = ["SCRIPTS", "korean"]

_DAY: Final = "2025-10-20"
_URL: Final = "https://finance.yahoo.com/news/chip-maker-lifts-forecast-060559667.html"
_FEED: Final = "https://www.example-news.test/rss.xml"
_STORIES: Final = [
    {"title": "A chip maker lifts its forecast", "url": _URL, "tickers": ["NVDA"]},
    {"title": "The same, elsewhere", "url": f"{_URL}?guccounter=1", "tickers": []},
]
_SHOP: Final = "antik-1.shop.test"
_CLIP: Final = "gotganStudy"
_HISTORY: Final = "날짜,시가,고가,저가,종가,거래량,등락률\n2025-07-01,100,106,95,101,10,\n"
_MORNING: Final = datetime(2025, 10, 20, 1, tzinfo=UTC)


def _news(gotgan: Terminal) -> None:
    gotgan("news", "list")
    file = gotgan.folder / "stories.json"
    file.write_text(json.dumps(_STORIES), encoding="utf-8")
    gotgan("news", "upload", file)
    gotgan("news", "upload", file, "--source", "mine")
    gotgan("news", "retry", _URL)
    gotgan("news", "collect", "--limit", 3)
    gotgan("news", "collect", "--limit", 3, "--rss")
    gotgan("news", "collect", "--limit", 0)
    page = gotgan("news", "list", "--limit", 2)
    gotgan("news", "list", "--limit", 2, "--cursor", page["cursor"])
    gotgan("news", "list", "--day", _DAY, "--zone", "kst", "--ticker", "nvda")
    gotgan("news", "bodies", "--limit", 4)
    with gotgan.app() as app:
        waiting(app, stored(app, "Waits"))
        dead(app, stored(app, "Dead"))
    gotgan("news", "queue")
    gotgan("news", "queue", "--dead", "--limit", 1)
    gotgan("news", "bodies", "--day", _DAY, "--retry-dead")
    gotgan("news", "get", _URL)
    gotgan("news", "get", page["items"][0]["pk"])
    gotgan("news", "get", "nothing")
    gotgan("news", "sources", "list")
    gotgan("news", "sources", "add", _FEED)
    gotgan("news", "sources", "add", _FEED)
    gotgan("news", "sources", "add", _FEED, "--name", "other")
    gotgan("news", "sources", "add", "http://127.0.0.1/feed.xml")
    gotgan("news", "poll")
    gotgan("news", "poll")
    gotgan("news", "poll", "example-news.test")
    gotgan("news", "sources", "list")
    gotgan("news", "sources", "get", "example-news.test")
    gotgan("news", "list", "--limit", 1)
    gotgan("news", "sources", "remove", "example-news.test")
    gotgan("news", "sources", "remove", "example-news.test")
    gotgan("export", "news", "--to", gotgan.folder / "export", "--since", _DAY)
    gotgan("export", "news", "--dataset", "nothing")


def _shops(gotgan: Terminal) -> None:
    gotgan("shops", "add", _SHOP, "--country", "DE", "--name", "Antik")
    gotgan("shops", "add", _SHOP, "example.com")
    gotgan("shops", "due")
    gotgan("shops", "due", "--no-country", "--stage", "scrape", "--limit", 1)
    gotgan("shops", "crawl", _SHOP)
    gotgan("shops", "scrape", "--country", "DE", "--workers", 1)
    gotgan("shops", "scrape", _SHOP, "--check-only")
    gotgan("shops", "try-selector", _SHOP, "price", ".price")
    gotgan("shops", "try-selector", _SHOP, "status", ".nothing", "--url", f"https://{_SHOP}/")
    gotgan("shops", "set-selector", _SHOP, "price", "main > .offer .price")
    gotgan("shops", "get", _SHOP)
    gotgan("shops", "set-selector", _SHOP, "price")
    gotgan("shops", "set-selector", _SHOP, "price", "p >")
    gotgan("shops", "list", "--country", "DE", "--limit", 1)
    page = gotgan("shops", "urls", _SHOP, "--type", "product", "--limit", 1)
    gotgan("shops", "urls", _SHOP, "--type", "product", "--limit", 1, "--cursor", page["cursor"])
    with gotgan.app() as app:
        added(app, "clock.test")
        chair = product(app, "clock.test", "chair")
        seen(app, chair, 100)
        gotgan.advance()
        seen(app, chair, 90)
        added(app, "stuck.test")
        stuck(app, gotgan.clock, "stuck.test")
    gotgan("shops", "changes", "clock.test", "--since", _DAY, "--limit", 1)
    gotgan("shops", "changes", "--kind", "new", "--limit", 1)
    gotgan("shops", "products", "--sort=price", "--limit", 1)
    gotgan("shops", "product", f"https://{_SHOP}/nothing")
    gotgan("shops", "related", "clock.test")
    gotgan("shops", "stuck")
    gotgan("shops", "release", "stuck.test", "--stage", "crawl")
    gotgan("shops", "deliver", "clock.test", "--file", gotgan.folder / "changes.jsonl")
    gotgan("shops", "deliver")
    gotgan("shops", "adopt")
    gotgan("shops", "remove", "clock.test", "--yes")
    gotgan("shops", "get", "nothing.test")
    gotgan("shops", "crawl", "--workers", 65)


def _market(gotgan: Terminal) -> None:
    gotgan("market", "status")
    gotgan("market", "open-day", _DAY)
    gotgan("market", "open-day", "2025-10-03")
    gotgan("market", "collect", _DAY)
    gotgan("market", "collect", _DAY, "--now")
    gotgan("market", "indicators", _DAY)
    gotgan("market", "recover", "2025-10-15..2025-10-17")
    gotgan("market", "recover", "2025-10-17..2025-10-17", "--only", "prices", "--again")
    gotgan("market", "indicators", _DAY, "--now")
    gotgan("market", "catch-up")
    gotgan("market", "status", "--month", "2025-10")
    gotgan("market", "gaps", "2025-10-13..2025-10-17")
    page = gotgan("market", "stocks", "--limit", 1)
    gotgan("market", "stocks", "--limit", 1, "--cursor", page["cursor"])
    gotgan("market", "stocks", "--sort=-change", "--market", "KOSDAQ", "--limit", 1)
    gotgan("market", "indices")
    gotgan("market", "movers", "2025-10-17", "--limit", 1)
    gotgan("market", "get", page["items"][0]["ticker"], "--first", "2025-10-16")
    gotgan("market", "get", "000000")
    gotgan("market", "day", "2025-10-17")
    gotgan("market", "columns", "2025-10-17", "--market", "KOSPI")
    gotgan("market", "index", "KOSDAQ", "--first", "2025-10-17", "--last", _DAY)
    gotgan("market", "screen", "overbought", _DAY, "--limit", 1)
    gotgan("market", "screen", "oversold")
    history = gotgan.folder / "000001.csv"
    history.write_text(_HISTORY, encoding="utf-8")
    gotgan("market", "import", history, "--market", "KOSPI")
    gotgan("market", "adopt")


def _videos(gotgan: Terminal) -> None:
    for video in (VIDEO, OTHER):
        gotgan("videos", "import", written(gotgan.folder, video))
    gotgan("videos", "get", VIDEO)
    job = gotgan("videos", "analyse", VIDEO)["job"]["jobId"]
    gotgan("videos", "analyse", VIDEO)
    gotgan("videos", "jobs", "--status", "queued")
    gotgan("videos", "work", "--once", "--at-once", 1)
    result = gotgan("videos", "job", job)["analysisResultId"]
    gotgan("videos", "result", result)
    gotgan("videos", "analyse", VIDEO)
    gotgan("videos", "analyse", VIDEO, "--force", "--reason", "user_request")
    gotgan("videos", "analyse", OTHER, "--wait")
    gotgan("videos", "analyse", _CLIP, "--wait")
    gotgan("videos", "analyse", "nothing")
    gotgan("videos", "get", VIDEO, "--shape", 1)
    gotgan("videos", "get", VIDEO, "--version", "v1")
    gotgan("videos", "compare", VIDEO, OTHER)
    gotgan("videos", "history", VIDEO)
    gotgan("videos", "comments", VIDEO, "--limit", 2)
    gotgan("videos", "schema", 1)
    page = gotgan("videos", "list", "--limit", 1)
    gotgan("videos", "list", "--limit", 1, "--cursor", page["cursor"])
    gotgan("videos", "jobs", "--video", VIDEO, "--limit", 1)
    gotgan("videos", "job", job, "--wait")
    gotgan("videos", "get", VIDEO, "--shape", 2)
    for name in ("costs", "quota", "versions", "purge", "adopt"):
        gotgan("videos", name)
    gotgan("videos", "delete", VIDEO, "--yes")
    gotgan("videos", "delete", VIDEO, "--yes")


def _site(gotgan: Terminal) -> None:
    gotgan("site", "users", "create", "--id", "a", "--display-name", "Anna", "--role", "admin")
    token = gotgan(
        *("site", "tokens", "create", "--user-id", "a", "--role", "editor"),
        *("--expires-in-days", 9),
    )
    _fill_site(gotgan)
    kinds = ("banners", "categories", "drafts", "inquiries", "mails", "tokens", "users")
    ids = {kind: gotgan("site", kind, "list")["items"][0]["id"] for kind in kinds}
    for kind in kinds:
        if kind != "tokens":
            gotgan("site", kind, "get", ids[kind])
    found = gotgan("site", "posts", "list", "--category", "notices", "--q", "Words", "--limit", 1)
    post = found["items"][0]["id"]
    gotgan("site", "posts", "get", post, "--html")
    gotgan("site", "inquiries", "list", "--status", "new")
    gotgan("site", "mails", "list", "--show", "waiting")
    gotgan("site", "company", "get")
    gotgan("site", "posts", "get", "nothing")
    _write_site(gotgan, post, ids)
    gotgan("site", "send-mails", "--limit", 1)
    gotgan("site", "adopt")
    gotgan("site", "sign-in", "--user", "a")
    gotgan("site", "tokens", "revoke", "a", token["token"]["id"])
    gotgan("site", "template", "--output", gotgan.folder / "template.yaml")
    old = {"categoryId": "c9", "name": "Old", "slug": "old", "createdAt": "2024-01-01T00:00:00Z"}
    (gotgan.folder / "old.json").write_text(json.dumps(old), encoding="utf-8")
    gotgan("site", "migrate", "--categories", gotgan.folder / "old.json", "--dry-run")
    gotgan("site", "migrate", "--categories", gotgan.folder / "old.json")


def _write_site(gotgan: Terminal, post: str, ids: dict[str, str]) -> None:
    """Create, change and delete records of each kind."""
    words = gotgan.folder / "words.md"
    words.write_text("# New words", encoding="utf-8")
    article = ("--category-id", "c1", "--title", "New", "--contents", words)
    given: dict[str, tuple[Any, ...]] = {
        "posts": article,
        "drafts": article,
        "categories": ("--title", "New"),
        "banners": ("--title", "New", "--img-uri", "/a.png"),
        "users": ("--display-name", "New", "--role", "viewer"),
    }
    for kind, fields in given.items():
        made = gotgan("site", kind, "create", *fields)["id"]
        gotgan("site", kind, "update", made, *fields[-2:], "--version", 1)
        gotgan("site", kind, "replace", made, *fields)
        gotgan("site", kind, "delete", made)
    gotgan("site", "posts", "update", post, "--title", "Late", "--version", 9)
    gotgan("site", "categories", "update", "c1", "--order", "")
    gotgan("site", "drafts", "publish", ids["drafts"])
    gotgan("site", "company", "update", "--fax", "1", "--more", "since=1999")
    gotgan("site", "company", "replace", "--name", "Barn", "--version", 2)
    gotgan("site", "inquiries", "reply", ids["inquiries"], "With pleasure")
    gotgan("site", "inquiries", "set-status", ids["inquiries"], "done")
    gotgan("site", "mails", "retry", ids["mails"])


def _fill_site(gotgan: Terminal) -> None:
    with gotgan.app() as app:
        site = app.site
        site.company.replace({"name": "Granary", "email": "company@example.com"})
        site.categories.create(id="c1", title="Notices", slug="notices", order=1)
        given: dict[str, Any] = {"category_id": "c1", "title": "Words", "contents": "# Words"}
        given["author_id"] = "a"
        site.posts.create(**given)
        gotgan.advance()
        site.posts.create(**{**given, "title": "More Words"})
        site.drafts.create(**given)
        site.banners.create(title="Look", img_uri="/static/favicon.svg")
        site.inquiries.receive(
            name="Hong", email="h@example.com", subject="Hello", message="Words", address="10.0.0.1"
        )


def _day(gotgan: Terminal) -> None:
    gotgan("day")
    with gotgan.app() as app:
        app.site.categories.create(id="c1", title="Days", slug="days")
        store_story(app, at=_MORNING, title="Up, and up")
        changed(app, seen_at=_MORNING)
        ticked(app, at=_MORNING, status="failed", error="it does not answer")
    gotgan("day")
    gotgan("day", "get", "2025-10-19", "--zone", "ny")
    gotgan("day", "publish", _DAY, "--category", "days")
    gotgan("day", "2999-01-01")


def _search(gotgan: Terminal) -> None:
    file = gotgan.folder / "stories.json"
    file.write_text(json.dumps(_STORIES), encoding="utf-8")
    gotgan("search", "refresh")
    gotgan("search", "chip", "forecast")
    gotgan("news", "upload", file)
    gotgan("search", "rebuild")
    gotgan("search", "find", "chip", "--kinds", "story", "--limit", 1)
    gotgan("search", "nvda")


def _schedule(gotgan: Terminal) -> None:
    gotgan("schedule")
    gotgan("schedule", "--airflow")


def _ticks(gotgan: Terminal) -> None:
    gotgan("ticks")
    with gotgan.app() as app:
        skipped = SimpleDecision("skipped", "already_success", "prices and indices are there")
        chosen = ("market.open_day", "market.collect", "market.indicators")
        for job in (each for each in jobs() if each.name in chosen):
            Ticks(app.database).claim(DueJob(job, _MORNING), skipped, _MORNING)
        ticked(app, at=_MORNING)
    gotgan("schedule")
    gotgan("ticks", "--limit", 2)
    gotgan("ticks", "--job", "news.collect", "--status", "done")
    gotgan("ticks", "--job", "nothing")


def _setup(gotgan: Terminal) -> None:
    gotgan("setup")
    for name in ("GOTGAN_RESOLVE", "KRX_ID", "KRX_PW", "YOUTUBE_API_KEY"):
        os.environ.pop(name)
    gotgan("setup")


def _settings(gotgan: Terminal) -> None:
    gotgan("settings")
    gotgan("settings", "--origin", "environment")


def _tables(gotgan: Terminal) -> None:
    gotgan("tables", "list")
    gotgan("tables", "create")
    gotgan("tables", "verify")
    for form in ("cloudformation", "sam", "iam", "markdown", "json"):
        gotgan("tables", "export", "news_bodies", "--format", form)
    with gotgan.app() as app:
        for number in range(3):
            store_story(app, number, at=_MORNING)
    *_, last = gotgan("tables", "browse", "news_items", "--limit", 2)
    gotgan("tables", "browse", "news_items", "--limit", 2, "--cursor", last["cursor"])
    gotgan("tables", "browse", "news_items", "--index", "by_day", "--pk", _DAY, "--only", "title")
    gotgan("tables", "browse", "nothing")
    gotgan("tables", "follow", "news_items", "--once")
    gotgan("tables", "follow", "news_items", "--once", "--enable")
    gotgan("tables", "dump", "news_items", gotgan.folder / "dump")
    gotgan("tables", "load", "news_items", gotgan.folder / "dump")
    gotgan("tables", "list")


def korean(gotgan: Terminal) -> Iterator[str]:
    """Some results, errors and hints as a Korean reader sees them."""
    gotgan("news", "collect", "--limit", 1)
    file = gotgan.folder / "stories.json"
    file.write_text(json.dumps(_STORIES), encoding="utf-8")
    yield gotgan.printed("news", "upload", file)
    yield gotgan.printed("news", "get", _URL)
    yield gotgan.printed("news", "list", "--limit", 0)
    yield gotgan.printed("news", "get", "nothing")
    yield gotgan.printed("market", "open-day", "2025-10-18")
    yield gotgan.printed("market", "collect", _DAY)
    yield gotgan.printed("market", "status", "--month", "2025-10")
    yield gotgan.printed("market", "gaps", "2025-10-13..2025-10-17")
    yield gotgan.printed("shops", "add", _SHOP, "--country", "DE")
    yield gotgan.printed("shops", "due")
    yield gotgan.printed("videos", "list")
    yield gotgan.printed("tables", "list")
    yield gotgan.printed("schedule")
    yield gotgan.printed("ticks")
    yield gotgan.printed("setup")
    yield gotgan.printed("day")
    yield gotgan.printed("nothing")


SCRIPTS: Final[dict[str, Callable[[Terminal], None]]] = {
    "day": _day,
    "market": _market,
    "news": _news,
    "schedule": _schedule,
    "search": _search,
    "settings": _settings,
    "setup": _setup,
    "shops": _shops,
    "site": _site,
    "tables": _tables,
    "ticks": _ticks,
    "videos": _videos,
}
"""By command group."""
