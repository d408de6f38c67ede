"""``gotgan shops`` and the other domains: the verbs of each service."""

from __future__ import annotations

from gotgan.cli.binder import VerbGroup
from gotgan.cli.frame import Command

__all__ = ["day", "market", "news", "shops", "videos"]

day = VerbGroup(
    "day",
    "gotgan.day.service:Days",
    default="get",
    help="Show what a day brought, or publish it.\n\n"
    "gotgan day [DAY] is short for gotgan day get [DAY].",
)
market = VerbGroup(
    "market",
    "gotgan.domains.market.service:Market",
    help="Collect Korean share prices and indices, calculate indicators.",
)
news = VerbGroup(
    "news",
    "gotgan.domains.news.service:News",
    by_hand={"export": Command("gotgan.cli.news_export", "Write the items of a day to a file.")},
    help="Collect news and the texts of their articles.",
)
shops = VerbGroup(
    "shops",
    "gotgan.domains.shops.service:Shops",
    help="Crawl shops, scrape their products and detect changes.",
)
videos = VerbGroup(
    "videos",
    "gotgan.domains.videos.service:Videos",
    by_hand={
        name: Command("gotgan.cli.videos", line, {"import": "import_files"}.get(name, name))
        for name, line in {
            "analyse": "Analyse a video (queued for a worker).",
            "delete": "Delete everything stored about a video, its results too.",
            "export": "Export results or comments to standard output.",
            "import": "Import videos and comments from files, without a YouTube key.",
            "job": "Show a job.",
            "work": "Run jobs as they come, until you stop it.",
        }.items()
    },
    help="Analyse YouTube comments.",
)
