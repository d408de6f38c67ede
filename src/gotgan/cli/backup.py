"""``gotgan backup`` and ``gotgan restore``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gotgan.cli.app import read_settings
from gotgan.cli.output import Output
from gotgan.cli.progress import status_line
from gotgan.cli.reader import tr

if TYPE_CHECKING:
    from gotgan.backup import OnProgress


@click.command("backup")
@click.argument("target", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="Delete the oldest backups in TARGET until N are left. Default: delete none.",
)
@click.pass_obj
def command(output: Output, *, target: Path | None, keep: int | None) -> None:
    """Back up the data folder while Gotgan runs.

    Writes one compressed file to the folder TARGET. It holds both SQLite files and the secret, in a
    consistent state. Without TARGET, works like the daily job: writes to GOTGAN_BACKUP and keeps
    GOTGAN_BACKUP_KEEP backups. Keep backups private, because they contain the secret.
    """
    from gotgan.backup import back_up
    from gotgan.clock import utc_iso

    settings = read_settings(output)
    with status_line(output) as say:
        made = back_up(settings, target, keep=keep, on_progress=_percent(tr("Backing up"), say))
    output.write(
        "\n".join(
            [
                tr(
                    "Wrote {path} ({bytes} bytes), as of {at}.",
                    path=made.path,
                    bytes=made.bytes,
                    at=utc_iso(made.moment),
                ),
                *_file_lines(made.files.items()),
                *(tr("Not included: {what}.", what=each) for each in made.left_out),
                *(tr("Deleted old backup {name}.", name=name) for name in made.removed),
            ]
        ),
        backup=str(made.path),
        moment=utc_iso(made.moment),
        bytes=made.bytes,
        files=dict(made.files),
        notIncluded=list(made.left_out),
        deleted=list(made.removed),
    )


@click.command("restore")
@click.argument("backup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder to restore to. Default: GOTGAN_DATA.",
)
@click.pass_obj
def restore(output: Output, *, backup: Path, folder: Path | None) -> None:
    """Restore a backup to an empty folder.

    The folder is created if it does not exist. Checksums and SQLite files are verified before any
    file is restored. A backup of an older version is migrated at the next start.
    """
    from gotgan.backup import restore as restore_backup
    from gotgan.clock import utc_iso

    target = folder or read_settings(output).data
    with status_line(output) as say:
        done = restore_backup(backup, target, on_progress=_percent(tr("Restoring"), say))
    output.write(
        "\n".join(
            [
                tr("Restored {folder} as of {at}.", folder=done.folder, at=utc_iso(done.moment)),
                *_file_lines(done.files.items()),
            ]
        ),
        folder=str(done.folder),
        moment=utc_iso(done.moment),
        files=dict(done.files),
    )


def _percent(what: str, say: Callable[[str], None]) -> OnProgress:
    return lambda done, total, name: say(f"{what}: {100 * done // max(total, 1)}% ({name})")


def _file_lines(files: Iterable[tuple[str, int]]) -> list[str]:
    return [tr("  {name}  {bytes} bytes", name=name, bytes=size) for name, size in files]
