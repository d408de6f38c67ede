"""Results of the shops' verbs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from gotgan.cli.format import count_text, localized, time_text
from gotgan.cli.output import ExitCode, TextResult, error_exit_code
from gotgan.cli.reader import later, rendered, tr
from gotgan.cli.table import padded, page_table, safe_lines
from gotgan.domains.shops import products as products_
from gotgan.domains.shops import reports
from gotgan.domains.shops.models import Change, Offer, Shop, ShopPage
from gotgan.domains.shops.service import CrawlSummary, ScrapeSummary
from gotgan.domains.shops.stages import Stuck
from gotgan.domains.shops.workers import PoolReport
from gotgan.encoding import encode
from gotgan.store import Page

_MAX_SHOWN: Final = 50
_LISTED: Final = ("country", "domain", "crawl", "scrape", "products", "changed")
_PRODUCTS: Final = ("price", "status", "changed", "title", "url")
_HISTORY: Final = ("time", "before", "after")
_PAGES: Final = ("type", "status", "price", "title", "url")
_CHANGES: Final = ("time", "before", "after", "title", "url")
_HINTS: Final = {
    "add_shops": later(
        "No shops are registered yet. Add one: gotgan shops add example.com --country DE"
    ),
    "adopt_shops": later(
        "Shops of other tools are not found until they are adopted: run gotgan shops adopt."
    ),
}


def add(report: reports.Registered) -> TextResult:
    """Counts, and the first shops of each kind."""
    kinds = {"new": report.new, "country set": report.placed, "adopted": report.adopted}
    kinds["duplicate"] = report.duplicates
    counts = {"received": report.given, **{kind: len(shops) for kind, shops in kinds.items()}}
    counts["failed"] = len(report.failed)
    parts = [f"{tr(word)} {count}" for word, count in counts.items()]
    lines = [" · ".join(parts)]
    for kind, shops in kinds.items():
        lines += [f"  {padded(tr(kind), 11)}  {_shop_text(shop)}" for shop in shops[:_MAX_SHOWN]]
        lines += [_rest_line(len(shops) - _MAX_SHOWN)] if shops[_MAX_SHOWN:] else []
    lines += [f"  {padded(tr('failed'), 11)}  {_failure_text(each)}" for each in report.failed]
    return safe_lines(lines), _exit_code(report.failed)


def adopt(report: reports.ShopsAdopted) -> TextResult:
    """How many items were completed, and what could not be read."""
    counts = tr(
        "read {count} items · completed {shops} shops, {pages} pages, {countries} countries",
        count=report.read,
        shops=report.shops,
        pages=report.pages,
        countries=len(report.countries),
    )
    lines = [counts]
    if report.countries:
        lines.append(tr("  new countries  {names:list}", names=report.countries))
    text = "  left unchanged  {key}: {why}"
    lines += [tr(text, key=key, why=why) for key, why in report.unfit.items()]
    if more := report.unfit_count - len(report.unfit):
        lines.append(_rest_line(more))
    if not report.is_complete:
        lines.append(tr("The end of the table was not reached. Run it again to continue."))
    return safe_lines(lines), ExitCode.FAILED if report.unfit_count else ExitCode.OK


def crawl(report: CrawlSummary, domains: Sequence[str]) -> TextResult:
    """A line for each shop."""
    return _pool_result(report, [_crawl_line(each) for each in report.shops], domains)


def scrape(report: ScrapeSummary, domains: Sequence[str]) -> TextResult:
    """A line for each shop."""
    return _pool_result(report, [_scrape_line(each) for each in report.shops], domains)


def deliver(report: reports.Delivered) -> TextResult:
    """How many changes were sent."""
    text = "{changes:change|changes} of {shops:shop|shops}."
    lines = [tr(text, changes=report.changes, shops=report.shops)]
    if report.stopped:
        lines.append(tr("Stopped early: {why}", why=report.stopped))
    return safe_lines(lines), ExitCode.RETRY if report.stopped else ExitCode.OK


def release(report: reports.Released) -> TextResult:
    """Each claim, and why others were kept."""
    counts = {"released": len(report.released), "refused": len(report.refused)}
    text = ", ".join(count_text(count, word) for word, count in counts.items())
    released, refused = padded(tr("released"), 8), padded(tr("refused"), 8)
    lines = [
        *(f"{released}  {_stuck_line(each)}" for each in report.released),
        *(f"{refused}  {rendered(each.error.message)}" for each in report.refused),
        f"{text}.",
    ]
    codes = (error_exit_code(each.error) for each in report.refused)
    return safe_lines(lines), max(codes, default=ExitCode.OK)


def list(page: products_.ShopOverviewPage, country: str | None) -> str:  # noqa: A001 - the verb's name
    """A line for each shop."""
    nothing = tr("No shops.") if country else tr(_HINTS["add_shops"])
    return page_table([*map(_overview_row, page)], _LISTED, nothing, page.cursor)


def get(shop: Shop) -> str:
    """What is known of a shop."""
    known = {name: value for name, value in encode(shop).items() if value is not None}
    return safe_lines(
        [f"{padded(tr(name.replace('_', ' ')), 19)} {_value(each)}" for name, each in known.items()]
    )


def set_selector(shop: Shop) -> str:
    """The selectors of the shop."""
    rows = [f"{padded(name, 8)}  {css}" for name, css in sorted((shop.selectors or {}).items())]
    return safe_lines(rows or [tr("No selectors. All facts are read automatically.")])


def try_selector(trial: reports.SelectorTrial) -> TextResult:
    """The elements that a selector finds, and the value that is read from them."""
    before = trial.before or tr("nothing")
    lines = [
        trial.url,
        tr("{count:element|elements} found", count=trial.matches),
        *(f"  {text}" for text in trial.texts),
        tr("Read as {field}: {value}", field=trial.field, value=trial.value or tr("nothing")),
        tr("Without it: {value}", value=f"{before} ({trial.source})" if trial.source else before),
    ]
    return safe_lines(lines), ExitCode.OK if trial.value else ExitCode.FAILED


def related(found: reports.RelatedShops) -> str:
    """The domains."""
    return safe_lines([*found.items, f"{count_text(len(found.items), 'related')}."])


def urls(page: Page[ShopPage]) -> str:
    """A line for each page."""
    return page_table([*map(_page_row, page)], _PAGES, tr("No pages."), page.cursor)


def changes(page: products_.ChangePage, domain: str | None) -> str:
    """A line for each change."""
    columns = _CHANGES if domain else ("shop", *_CHANGES)
    return page_table([*map(_change_row, page)], columns, tr("No changes."), page.cursor)


def products(page: products_.ProductPage) -> str:
    """A line for each product, and how many there are."""
    text = page_table([*map(_product_row, page)], _PRODUCTS, tr("No products."), page.cursor)
    if page.as_of is None or not page.items:
        return text
    total = f"{page.total:,}{'+' if page.is_total_cut else ''}"
    line = tr("{total} products, as of {time}", total=total, time=time_text(page.as_of))
    return f"{text}\n{line}"


def product(found: products_.ProductHistory) -> str:
    """Its facts, where they are from, and its changes."""
    product = found.product
    facts = {
        "title": product.title,
        "url": product.url,
        "shop": product.domain,
        "country": product.country,
        "status": product.status,
        "status before": product.last_status,
        "price": product.price_text,
        "image": product.image,
        "first seen": product.first_seen and time_text(product.first_seen),
        "last written": product.checked_at and time_text(product.checked_at),
    }
    lines = [f"{padded(tr(name), 18)} {value}" for name, value in facts.items() if value]
    sources = sorted(found.sources.items())
    lines += [f"{padded(tr('source') + ' ' + name, 18)} {source}" for name, source in sources]
    history = page_table([*map(_change_row, found.changes)], _HISTORY, tr("No changes."), None)
    return f"{safe_lines(lines)}\n{history}"


def remove(removed: products_.ShopRemoved) -> TextResult:
    """What was deleted, and whether anything is left."""
    text = tr(
        "{domain}: deleted {pages:page|pages}, {changes:change|changes} and "
        "{others:other item|other items}.",
        domain=removed.domain,
        pages=removed.pages,
        changes=removed.changes,
        others=removed.others,
    )
    lines = [text]
    if not removed.is_complete:
        lines.append(tr("There is more. Run it again to delete the rest."))
    return safe_lines(lines), ExitCode.OK if removed.is_complete else ExitCode.RETRY


def due(found: reports.DueShops) -> str:
    """When each shop was last done."""
    if found.hint:
        return tr(_HINTS[found.hint])
    lines = [f"{padded(_last_done(each, found.stage), 20)}  {each.domain}" for each in found.items]
    lines += [tr("There are more: raise --limit.")] if found.has_more else []
    due = later("{count} due for a scrape")
    if found.stage == "crawl":
        due = later("{count} due for a crawl")
    lines.append(f"{tr(due, count=len(found.items))}.")
    return safe_lines(lines)


def stuck(found: reports.StuckShops) -> str:
    """Each claim, and how many are in progress."""
    if found.hint:
        return tr(_HINTS[found.hint])
    counts = {"stuck": len(found.items), "in progress": found.in_progress}
    count = ", ".join(count_text(each, word) for word, each in counts.items())
    return safe_lines([*map(_stuck_line, found.items), f"{count}."])


def _pool_result(
    report: PoolReport[Any], lines: Sequence[str], domains: Sequence[str]
) -> TextResult:
    if report.hint:
        return tr(_HINTS[report.hint]), ExitCode.OK
    if report.is_idle:
        if not report.in_progress:
            return tr("Nothing to do."), ExitCode.OK
        text = "Nothing to do; {count} in progress ({command} lists those whose worker died)."
        return tr(text, count=report.in_progress, command="gotgan shops stuck"), ExitCode.OK
    skipped = [
        tr(
            "{reason}; if that worker is dead: gotgan shops release {domain} --force",
            reason=each.reason,
            domain=each.domain,
        )
        for each in report.skipped
    ]
    failed = [_failure_text(each) for each in report.failed]
    is_over = report.shops or not domains
    if report.failed:
        code = _exit_code(report.failed)
    else:
        code = ExitCode.OK if is_over and not report.unreached else ExitCode.RETRY
    return safe_lines([*lines, *skipped, *failed]), code


def _crawl_line(report: reports.CrawlReport) -> str:
    counts = {
        later("pages"): report.pages,
        later("products"): report.products,
        later("new"): report.new,
        later("unlike"): report.unlike,
        later("unchanged"): report.unchanged,
        later("removed"): report.removed,
        later("failed"): report.failed.total(),
        later("requests saved"): report.saved,
    }
    parts = [f"{tr(word)} {count:,}" for word, count in counts.items() if count]
    head = _visit_text(report.domain, report.outcome, report.reason, report.not_before)
    return " · ".join([head, *parts])


def _scrape_line(report: reports.ScrapeReport) -> str:
    parts = [f"{tr(word)} {count:,}" for word, count in sorted(report.noted.items())]
    parts += [f"{code} {count:,}" for code, count in sorted(report.failed.items())]
    parts += [f"{tr('requests saved')} {report.saved:,}"] if report.saved else []
    outcome = report.outcome or "lost"
    head = _visit_text(report.domain, outcome, report.reason, report.not_before)
    return " · ".join([head, f"{tr('pages')} {report.pages:,}", *parts])


def _visit_text(domain: str, outcome: str, reason: str, not_before: datetime | None) -> str:
    """How a crawl or a scrape of a shop ended, and when it is tried again."""
    text = f"{domain}: {tr(outcome)}, {rendered(reason)}"
    if not_before is None:
        return text
    return tr("{outcome}. Next attempt {time}", outcome=text, time=time_text(not_before))


def _last_done(shop: Shop, stage: str) -> str:
    end = shop.last_crawled_end if stage == "crawl" else shop.last_scraped_end
    return tr("never") if end is None else time_text(end)


def _stuck_line(stuck: Stuck) -> str:
    since = "?" if stuck.since is None else time_text(stuck.since)
    tries = tr("{count:attempt|attempts}", count=stuck.attempts)
    owner = f"  {stuck.owner}" if stuck.owner else ""
    return f"{since:<20}  {padded(tr(stuck.stage), 6)}  {stuck.domain}  {tries}{owner}"


def _page_row(page: ShopPage) -> dict[str, str]:
    return {
        "type": page.type or "?",
        "status": page.status or "",
        "price": page.price_text or "",
        "title": page.title or "",
        "url": page.url,
    }


def _overview_row(shop: products_.ShopOverview) -> dict[str, str]:
    return {
        "country": shop.shop_country or "–",
        "domain": shop.domain,
        "crawl": _stage_text(shop.crawl),
        "scrape": _stage_text(shop.scrape),
        "products": "" if shop.products is None else f"{shop.products:,}",
        "changed": "" if shop.changed_at is None else time_text(shop.changed_at),
    }


def _stage_text(stage: products_.StageOverview) -> str:
    return tr(stage.word)


def _product_row(product: products_.ShopProduct) -> dict[str, str]:
    return {
        "price": product.price_text or "",
        "status": product.status or "",
        "changed": "" if product.changed_at is None else time_text(product.changed_at),
        "title": product.title or "",
        "url": product.url,
    }


def _change_row(change: Change) -> dict[str, str]:
    return {
        "time": time_text(change.seen_at),
        "shop": change.domain,
        "before": tr("new") if change.before is None else _offer(change.before),
        "after": _offer(change.after),
        "title": change.title or "",
        "url": change.url,
    }


def _offer(offer: Offer) -> str:
    return " ".join(filter(None, [offer.status or "UNKNOWN", offer.price_text]))


def _shop_text(shop: Shop) -> str:
    return f"{shop.domain}  {shop.shop_country or tr('without a country')}"


def _failure_text(failure: reports.ShopFailure) -> str:
    return f"{failure.domain}: {rendered(failure.error.message)}"


def _rest_line(count: int) -> str:
    return f"  {tr('and {count} more', count=count)}"


def _exit_code(failed: Sequence[reports.ShopFailure]) -> ExitCode:
    if not failed:
        return ExitCode.OK
    return ExitCode.RETRY if all(each.error.retry for each in failed) else ExitCode.FAILED


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    is_many = isinstance(value, tuple) or type(value).__name__ == "list"
    return ", ".join(map(str, value)) if is_many else str(localized(value))
