"""Where the stories come from, on a server that says how its pages are encoded."""

from __future__ import annotations

from pathlib import Path

from gotgan.domains.news.source import NewsSource
from gotgan.settings import Settings
from tests.unit.domains.news.pages import Card, in_2024
from tests.unit.fetch.serving import SITE, opened, reply, server

TITLE = "삼성전자"
ITEM = f"<item><title>{TITLE}</title><link>https://x.example/</link></item>"


def test_the_server_is_believed_about_the_encoding(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, news_list=f"{SITE}/list", news_rss=f"{SITE}/feed")
    page = f"<html>{in_2024([Card(TITLE)])}</html>".encode("euc-kr")
    feed = f"<rss>{ITEM}</rss>".encode("euc-kr")
    with server() as served, opened(served) as web:
        served.says("/list", reply(page, Content_Type="text/html; charset=euc-kr"))
        served.says("/feed", reply(feed, Content_Type="text/xml; charset=euc-kr"))
        source = NewsSource(web, settings)
        assert [story.title for story in (*source.latest(), *source.feed())] == [TITLE, TITLE]
