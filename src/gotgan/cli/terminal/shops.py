"""Results of the shops' verbs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from gotgan.cli.format import cost_text, local_time, time_text
from gotgan.cli.output import ExitCode, TextResult, error_exit_code
from gotgan.cli.table import safe_lines
from gotgan.domains.shops import reports
from gotgan.domains.shops.models import Change, Offer, Shop, ShopPage
from gotgan.domains.shops.service import CrawlSummary, ScrapeSummary
from gotgan.domains.shops.stages import Stuck
from gotgan.domains.shops.workers import PoolReport
from gotgan.encoding import encode
from gotgan.store import Page

_MAX_SHOWN: Final = 50
_HINTS: Final = {
    "add_shops": "No shops are registered yet. Add one: gotgan shops add example.com --country DE",
    "adopt_shops": "Shops of other tools are not found until they are adopted: run gotgan shops "
    "adopt.",
}


def add(report: reports.Registered) -> TextResult:
    """Counts, and the first shops of each kind."""
    kinds = {"new": report.new, "placed": report.placed, "adopted": report.adopted}
    kinds["duplicate"] = report.duplicates
    counts = {"in": report.given, **{kind: len(shops) for kind, shops in kinds.items()}}
    parts = [f"{word} {count}" for word, count in {**counts, "failed": len(report.failed)}.items()]
    lines = [" · ".join([*parts, cost_text(report.cost)])]
    for kind, shops in kinds.items():
        lines += [f"  {kind:<9}  {_shop_text(shop)}" for shop in shops[:_MAX_SHOWN]]
        lines += [f"  and {len(shops) - _MAX_SHOWN:,} more"] if shops[_MAX_SHOWN:] else []
    lines += [f"  failed     {each.domain}: {each.error.message}" for each in report.failed]
    return safe_lines(lines), _exit_code(report.failed)


def adopt(report: reports.ShopsAdopted) -> TextResult:
    """What was completed, and what could not be read."""
    added = f"{report.shops:,} shops, {report.pages:,} pages, {len(report.countries)} countries"
    lines = [f"read {report.read:,} items · completed {added} · {cost_text(report.cost)}"]
    if report.countries:
        lines.append(f"  new countries  {', '.join(report.countries)}")
    lines += [f"  left unchanged  {key}: {why}" for key, why in report.unfit.items()]
    if more := report.unfit_count - len(report.unfit):
        lines.append(f"  and {more:,} more")
    if not report.is_complete:
        lines.append("The end of the table was not reached. Run it again to continue.")
    return safe_lines(lines), ExitCode.FAILED if report.unfit_count else ExitCode.OK


def crawl(report: CrawlSummary, domains: Sequence[str]) -> TextResult:
    """A line for each shop."""
    return _pool_result(report, [_crawl_line(each) for each in report.shops], domains)


def scrape(report: ScrapeSummary, domains: Sequence[str]) -> TextResult:
    """A line for each shop."""
    return _pool_result(report, [_scrape_line(each) for each in report.shops], domains)


def deliver(report: reports.Delivered) -> TextResult:
    """How many changes were sent."""
    lines = [f"{report.changes:,} changes of {report.shops:,} shops: {cost_text(report.cost)}."]
    if report.stopped:
        lines.append(f"Stopped early: {report.stopped}")
    return safe_lines(lines), ExitCode.RETRY if report.stopped else ExitCode.OK


def release(report: reports.Released) -> TextResult:
    """Each claim, and why others were kept."""
    counts = f"{len(report.released)} released, {len(report.refused)} refused"
    lines = [
        *(f"released  {_stuck_line(each)}" for each in report.released),
        *(f"refused   {each.error.message}" for each in report.refused),
        f"{counts}: {cost_text(report.cost)}.",
    ]
    codes = (error_exit_code(each.error) for each in report.refused)
    return safe_lines(lines), max(codes, default=ExitCode.OK)


def list(page: Page[Shop]) -> str:  # noqa: A001 - the verb's name
    """A line for each shop."""
    lines = [f"{each.shop_country or '–':<3} {each.domain}" for each in page]
    return _page_text(lines, page, "No shops.")


def get(shop: Shop) -> str:
    """What is known of a shop."""
    known = {name: value for name, value in encode(shop).items() if value is not None}
    return safe_lines(
        [f"{name.replace('_', ' '):<19} {_value(each)}" for name, each in known.items()]
    )


def related(found: reports.RelatedShops) -> str:
    """The domains."""
    return safe_lines([*found.items, f"{len(found.items)} related: {cost_text(found.cost)}."])


def urls(page: Page[ShopPage]) -> str:
    """A line for each page."""
    return _page_text([_url_line(each) for each in page], page, "No pages.")


def changes(page: Page[Change]) -> str:
    """A line for each change."""
    return _page_text([_change_line(each) for each in page], page, "No changes.")


def due(found: reports.DueShops) -> str:
    """When each shop was last done."""
    if found.hint:
        return _HINTS[found.hint]
    lines = [f"{_last_done(each, found.stage):<20}  {each.domain}" for each in found.items]
    lines += ["There are more: raise --limit."] if found.has_more else []
    lines.append(f"{len(found.items)} due for a {found.stage}: {cost_text(found.cost)}.")
    return safe_lines(lines)


def stuck(found: reports.StuckShops) -> str:
    """Each claim, and how many are in progress."""
    if found.hint:
        return _HINTS[found.hint]
    count = f"{len(found.items)} stuck, {found.in_progress} in progress"
    return safe_lines([*map(_stuck_line, found.items), f"{count}: {cost_text(found.cost)}."])


def _pool_result(
    report: PoolReport[Any], lines: Sequence[str], domains: Sequence[str]
) -> TextResult:
    if report.hint:
        return _HINTS[report.hint], ExitCode.OK
    if report.is_idle:
        others = f"; {report.in_progress:,} in progress" if report.in_progress else ""
        hint = " (gotgan shops stuck lists those whose worker died)" if others else ""
        return f"Nothing to do{others}{hint}.", ExitCode.OK
    skipped = [
        f"{each.reason}; if that worker is dead: gotgan shops release {each.domain} --force"
        for each in report.skipped
    ]
    failed = [f"{each.domain}: {each.error.message}" for each in report.failed]
    is_over = report.shops or not domains
    if report.failed:
        code = _exit_code(report.failed)
    else:
        code = ExitCode.OK if is_over and not report.unreached else ExitCode.RETRY
    return safe_lines([*lines, *skipped, *failed]), code


def _crawl_line(report: reports.CrawlReport) -> str:
    counts = {
        "pages": report.pages,
        "products": report.products,
        "new": report.new,
        "unlike": report.unlike,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "failed": report.failed.total(),
    }
    parts = [f"{word} {count:,}" for word, count in counts.items() if count]
    head = f"{report.domain}: {report.outcome}, {report.reason}{_next_attempt(report.not_before)}"
    return " · ".join([head, *parts, cost_text(report.cost)])


def _scrape_line(report: reports.ScrapeReport) -> str:
    parts = [f"{word} {count:,}" for word, count in sorted(report.noted.items())]
    parts += [f"{code} {count:,}" for code, count in sorted(report.failed.items())]
    outcome = report.outcome or "lost"
    head = f"{report.domain}: {outcome}, {report.reason}{_next_attempt(report.not_before)}"
    return " · ".join([head, f"pages {report.pages:,}", *parts, cost_text(report.cost)])


def _next_attempt(not_before: datetime | None) -> str:
    return "" if not_before is None else f". Next attempt {time_text(not_before)}"


def _last_done(shop: Shop, stage: str) -> str:
    end = shop.last_crawled_end if stage == "crawl" else shop.last_scraped_end
    return "never" if end is None else time_text(end)


def _stuck_line(stuck: Stuck) -> str:
    since = "?" if stuck.since is None else time_text(stuck.since)
    tries = "1 attempt" if stuck.attempts == 1 else f"{stuck.attempts} attempts"
    owner = f"  {stuck.owner}" if stuck.owner else ""
    return f"{since:<20}  {stuck.stage:<6}  {stuck.domain}  {tries}{owner}"


def _url_line(page: ShopPage) -> str:
    return f"{page.type or '?':<8}  {page.status or '':<9}  {page.price_text or '':>16}  {page.url}"


def _change_line(change: Change) -> str:
    before = "new" if change.before is None else _offer(change.before)
    offers = f"{before} → {_offer(change.after)}"
    return f"{time_text(change.seen_at)}  {offers}  {change.title or ''}  {change.url}"


def _offer(offer: Offer) -> str:
    return " ".join(filter(None, [offer.status or "UNKNOWN", offer.price_text]))


def _shop_text(shop: Shop) -> str:
    return f"{shop.domain}  {shop.shop_country or 'without a country'}"


def _exit_code(failed: Sequence[reports.ShopFailure]) -> ExitCode:
    if not failed:
        return ExitCode.OK
    return ExitCode.RETRY if all(each.error.retry for each in failed) else ExitCode.FAILED


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    is_many = isinstance(value, tuple) or type(value).__name__ == "list"
    return ", ".join(map(str, value)) if is_many else str(local_time(value))


def _page_text(lines: Sequence[str], page: Page[Any], nothing: str) -> str:
    more = [] if page.cursor is None else [f"\nThere are more: --cursor {page.cursor}"]
    return safe_lines(
        [*(lines or [nothing]), *more, f"\n{len(page)} shown: {cost_text(page.cost)}."]
    )
