"""Hints: the command to run next after an error, by the code of its message.

A command may name values of the message in braces.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from gotgan.messages import Message, Value

HINTS: Final[dict[str, str]] = {
    "api.token_needed": "gotgan site tokens create",
    "data.no_stream": "gotgan tables follow {table} --enable",
    "market.collected_elsewhere": "gotgan market recover {day}",
    "market.csv_no_folder": "gotgan setup",
    "market.gap_elsewhere": "gotgan market recover",
    "market.indicator_count_wrong": "gotgan market indicators {day} --now",
    "market.indicators_wrong": "gotgan market indicators {day} --now",
    "market.krx_login_refused": "gotgan setup",
    "market.krx_no_login": "gotgan setup",
    "market.no_history": "gotgan market recover FIRST..LAST",
    "market.no_index_values": "gotgan market recover FIRST..LAST",
    "market.no_provider": "gotgan setup",
    "market.no_providers": "gotgan setup",
    "market.no_retries_left": "gotgan market collect {day} --now",
    "market.no_share": "gotgan market stocks",
    "market.not_enough_history": "gotgan market recover",
    "market.pykrx_missing": "pip install 'gotgan[krx]'",
    "market.stored_wrong": "gotgan market recover {day} --again",
    "market.too_old": "gotgan market recover",
    "news.consent": "gotgan news collect --rss",
    "news.no_trafilatura": "pip install 'gotgan[articles]'",
    "news.not_tried": "gotgan news retry {pk}",
    "news.retry_dead": "gotgan news bodies --retry-dead",
    "shops.changed_often": "gotgan shops adopt",
    "shops.held": "gotgan shops release {domain} --force",
    "shops.held_until": "gotgan shops release {domain} --force",
    "shops.no_shop": "gotgan shops add {domain}",
    "shops.no_shops": "gotgan shops add DOMAIN --country XX",
    "shops.no_sink": "gotgan shops deliver --file changes.jsonl",
    "shops.none_given": "gotgan shops add DOMAIN --country XX",
    "shops.not_crawled": "gotgan shops crawl DOMAIN",
    "shops.taken_over": "gotgan shops release",
    "site.bad_token": "gotgan site tokens create",
    "site.category_missing": "gotgan site categories list",
    "site.company_missing": "gotgan site company replace --name NAME --email ADDRESS",
    "site.link_used": "gotgan site sign-in",
    "site.no_admin": "gotgan site users create --role admin",
    "site.no_company_address": "gotgan site company update --email ADDRESS",
    "site.not_adopted": "gotgan site adopt",
    "videos.last_failed": "gotgan videos analyse {video} --force --reason retry_failed",
    "videos.no_comments": "gotgan videos import FILE --video {video}",
    "videos.no_gemini": "pip install 'gotgan[gemini]'",
    "videos.no_job": "gotgan videos jobs",
    "videos.no_source": "gotgan videos import FILE --video {video}",
    "videos.not_analysed": "gotgan videos analyse {video}",
    "videos.not_finished": "gotgan videos job {job}",
    "videos.not_stored": "gotgan videos analyse {video}",
    "videos.nothing_kept": "gotgan videos import FILE --video {video}",
    "videos.quota_used": "gotgan videos quota",
    "videos.quota_used_until": "gotgan videos quota",
}


def find_hint(message: Value) -> str | None:
    """The command for a message, or else for the first message inside it that has one."""
    return next(_hints(message), None)


def _hints(value: Value) -> Iterator[str]:
    if isinstance(value, Message):
        if command := HINTS.get(value.code):
            named = {name: shlex.quote(str(each)) for name, each in value.values.items()}
            yield command.format_map(named)
        for each in value.values.values():
            yield from _hints(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _hints(each)
