"""``gotgan tables follow``: the changes of a table, as its stream has them."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.app import open_tables
from gotgan.cli.format import time_text
from gotgan.cli.output import Output
from gotgan.cli.reader import tr
from gotgan.cli.table import safe_text

if TYPE_CHECKING:
    from gotgan.store.data.follow import ItemChange

_LOCAL_PAUSE_S: Final = 0.2
_REMOTE_PAUSE_S: Final = 1.0  # AWS allows five reads of a shard in a second, for all readers


@click.command("follow")
@click.argument("table")
@click.option(
    "--from",
    "begin",
    type=click.Choice(["start", "latest"]),
    default="latest",
    show_default=True,
    help="Begin with the oldest change that is kept (24 hours), or with the next one.",
)
@click.option("--once", is_flag=True, help="Exit when there are no more changes to print.")
@click.option("--enable", is_flag=True, help="Enable a stream if the table has none.")
@click.pass_obj
def follow_table(output: Output, *, table: str, begin: str, once: bool, enable: bool) -> None:
    """Print the changes of a table as they happen.

    Reads the table's stream (DynamoDB Streams). Changes of one item are in order. Stop it with
    Ctrl-C; it also ends when the stream is disabled.
    """
    from gotgan.store.data.follow import StreamFollower, enabled_stream

    with open_tables(output) as database, suppress(KeyboardInterrupt):  # Ctrl-C is the way to stop
        driver, name = database.driver, database.name_of(table)
        arn = enabled_stream(driver, name, enable=enable)
        follower = StreamFollower(driver, arn, from_start=begin == "start")
        if not once:
            _announce(output, tr("Following {table}. Ctrl-C stops it.", table=name))
        pause = _REMOTE_PAUSE_S if driver.in_process is None else _LOCAL_PAUSE_S
        while not follower.has_ended:
            changes = follower.read()
            for change in changes:
                output.write(_sentence(change), **_fields(change))
            if changes:
                continue
            if once:
                return
            time.sleep(pause)
        _announce(output, tr("The stream of {table} was disabled.", table=name))


def _announce(output: Output, text: str) -> None:
    if not output.as_json:
        click.echo(text, err=True)


def _fields(change: ItemChange) -> dict[str, Any]:
    from gotgan.store.data.item_json import readable_item

    images = {"old": change.old, "new": change.new}
    return {
        "event": change.event,
        "at": f"{change.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "keys": readable_item(change.keys),
        **{name: None if image is None else readable_item(image) for name, image in images.items()},
        "expired": change.expired,
        "sequence": change.sequence,
    }


def _sentence(change: ItemChange) -> str:
    """One line: when, what, which item, and what is different."""
    from gotgan.store.data.item_json import readable_item

    keys, old, new = (readable_item(each or {}) for each in (change.keys, change.old, change.new))
    parts = [f"{name}={_text(value)}" for name, value in keys.items()]
    if change.old is not None and change.new is not None:
        parts += _differences(old, new)
    else:
        image = new if change.old is None else old
        parts += [f"{name}={_text(image[name])}" for name in sorted(image.keys() - keys.keys())]
    if change.expired:
        parts.append(tr("(expired)"))
    return "  ".join([time_text(change.at, seconds=True), f"{change.event:6}", *parts])


def _differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    found = []
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            found.append(f"-{safe_text(name)}")
        elif name not in old:
            found.append(f"+{safe_text(name)}={_text(new[name])}")
        elif old[name] != new[name]:
            found.append(f"{safe_text(name)}: {_text(old[name])} → {_text(new[name])}")
    return found


def _text(value: Any) -> str:
    from gotgan.plain_json import to_json

    return safe_text(value if isinstance(value, str) else to_json(value).decode())
