"""``gotgan news upload``: stories from a file, stored."""

from __future__ import annotations

from typing import BinaryIO

import click

from gotgan.cli.news_report import say_uploaded
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output

__all__ = ["command"]


@click.command("upload")
@click.argument("file", type=click.File("rb"))
@click.option("--source", default="yf_latest", show_default=True, help="Where they come from.")
@click.pass_obj
def command(output: Output, *, file: BinaryIO, source: str) -> ExitCode:
    """Store stories that somebody else collected.

    FILE is a JSON list of {"title", "url", "tickers"}, or one such object per line; - is standard
    input. Everything is checked before the first story is stored.
    """
    from gotgan.domains.news.uploads import stories_from

    stories = stories_from(file.read())
    with opened_app(output) as app:
        return say_uploaded(output, app.news.upload(stories, source=source))
