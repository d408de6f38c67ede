"""``gotgan site migrate``: the old tables into the new one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.options import moment_option
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.site_migrate_report import (
    report_fields,
    report_text,
    verification_fields,
    verification_text,
)
from gotgan.errors import UsageError
from gotgan.events import write_to
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.domains.site.migration import (
        MigrationProgress,
        MigrationReport,
        Options,
        Sources,
        Verification,
    )
    from gotgan.store import Store

__all__ = ["command"]

_PAUSE: Final = 0.2
_CLEAR: Final = "\r\x1b[K"
_WIDTH: Final = 30


@click.command("migrate")
@click.option("--posts", metavar="SOURCE", help="The old posts.")
@click.option("--categories", metavar="SOURCE", help="The old categories.")
@click.option("--corp", metavar="SOURCE", help="What the old system knew about the company.")
@click.option("--contact", metavar="SOURCE", help="The old inquiries.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing at all.")
@moment_option("--since", "Copy only what was changed from then on.")
@click.option("--corp-name", metavar="NAME", help="What the company is called.")
@click.option("--verify", is_flag=True, help="Do not copy: hold every old row beside its copy.")
@click.option("--no-verify", is_flag=True, help="Copy, and do not verify it in the end.")
@click.option("--retire", is_flag=True, help="Verify, and remove the old tables if that passed.")
@click.option("--yes", is_flag=True, help="Do not ask before old tables are removed.")
@click.pass_obj
def command(  # noqa: PLR0913 - what a person can choose about a migration
    output: Output,
    *,
    posts: str | None,
    categories: str | None,
    corp: str | None,
    contact: str | None,
    dry_run: bool,
    since: datetime | None,
    corp_name: str | None,
    verify: bool,
    no_verify: bool,
    retire: bool,
    yes: bool,
) -> ExitCode:
    """Copy old tables into the one of the site, once or again and again.

    A SOURCE is a table of the database that the settings name, a file of DynamoDB JSON or plain
    JSON, one row a line, plain or gzip, the folder of a dump, or the folder of an export that AWS
    made. A second run copies what is newer; one that was stopped goes on where it was. In the end
    every old row is held beside its copy.
    """
    from gotgan.domains.site.migration import Options, Sources

    if dry_run and (verify or retire):
        raise UsageError("--verify and --retire do not copy; leave out --dry-run")
    if no_verify and (verify or retire):
        raise UsageError("--verify and --retire verify; leave out --no-verify")
    with _opened(output) as (store, folder):
        words = {"posts": posts, "categories": categories, "corp": corp, "contact": contact}
        sources = Sources.named(store, **words)
        place = folder / "migrations"
        options = Options(place, dry_run, since, corp_name, verify=not no_verify)
        if retire:
            return _retire(output, store, sources, options, asks=not yes)
        if verify:
            return _verify(output, store, sources, options)
        return _migrate(output, store, sources, options)


@contextmanager
def _opened(output: Output) -> Iterator[tuple[Store, Path]]:
    from gotgan.store import Store

    settings = Settings.from_env()
    write_to(sys.stderr, level=settings.log, as_json=output.as_json)
    with Store.open(settings) as store:
        yield store, settings.folder()


def _migrate(output: Output, store: Store, sources: Sources, options: Options) -> ExitCode:
    from gotgan.domains.site.migration import migrate

    with _bar(output) as on_progress:
        report: MigrationReport = migrate(store, sources, options, on_progress)
    output.say(report_text(report), **report_fields(report))
    return ExitCode.OK if report.is_good else ExitCode.FAILED


def _verify(output: Output, store: Store, sources: Sources, options: Options) -> ExitCode:
    from gotgan.domains.site.migration import verify

    with _bar(output) as on_progress:
        found: Verification = verify(store, sources, options, on_progress)
    output.say(verification_text(found), **verification_fields(found))
    return ExitCode.OK if found.passed else ExitCode.FAILED


def _retire(
    output: Output, store: Store, sources: Sources, options: Options, *, asks: bool
) -> ExitCode:
    from gotgan.domains.site.migration import retire
    from gotgan.domains.site.migration.retiring import refuse_files

    names = [table.name for table in refuse_files(sources)]
    if asks:
        question = f"Verify, and then remove {', '.join(names)} for ever?"
        click.confirm(question, abort=True, err=True)
    with _bar(output) as on_progress:
        found = retire(store, sources, options, on_progress)
    text = f"{verification_text(found)}\nRemoved: {', '.join(names)}."
    output.say(text, removed=names, **verification_fields(found))
    return ExitCode.OK


class _Bar:
    """Draws how far it has come, a few times a second."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, step: MigrationProgress) -> None:
        if step.seconds < self._next:
            return
        self._next = step.seconds + _PAUSE
        click.echo(f"{_CLEAR}{_drawn(step)}", nl=False, err=True)


def _drawn(step: MigrationProgress) -> str:
    rate = step.rows / step.seconds if step.seconds else 0.0
    told = f"{step.rows:,} rows, {rate:,.0f} rows/s"
    if step.share is None:
        return f"{step.kind}: {told}"
    full = round(_WIDTH * step.share)
    return f"{step.kind} [{'#' * full}{'.' * (_WIDTH - full)}] {step.share:.0%} {told}"


@contextmanager
def _bar(output: Output) -> Iterator[Any]:
    """A bar for a person who looks on; nothing for anybody else."""
    from gotgan.domains.site.migration.options import silently

    if output.as_json or not sys.stderr.isatty():
        yield silently
        return
    try:
        yield _Bar()
    finally:
        click.echo(_CLEAR, nl=False, err=True)
