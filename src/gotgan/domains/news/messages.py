"""Messages of news; their Korean is in ``texts/ko/news.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.messages import Message, Template

# Results

_COUNTS: Final[Mapping[str, Template]] = {
    word: Template(f"news.count_{word}", f"{{count}} {word}")
    for word in (
        *("new", "duplicate", "failed", "ok", "external", "premium", "gone", "blocked"),
        *("dead", "waiting", "skipped"),
    )
}
RESULT: Final = Template("news.result", "{counts:list}")
NOTHING: Final = Template("news.nothing", "nothing new")
GIVEN_UP: Final = Template(
    "news.given_up", "{count:article|articles} could not be fetched in five attempts"
)
RETRY_DEAD: Final = Template("news.retry_dead", "retried only on request")


def result(counts: Mapping[str, int]) -> Message:
    """Counts in one line."""
    parts = [_COUNTS[word](count=count) for word, count in counts.items()]
    return RESULT(counts=parts) if parts else NOTHING()


# Requests

LIMIT: Final = Template("news.limit", "The limit is {limit}. Use 1 or more.")
DAY_OUT_OF_RANGE: Final = Template(
    "news.day_out_of_range", "{day} is at the edge of the calendar. Choose another day."
)
OTHER_CURSOR: Final = Template(
    "news.other_cursor", "The cursor belongs to another query. Start again without a cursor."
)
NO_ITEM: Final = Template(
    "news.no_item", "There is no item {item}. Use its key, or its URL exactly as listed."
)
STORE_BUSY: Final = Template(
    "news.store_busy", "The database is too busy to read all articles. Try again."
)

# Article texts

NOT_TRIED: Final = Template(
    "news.not_tried", "The article of {pk} was not tried yet. The next run tries it."
)
ALREADY_STORED: Final = Template(
    "news.already_stored", "The article of {pk} is stored. An article is fetched once."
)
OTHER_SITE: Final = Template(
    "news.other_site",
    "The article of {pk} is at another site, which is not fetched. Open it in a browser.",
)
CLAIMED: Final = Template(
    "news.claimed",
    "{owner} has claimed {pk} until {until:datetime}. If that worker died, the next run after "
    "that takes it over.",
)
JUST_CLAIMED: Final = Template(
    "news.just_claimed", "Another worker has just claimed {pk}. Try again in a minute."
)
WORKER_DIED: Final = Template("news.worker_died", "The worker of the last attempt died.")
NO_RESPONSE: Final = Template("news.no_response", "There was no response. Try again.")
ARTICLE_UNREADABLE: Final = Template(
    "news.article_unreadable",
    "Could not read the article at {url} ({cause}). Open it in a browser.",
)
NO_TEXT: Final = Template(
    "news.no_text",
    "No text was found in the article at {url}: the page layout has changed, or it has no text. "
    "Save the page with GOTGAN_RECORD=folder and look at it.",
)
CAPTCHA: Final = Template(
    "news.captcha",
    "{url} asks for a captcha of {vendor}, which a program cannot solve. Set GOTGAN_CONTACT, and "
    "try again in an hour.",
)
TAKEN_DOWN: Final = Template(
    "news.taken_down", "{url} says that it does not exist any more: {title}. Open it in a browser."
)
NEEDS_SCRIPTS: Final = Template(
    "news.needs_scripts",
    "There is nothing to read at {url}: scripts would fill the page, and Gotgan runs none. Open it "
    "in a browser.",
)
NOT_AN_ARTICLE: Final = Template(
    "news.not_an_article",
    "{url} is a list, an index or a quote page, not an article. Open it in a browser.",
)
LAYOUT_TOO_LONG: Final = Template(
    "news.layout_too_long",
    "The article at {url} has an unknown layout, and with more than "
    "{count:character|characters} it is too long to extract. Open it in a browser.",
)
NO_TRAFILATURA: Final = Template(
    "news.no_trafilatura",
    "The article at {url} has an unknown layout. Install gotgan[articles] to read any layout, and "
    "try again.",
)
TRAFILATURA_FAILED: Final = Template(
    "news.trafilatura_failed",
    "trafilatura failed on the article at {url} ({cause}). Open it in a browser.",
)

# Pages and feeds

PAGE_INCOMPLETE: Final = Template(
    "news.page_incomplete",
    "The page at {url} is incomplete: it ends after {count:byte|bytes}. Try again.",
)
CONSENT: Final = Template(
    "news.consent",
    "{url} asks for cookie consent, which a program cannot give. Collect from a network outside "
    "the European Union, or collect the RSS feed.",
)
BLOCKED: Final = Template(
    "news.blocked",
    "The site is blocking or rate-limiting requests: {url} returned {title}. Set GOTGAN_CONTACT, "
    "and try again in an hour.",
)
NOT_HTML: Final = Template(
    "news.not_html",
    "{url} returned {kind}, not an HTML page. Check the address in the settings.",
)
NOT_RSS: Final = Template(
    "news.not_rss", "{url} returned {kind}, not an RSS feed. Check the address in the settings."
)
BINARY: Final = Template("news.binary", "binary data")
TOO_DEEP: Final = Template(
    "news.too_deep", "The page nests more than {count} elements. Look at it in a browser."
)
LIST_UNREADABLE: Final = Template("news.list_unreadable", "Could not read the list at {url}. {why}")
LIST_EMPTY: Final = Template(
    "news.list_empty",
    "The list at {url} has no stories: the page layout has changed, or it is not a list. Save the "
    "page with GOTGAN_RECORD=folder and look at it.",
)
FEED_EMPTY: Final = Template(
    "news.feed_empty",
    "The feed at {url} has no stories: its format has changed, or it is not a news feed. Save it "
    "with GOTGAN_RECORD=folder and look at it.",
)
FEED_DOCTYPE: Final = Template(
    "news.feed_doctype",
    "The feed at {url} has a DOCTYPE, which is not allowed for safety. It was not read.",
)
FEED_INCOMPLETE: Final = Template(
    "news.feed_incomplete", "The feed at {url} is incomplete. Try again."
)
NOT_A_FEED: Final = Template(
    "news.not_a_feed",
    "The response of {url} is not a feed ({cause}). Check the address.",
)
FEED_UNTITLED: Final = Template(
    "news.feed_untitled",
    "No entry of {url} has both a title and a link. A sitemap must be a news sitemap, with titles.",
)
NO_ITEMS: Final = Template("news.no_items", "it has no list of items")
SITEMAP_INDEX: Final = Template(
    "news.sitemap_index", "it is an index of sitemaps; use one of the sitemaps that it lists"
)

# Uploads

NOT_A_SOURCE: Final = Template(
    "news.not_a_source", "Not a source: {source}. Use a short name such as yf_latest."
)
STORIES_SHAPE: Final = Template(
    "news.stories_shape",
    "a JSON list of objects with title, url and tickers, or one such object per line",
)
NOT_UTF8: Final = Template("news.not_utf8", "Byte {byte} is not UTF-8. Upload {shape}, in UTF-8.")
NOT_JSON: Final = Template("news.not_json", "This is not JSON ({cause}). Upload {shape}.")
LINE_NOT_JSON: Final = Template("news.line_not_json", "Line {number} is not JSON. Upload {shape}.")
NOT_STORED: Final = Template("news.not_stored", "Nothing was stored: {errors:sentences}.")
NOT_STORED_MORE: Final = Template(
    "news.not_stored_more", "Nothing was stored: {errors:sentences}; and {left} more."
)
OF_STORY: Final = Template("news.of_story", "story {number}: {why}")
NOT_A_STORY: Final = Template("news.not_a_story", "{value} is not a Story")
NOT_AN_OBJECT: Final = Template("news.not_an_object", "not an object with title, url and tickers")
UNKNOWN_FIELDS: Final = Template(
    "news.unknown_fields", "unknown fields: {names:list} (use title, url and tickers)"
)
FIELD_MISSING: Final = Template("news.field_missing", "{field} is missing, empty or not text")
FIELD_TOO_LONG: Final = Template(
    "news.field_too_long", "{field} has more than {count:character|characters}"
)
FIELD_NOT_UNICODE: Final = Template("news.field_not_unicode", "{field} is not valid Unicode")
NOT_A_URL: Final = Template(
    "news.not_a_url", "url {url} is not the http:// or https:// URL of a page"
)
TICKERS_NOT_TEXTS: Final = Template("news.tickers_not_texts", "tickers is not a list of texts")
TOO_MANY_TICKERS: Final = Template(
    "news.too_many_tickers",
    "tickers has more than {count:entry|entries}, or one of more than {most:character|characters}",
)

# Sources

NO_SOURCE: Final = Template(
    "news.no_source", "There is no source {name}. Its name is in the list of sources."
)
SOURCE_NAME_TAKEN: Final = Template(
    "news.source_name_taken",
    "Another source has the name {names:list}. Choose another name.",
)
SOURCE_KNOWN: Final = Template(
    "news.source_known", "{url} is the source {name} already. Remove that first to rename it."
)
BAD_SOURCE_NAME: Final = Template(
    "news.bad_source_name",
    "Not a name for a source: {name}. Use lower-case letters, digits, dots, dashes and "
    "underscores; names that start with yf_ are Yahoo's.",
)
NOT_ADDED: Final = Template("news.not_added", "{url} was not added: {why}")
NO_FEED_LINK: Final = Template(
    "news.no_feed_link",
    "The page at {url} names no feed. Use the URL of an RSS, Atom or JSON feed, or of a news "
    "sitemap.",
)
SOURCE_TAKEN: Final = Template(
    "news.source_polled", "Another worker is polling {name} until {until:datetime}."
)
TOO_MANY_SOURCES: Final = Template(
    "news.too_many_sources", "There are {count:source|sources} already. Remove one first."
)
NO_SOURCES: Final = Template("news.no_sources", "there are no sources besides Yahoo's list")
NO_DUE_SOURCES: Final = Template("news.no_due_sources", "no source is due")
POLLED: Final = Template("news.polled", "{count:source|sources}, {new} new")
POLLED_FAILED: Final = Template(
    "news.polled_failed", "{count:source|sources}, {new} new, {failed} failed"
)
