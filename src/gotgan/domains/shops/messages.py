"""Messages of shops; their Korean is in ``texts/ko/shops.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.messages import Template

# Words inside other messages

WORDS: Final[Mapping[str, Template]] = {
    word: Template(f"shops.word_{word}", word)
    for word in ("crawl", "scrape", "ok", "empty", "blocked", "unreachable", "budget")
}
"""Stages and outcomes, to be named inside another message."""
UNKNOWN_WORKER: Final = Template("shops.unknown_worker", "an unknown worker")
CODE_COUNT: Final = Template("shops.code_count", "{code} {count}")

# Gates and the day

NO_SHOPS: Final = Template("shops.no_shops", "No shop is registered with a country.")
NO_WEBHOOK: Final = Template(
    "shops.no_webhook",
    "No webhook is configured. Set GOTGAN_WEBHOOK and GOTGAN_WEBHOOK_SECRET.",
)
VISIT_FAILED: Final = Template("shops.visit_failed", "{stage} {outcome}: {why}")
NEXT_ATTEMPT: Final = Template("shops.next_attempt", "next attempt {at}")
DUE_FROM: Final = Template("shops.due_from", "due again from {at} on")
DUE_AFTER_CRAWL: Final = Template("shops.due_after_crawl", "due again after its next crawl")
WORKER_DIED: Final = Template(
    "shops.worker_died", "the worker of its {stage} stopped responding: {owner}"
)
TAKEN_OVER: Final = Template(
    "shops.taken_over", "the next {stage} takes it over; releasing the shop frees it now"
)

# Results of a run

DONE_COUNT: Final = Template("shops.done_count", "{count} done")
UNREACHABLE_COUNT: Final = Template("shops.unreachable_count", "{count} unreachable")
ELSEWHERE_COUNT: Final = Template("shops.elsewhere_count", "{count} in progress elsewhere")
FAILED_COUNT: Final = Template("shops.failed_count", "{count} failed")
RESULT: Final = Template("shops.result", "{counts:list}")
NOTHING: Final = Template("shops.nothing", "nothing due")
FAULT: Final = Template("shops.fault", "Internal error: {error}")

# Why a crawl or a scrape ended as it did

PAGES_LEFT: Final = Template(
    "shops.pages_left",
    "at least {count:more page is|more pages are} left; the next crawl continues there",
)
UNLIKE: Final = Template(
    "shops.unlike",
    "{count:known product no longer looks like a product"
    "|known products no longer look like products}",
)
UNLIKE_BLOCKED: Final = Template("shops.unlike_blocked", "{unlike}; look at one in a browser")
UNLIKE_LEFT: Final = Template("shops.unlike_left", "{unlike}; {left}")
UNLIKE_KEPT: Final = Template("shops.unlike_kept", "{unlike}, so no product counts as removed")
ALL_VISITED: Final = Template("shops.all_visited", "all pages were visited")
SOME_FAILED: Final = Template("shops.some_failed", "some pages could not be fetched")
SOME_FAILED_WHY: Final = Template("shops.some_failed_why", "some pages could not be fetched: {why}")
MOST_FREQUENT: Final = Template(
    "shops.most_frequent", "{code} {count:time|times}, for example at {url}"
)
NO_PRODUCT: Final = Template("shops.no_product", "no page looks like a product; {seen}")
FRONT_MISSING: Final = Template("shops.front_missing", "its front page is missing")
FRONT_MISSING_STATUS: Final = Template(
    "shops.front_missing_status", "its front page is missing ({status})"
)
FRONT_ELSEWHERE: Final = Template(
    "shops.front_elsewhere", "its front page redirects to another site"
)
FRONT_ELSEWHERE_WHY: Final = Template(
    "shops.front_elsewhere_why", "its front page redirects to another site: {why}"
)
FRONT_CONSENT: Final = Template("shops.front_consent", "its front page asks for consent first")
FRONT_CONSENT_WHY: Final = Template(
    "shops.front_consent_why", "its front page asks for consent first: {why}"
)
FRONT_CONSENT_AT: Final = Template(
    "shops.front_consent_at", "its front page redirects to a consent form: {url}"
)
FRONT_LOGIN: Final = Template("shops.front_login", "its front page redirects to a login: {url}")
NOT_CRAWLED: Final = Template(
    "shops.not_crawled", "no page is known as a product; crawl the shop first"
)
NO_PRODUCT_KNOWN: Final = Template(
    "shops.no_product_known", "no page is known as a product; its last crawl ended {outcome}"
)
NO_PRODUCT_KNOWN_WHY: Final = Template(
    "shops.no_product_known_why",
    "no page is known as a product; its last crawl ended {outcome}: {why}",
)
ALL_CHECKED: Final = Template("shops.all_checked", "all products were checked")
SOME_UNREAD: Final = Template(
    "shops.some_unread", "{count} of {total} products could not be read: {codes:list}"
)
NO_RESPONSE: Final = Template("shops.no_response", "There was no response. Try again.")
PAGE_MOVED: Final = Template(
    "shops.page_moved",
    "{url} redirects to another page, {target}. Crawl the shop to find the new page.",
)
NO_OFFER: Final = Template(
    "shops.no_offer", "{url} shows neither a price nor the availability. Open it in a browser."
)

PAGE_BLOCKED: Final = Template(
    "shops.page_blocked",
    "{url} shows a captcha or a block page. The shop is blocking requests; try again later.",
)
REDIRECT_BLOCKED: Final = Template(
    "shops.redirect_blocked",
    "{url} redirects to a captcha or a block page, {target}. The shop is blocking requests; try "
    "again later.",
)
TOO_MANY_ABSENT: Final = Template(
    "shops.too_many_absent",
    "{count} product pages say that their product is gone, more than were read. Nothing was "
    "counted as missing; open one in a browser.",
)
CRAWL_BLOCKED: Final = Template(
    "shops.crawl_blocked",
    "{count:page is|pages are} a captcha or a block page or redirect to one; open one in a browser",
)

# Lists of products

LIST_TOO_LONG: Final = Template(
    "shops.list_too_long",
    "The product list of {domain} has more than {count:product|products}. The others are read "
    "from their pages.",
)
LIST_NOT_JSON: Final = Template(
    "shops.list_not_json",
    "{url} is {kind}, not a product list. Products are read from their pages.",
)
LIST_BROKEN: Final = Template(
    "shops.list_broken",
    "The product list {url} is broken: {cause}. Products are read from their pages.",
)
LIST_SHAPE: Final = Template(
    "shops.list_shape", "The product list has an unexpected shape. Products are read from pages."
)

# What is incomplete about sitemaps

SITEMAPS_TOO_LONG: Final = Template(
    "shops.sitemaps_too_long", "its sitemaps list more than {count:URL|URLs}"
)
SITEMAP_TOO_LONG: Final = Template(
    "shops.sitemap_too_long", "a sitemap lists more than {count:URL|URLs}"
)
SITEMAP_BROKEN: Final = Template("shops.sitemap_broken", "a sitemap is broken ({cause})")
SITEMAP_DOCTYPE: Final = Template(
    "shops.sitemap_doctype", "a sitemap has a DOCTYPE, which is not allowed for safety"
)
SITEMAP_EMPTY: Final = Template("shops.sitemap_empty", "a sitemap is empty")
TOO_MANY_SITEMAPS: Final = Template(
    "shops.too_many_sitemaps", "it has more than {count:sitemap|sitemaps}"
)
SITEMAPS_TOO_DEEP: Final = Template(
    "shops.sitemaps_too_deep", "its sitemaps are nested more than {count:level|levels} deep"
)

# Claims

HELD: Final = Template("shops.held", "{owner} has claimed the {stage} of {domain}")
HELD_UNTIL: Final = Template(
    "shops.held_until", "{owner} has claimed the {stage} of {domain} until {until:datetime}"
)
POSTPONED: Final = Template(
    "shops.postponed", "{domain} is postponed until {until:datetime}: {error}"
)
JUST_DONE: Final = Template("shops.just_done", "another worker has just processed {domain}")
CRAWL_TAKEN_OVER: Final = Template(
    "shops.crawl_taken_over", "Another worker has taken over the crawl of {domain}."
)
NOT_CLAIMED: Final = Template(
    "shops.not_claimed", "No worker has claimed {domain}. There is nothing to release."
)
STILL_CLAIMED: Final = Template(
    "shops.still_claimed",
    "The claim is still valid: {holders:sentences}. Release it when the claim has expired, or "
    "force it if the worker is dead.",
)

# Selectors

SELECTOR_LENGTH: Final = Template(
    "shops.selector_length", "Use a CSS selector of up to {count:character|characters}."
)
SELECTOR_HAS: Final = Template(
    "shops.selector_has", "Use a CSS selector without :has(), which is too slow on large pages."
)
SELECTOR_LEAPS: Final = Template(
    "shops.selector_leaps",
    "Use at most {count} spaces or ~ between the parts of a CSS selector, and > for the others.",
)
NOT_A_SELECTOR: Final = Template(
    "shops.not_a_selector", "Not a CSS selector: {selector}. Use one such as .price or #offer > b."
)
NOT_A_FIELD: Final = Template(
    "shops.not_a_field", "Not a field for a selector: {word}. Use one of {fields:list}."
)
NO_SAMPLE: Final = Template(
    "shops.no_sample", "No product of {domain} is known. Give the URL of a page, or crawl the shop."
)
OTHER_SHOP: Final = Template(
    "shops.other_shop", "{url} is not a page of {domain}. Give a URL of this shop."
)

# Requests

NO_SHOP: Final = Template("shops.no_shop", "There is no shop {domain}. Register it first.")
COUNTRY_CONFLICT: Final = Template(
    "shops.country_conflict", "Use either a country or no_country, not both."
)
NOT_A_STAGE: Final = Template("shops.not_a_stage", "Not a stage: {word}. Use one of {stages:list}.")
EMPTY_SPAN: Final = Template(
    "shops.empty_span", "The start {after} is later than the end {before}. Use a later end."
)
TOO_FEW_WORKERS: Final = Template(
    "shops.too_few_workers", "The number of workers is {count}. Use 1 or more."
)
STORE_BUSY: Final = Template(
    "shops.store_busy", "The database is too busy to read all shops. Try again."
)
NOT_IN_INDEX: Final = Template(
    "shops.not_in_index", "The index does not hold the state of {domain}. Get the shop."
)
BAD_CURSOR: Final = Template(
    "shops.bad_cursor", "The cursor does not belong to this list. Start again without a cursor."
)
NO_PRODUCT_AT: Final = Template(
    "shops.no_product_at", "No product is known at {url}. Give the URL as a list shows it."
)
REMOVE_CLAIMED: Final = Template(
    "shops.remove_claimed",
    "The shop is being processed: {holders:sentences}. Wait until that has finished, or release "
    "the shop if its worker is dead, and remove it then.",
)
CHANGED: Final = Template("shops.changed", "{key} was changed since it was read.")
CHANGED_OFTEN: Final = Template(
    "shops.changed_often", "Another program keeps changing {key}. Adopt the shops again later."
)

# Delivery

NOT_TO_STDOUT: Final = Template(
    "shops.not_to_stdout",
    "Changes cannot be written to standard output: the position is stored under the name of the "
    "file. Name one, such as changes.jsonl.",
)
NO_SINK: Final = Template(
    "shops.no_sink",
    "No webhook is configured. Set GOTGAN_WEBHOOK and GOTGAN_WEBHOOK_SECRET, or name a file.",
)
FILE_FAILED: Final = Template(
    "shops.file_failed",
    "Could not write changes to {path}: {cause}. They are kept. Make the file writable, and "
    "deliver again.",
)
WEBHOOK_FAILED: Final = Template(
    "shops.webhook_failed",
    "The webhook at {url} did not accept the changes. They are sent again the next time. {why}",
)

# Registration

NAME_FOR_ONE: Final = Template(
    "shops.name_for_one", "A name is for one domain. A file or entries can name each shop."
)
NONE_GIVEN: Final = Template("shops.none_given", "No shops given. Name domains, or a file of them.")
NOT_STORED: Final = Template("shops.not_stored", "Nothing was stored: {errors:sentences}")
NOT_STORED_MORE: Final = Template(
    "shops.not_stored_more", "Nothing was stored: {errors:sentences}; and {left} more"
)
OF_SHOP: Final = Template("shops.of_shop", "shop {number}: {why}")
OF_LINE: Final = Template("shops.of_line", "line {number}: {why}")
NOT_A_DOMAIN: Final = Template(
    "shops.not_a_domain", "{domain} is not a domain (use a name such as example.com)"
)
HAS_PORT: Final = Template(
    "shops.has_port",
    "{domain} has the port {port}, but shops are visited on default ports (use {host})",
)
PUBLIC_SUFFIX: Final = Template(
    "shops.public_suffix",
    "{domain} is a public suffix, not a shop (use a domain under it, such as example.{domain})",
)
NOT_A_NAME: Final = Template(
    "shops.not_a_name",
    "{name} is not a name (use up to {count:character|characters} on one line)",
)
NOT_A_COUNTRY: Final = Template(
    "shops.not_a_country",
    "{country} is not a country code of ISO 3166 (use two letters such as DE)",
)
MISTAKEN_COUNTRY: Final = Template(
    "shops.mistaken_country",
    "{country} is not a country code of ISO 3166 (did you mean {code}?)",
)
FILE_SHAPE: Final = Template("shops.file_shape", "one domain per line, or domain,country,name")
NOT_UTF8: Final = Template(
    "shops.not_utf8", "Line {number} is not UTF-8. Save the file as UTF-8, with {shape}."
)
NOT_CSV: Final = Template("shops.not_csv", "not CSV: {cause} (write {shape})")
OPEN_QUOTE: Final = Template(
    "shops.open_quote", 'a quote is not closed (write " at the end of the name)'
)
SEMICOLONS: Final = Template(
    "shops.semicolons", "the columns are separated by semicolons (use commas)"
)
TABS: Final = Template("shops.tabs", "the columns are separated by tabs (use commas)")
TOO_MANY_COLUMNS: Final = Template(
    "shops.too_many_columns", "{count:column|columns} (only {names:list} are allowed)"
)
USE_A_COUNTRY: Final = Template("shops.use_a_country", "use a two-letter country code such as DE")
