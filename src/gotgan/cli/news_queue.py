"""``gotgan news queue``: bodies that wait or are under way, and those that were given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.news.models import NewsBody

__all__ = ["command"]


@click.command("queue")
@click.option("--dead", is_flag=True, help="Those that were given up, instead.")
@limit_option("How many.", 50, 1000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(output: Output, *, dead: bool, limit: int, cursor: str | None) -> None:
    """List bodies that wait, or that were given up.

    Those that are due first; one that somebody works on is due when its lease ends.
    """
    from gotgan.domains.news.records import queued_record

    with opened_app(output) as app:
        page = app.news.queued("dead" if dead else "retry", limit=limit, cursor=cursor)
    lines = [_line(body) for body in page] or ["There are none."]
    if page.cursor is not None:
        lines.append(f"\nThere are more: --cursor {page.cursor}")
    output.say("\n".join(lines), items=list(map(queued_record, page)), cursor=page.cursor)


def _line(body: NewsBody) -> str:
    due = "" if body.due_at is None else moment(body.due_at)
    state = "given up" if body.outcome == "dead" else body.state.lower()
    why = f"  [{body.error}] {body.reason}" if body.error else ""
    return safe(f"{due}  {state:<8}  {body.attempts}/5  {body.pk}  {body.url}{why}")
