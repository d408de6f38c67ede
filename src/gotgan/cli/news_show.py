"""``gotgan news show``: one item, its clocks, why it has its key, and its body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.grid import safe
from gotgan.cli.moments import localised
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.news.models import NewsBody, NewsItem

__all__ = ["command"]


@click.command("show")
@click.argument("pk_or_url", metavar="PK_OR_URL")
@click.pass_obj
def command(output: Output, *, pk_or_url: str) -> None:
    """Show one item, its clocks, its key and its body.

    An address must be given exactly as it was listed: every letter counts.
    """
    from gotgan.domains.news.records import body_record, item_record, why_record

    with opened_app(output) as app:
        item = app.news.get(pk_or_url)
        body = app.news.body(item.pk)
        alike = app.news.look_alikes(item)
    output.say(
        "\n".join([*_item(item), *_why(item, alike), "", *_body(body)]),
        **item_record(item),
        why=why_record(item),
        look_alikes=[item_record(each) for each in alike],
        body=None if body is None else body_record(body),
    )


def _item(item: NewsItem) -> list[str]:
    from gotgan.clock import utc_iso

    return [
        safe(item.title),
        safe(item.url),
        "",
        f"key       {item.pk}",
        f"source    {safe(item.source)}",
        f"tickers   {safe(' '.join(item.tickers)) or 'none'}",
        f"UTC       {utc_iso(item.uploaded_at)}",
        f"New York  {item.uploaded_at_est_iso}  {item.tz_est_abbr}",
        f"Seoul     {item.uploaded_at_kst_iso}  KST",
        "",
    ]


def _why(item: NewsItem, alike: list[NewsItem]) -> list[str]:
    from gotgan.domains.news.records import why_record

    why = why_record(item)
    tag = (
        f"id# because the path ends in the article id {why['article_id']}"
        if why["article_id"]
        else "h# because the path does not end in an article id"
    )
    lines = [
        f"Why this key: {tag}; then the first 16 digits of the SHA-256 of the address as it",
        f"stands, {why['sha256']}.",
    ]
    if alike:
        lines.append("Every letter of an address counts, so these are other items:")
        lines += [safe(f"  {each.pk}  {each.url}") for each in alike]
    return lines


def _body(body: NewsBody | None) -> list[str]:
    if body is None:
        return ["Body: nobody has tried yet; gotgan news bodies does."]
    from gotgan.domains.news.records import body_record

    told: dict[str, Any] = body_record(body)
    text = told.pop("text", None)
    lines = [
        f"{name.replace('_', ' '):<13} {safe(str(localised(value)))}"
        for name, value in told.items()
    ]
    paragraphs = [] if text is None else ["", *map(safe, text.split("\n"))]
    return ["Body:", *(f"  {line}" for line in lines), *paragraphs]
