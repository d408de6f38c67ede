"""``gotgan shops``: the registry of shops and the work on them, from the command line."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "add": Command("gotgan.cli.shops_add", "Register shops by their domains."),
    "adopt": Command("gotgan.cli.shops_adopt", "Adopt shops and pages that other tools wrote."),
    "changes": Command("gotgan.cli.shops_changes", "List what changed in a shop."),
    "crawl": Command("gotgan.cli.shops_crawl", "Find the pages of shops."),
    "deliver": Command("gotgan.cli.shops_deliver", "Hand over what changed in shops."),
    "due": Command("gotgan.cli.shops_due", "List shops that are due for a crawl or a scrape."),
    "related": Command("gotgan.cli.shops_related", "List domains with the same core name."),
    "release": Command("gotgan.cli.shops_release", "Give back shops whose worker is no more."),
    "scrape": Command("gotgan.cli.shops_scrape", "Look at the products of shops."),
    "show": Command(
        "gotgan.cli.shops_show", "Show a shop: where it stands, and how its work last ended."
    ),
    "stuck": Command("gotgan.cli.shops_stuck", "List shops whose worker is no more."),
    "urls": Command("gotgan.cli.shops_urls", "List addresses of a shop."),
}


@click.group("shops", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """The shops: which there are, what is due, what changed."""
