"""``gotgan day``: what a day brought, in all domains."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.clock import Zone
    from gotgan.domains.site.kept_posts import Kept

__all__ = ["command"]


def _day(text: str) -> date:
    from gotgan.day.calendar import read_day

    return read_day(text)


@click.command("day")
@click.argument("day", type=_day, required=False, metavar="[DATE]")
@click.option(
    "--zone",
    type=click.Choice(["utc", "ny", "kst"]),
    help="Whose day it is, and whose time is shown: UTC, New York or Seoul. Default: that of "
    "GOTGAN_ZONE.",
)
@click.option("--publish", is_flag=True, help="Write it as a post of the site; needs --category.")
@click.option("--category", metavar="ID_OR_SLUG", help="The category that the post goes into.")
@click.pass_obj
def command(
    output: Output, *, day: date | None, zone: Zone | None, publish: bool, category: str | None
) -> None:
    """Show what a day brought: new, changed, failed, next.

    Without a date it is today. With --publish the day becomes a post in a category of the site:
    one post for a day and a zone, which is changed only where the text has changed since.
    """
    if publish != (category is not None):
        raise UsageError("--publish and --category go together: say where the post is to go")
    with opened_app(output) as app:
        if category is not None:
            _say(output, app.day.publish(day, zone, category))
            return
        page = app.day.page(day, zone)
    from gotgan.cli.day_text import day_text
    from gotgan.day.records import page_record

    output.say(day_text(page), **page_record(page))


def _say(output: Output, kept: Kept) -> None:
    from gotgan.cli.grid import safe
    from gotgan.day.records import published_record

    words = {"new": "published", "changed": "published anew", "duplicate": "published before"}
    post = kept.post
    told = f"{words[kept.outcome]}: {post.title}, post {post.id} in category {post.category_id}"
    output.say(safe(told), **published_record(kept))
