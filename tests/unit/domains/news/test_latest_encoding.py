"""Where the stories come from, on a server that says how its pages are encoded."""

from __future__ import annotations

from gotgan.domains.news.latest import fetch_feed, fetch_latest
from tests.unit.domains.news.pages import Card, in_2024
from tests.unit.fetch.serving import SITE, opened, reply, server

TITLE = "삼성전자"
ITEM = f"<item><title>{TITLE}</title><link>https://x.example/</link></item>"


def test_the_server_is_believed_about_the_encoding() -> None:
    page = f"<html>{in_2024([Card(TITLE)])}</html>".encode("euc-kr")
    feed = f"<rss>{ITEM}</rss>".encode("euc-kr")
    with server() as served, opened(served) as web:
        served.says("/list", reply(page, Content_Type="text/html; charset=euc-kr"))
        served.says("/feed", reply(feed, Content_Type="text/xml; charset=euc-kr"))
        stories = [*fetch_latest(web, f"{SITE}/list"), *fetch_feed(web, f"{SITE}/feed")]
        assert [story.title for story in stories] == [TITLE, TITLE]
