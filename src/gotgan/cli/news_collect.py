"""``gotgan news collect``: the latest list, fetched and stored."""

from __future__ import annotations

import click

from gotgan.cli.news_report import say_uploaded
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import limit_option
from gotgan.cli.output import ExitCode, Output

__all__ = ["command"]


@click.command("collect")
@limit_option("At most so many stories of the list.", 50, 1000)
@click.option("--rss", is_flag=True, help="Read the feed instead: other stories, no tickers.")
@click.pass_obj
def command(output: Output, *, limit: int, rss: bool) -> ExitCode:
    """Fetch the latest list and store what is new.

    A story that is there already stays as it was first written, whatever the list says now. Read
    the terms of the site before you collect from it: docs/news.md.
    """
    with opened_app(output, writes=True) as app:
        return say_uploaded(output, app.news.collect(limit=limit, rss=rss))
