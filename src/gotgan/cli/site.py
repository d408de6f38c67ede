"""``gotgan site sign-in``, ``template`` and ``migrate``: commands that no other front has."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli import messages
from gotgan.cli.app import open_app, read_settings
from gotgan.cli.format import cost_fields, count_text
from gotgan.cli.output import ExitCode, Output, json_document, write_document, yaml_document
from gotgan.cli.progress import step_line
from gotgan.cli.reader import later, rendered, tr
from gotgan.clock import parse_moment
from gotgan.errors import UsageError
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.domains.site.migration import (
        MigrationProgress,
        MigrationReport,
        Options,
        Sources,
        Verification,
    )
    from gotgan.domains.site.migration.report import DecisionCount, KindCheck, RowCounts
    from gotgan.store import Store

_BAR_WIDTH: Final = 30
_MAX_EXAMPLES: Final = 3
_COUNTS: Final = (
    "copied",
    "updated",
    "skipped",
    "orphaned",
    "conflicting",
    "failed",
    "deleted_here",
    "deleted_at_origin",
)
_FINDINGS: Final = (
    "equal",
    "newer_here",
    "deleted_here",
    "set_aside",
    "newer_at_origin",
    "conflicting",
    "missing",
    "different",
)
_AT_THE_ORIGIN: Final = {
    "deleted_at_origin": later("deleted at the origin"),
    "newer_at_origin": later("newer at the origin"),
}


@click.command("sign-in")
@click.option("--user", "user_id", help="User to sign in. Default: the first admin.")
@click.option(
    "--url", default="http://127.0.0.1:8080", show_default=True, help="URL of the console."
)
@click.pass_obj
def sign_in(output: Output, *, user_id: str | None, url: str) -> None:
    """Print a link that signs a user in.

    The link works once, within 15 minutes.
    """
    with open_app(output) as app:
        user = app.site.users.owner().id if user_id is None else user_id
        code = app.site.tokens.sign_in_code(user)
    link = f"{url.rstrip('/')}/sign-in?code={code}"
    output.write(link, user=user, link=link)


@click.command("template")
@click.option("--stream", is_flag=True, help="Enable a change stream on the table.")
@click.option(
    "--output",
    "-o",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write instead of standard output. A .json file gets JSON.",
)
@click.pass_obj
def template(output: Output, /, *, stream: bool, target: Path | None) -> None:
    """Write a deployment template for the site.

    The template has the table, the functions and their permissions; see docs/deployment.md. No
    request is sent to AWS.
    """
    from gotgan.domains.site import deployment
    from gotgan.store.tables import Names

    made = deployment.template(Names.parse(Settings.from_env().names()), stream=stream)
    text = yaml_document(made, by="gotgan site template")
    if target is None:
        output.write(text.rstrip("\n"), **made)
        return
    write_document(target, json_document(made) if target.suffix == ".json" else text)
    output.write(tr("wrote {file}", file=target), file=str(target), stream=stream)


# Migration


def _moment(text: str) -> datetime:
    try:
        return parse_moment(text, Settings.from_env().zone)
    except (OverflowError, ValueError):
        raise click.BadParameter(rendered(messages.NOT_A_MOMENT(given=repr(text)))) from None


@click.command("migrate")
@click.option("--posts", metavar="SOURCE", help="The old posts.")
@click.option("--categories", metavar="SOURCE", help="The old categories.")
@click.option("--corp", metavar="SOURCE", help="The old company record.")
@click.option("--contact", metavar="SOURCE", help="The old inquiries.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, without writing anything.")
@click.option(
    "--since",
    type=_moment,
    metavar="MOMENT",
    help="Copy only what changed since then. A MOMENT without an offset is in GOTGAN_ZONE.",
)
@click.option("--corp-name", metavar="NAME", help="Name of the company.")
@click.option(
    "--verify", is_flag=True, help="Compare every old row with its copy, without copying."
)
@click.option("--no-verify", is_flag=True, help="Copy without verifying afterwards.")
@click.option("--retire", is_flag=True, help="Verify, and delete the old tables if that succeeds.")
@click.option("--yes", is_flag=True, help="Do not ask before deleting old tables.")
@click.pass_obj
def migrate(  # noqa: PLR0913 - what a person can choose about a migration
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
    """Migrate old tables (one-off or incremental).

    A SOURCE is a table of the configured database, a file of DynamoDB JSON or plain JSON (one row
    per line, optionally gzip), a dump folder, or the folder of an AWS export. A second run copies
    what is newer; an interrupted run resumes. Finally, every old row is compared with its copy.
    """
    from gotgan.domains.site.migration import Options, Sources
    from gotgan.store import Store

    if dry_run and (verify or retire):
        raise UsageError(messages.NO_DRY_VERIFY())
    if no_verify and (verify or retire):
        raise UsageError(messages.MUST_VERIFY())
    settings = read_settings(output)
    with Store.open(settings) as store:
        place = settings.folder() / "migrations"
        words = {"posts": posts, "categories": categories, "corp": corp, "contact": contact}
        sources = Sources.named(store, **words)
        options = Options(place, dry_run, since, corp_name, verify=not no_verify)
        if retire:
            return _retire(output, store, sources, options, asks=not yes)
        if verify:
            return _verify(output, store, sources, options)
        return _migrate(output, store, sources, options)


def _migrate(output: Output, store: Store, sources: Sources, options: Options) -> ExitCode:
    from gotgan.domains.site import migration

    with step_line(output, _bar_text) as on_progress:
        report: MigrationReport = migration.migrate(store, sources, options, on_progress)
    output.write(_report_text(report), **_report_fields(report))
    output.write_cost(report.cost)
    return ExitCode.OK if report.is_good else ExitCode.FAILED


def _verify(output: Output, store: Store, sources: Sources, options: Options) -> ExitCode:
    from gotgan.domains.site.migration import verify

    with step_line(output, _bar_text) as on_progress:
        found: Verification = verify(store, sources, options, on_progress)
    output.write(_verification_text(found), **_verification_fields(found))
    output.write_cost(found.cost)
    return ExitCode.OK if found.passed else ExitCode.FAILED


def _retire(
    output: Output, store: Store, sources: Sources, options: Options, *, asks: bool
) -> ExitCode:
    from gotgan.domains.site.migration import retire
    from gotgan.domains.site.migration.verification import refuse_files

    names = [table.name for table in refuse_files(sources)]
    if asks:
        question = tr("Verify, and then remove {tables:list} for ever?", tables=names)
        click.confirm(question, abort=True, err=True)
    with step_line(output, _bar_text) as on_progress:
        found = retire(store, sources, options, on_progress)
    removed = tr("Removed: {tables:list}.", tables=names)
    text = f"{_verification_text(found)}\n{removed}"
    output.write(text, removed=names, **_verification_fields(found))
    output.write_cost(found.cost)
    return ExitCode.OK


def _bar_text(step: MigrationProgress) -> str:
    rate = step.rows / step.seconds if step.seconds else 0.0
    rows = tr("{count} rows, {rate} rows/s", count=step.rows, rate=f"{rate:,.0f}")
    if step.share is None:
        return f"{step.kind}: {rows}"
    full = round(_BAR_WIDTH * step.share)
    return f"{step.kind} [{'#' * full}{'.' * (_BAR_WIDTH - full)}] {step.share:.0%} {rows}"


def _report_fields(report: MigrationReport) -> dict[str, Any]:
    verified = report.verification
    found = None if verified is None else _verification_fields(verified)
    return {**report.fields(), "verification": found, "cost": cost_fields(report.cost)}


def _verification_fields(found: Verification) -> dict[str, Any]:
    return {**found.fields(), "cost": cost_fields(found.cost)}


def _report_text(report: MigrationReport) -> str:
    """The report for people: a line for each kind, then what is on lists and what was decided."""
    done = later("{count} rows would be done") if report.dry_run else later("{count} rows done")
    head = tr(
        "{done}{before} in {seconds} s, {rate} rows/s.",
        done=tr(done, count=report.rows),
        before=tr(" ({count} of them by an earlier run)", count=report.resumed)
        if report.resumed
        else "",
        seconds=f"{report.seconds:,.1f}",
        rate=f"{report.rate:,.0f}",
    )
    kinds = [f"  {name}: {_counts_text(counts)}" for name, counts in report.tally.kinds.items()]
    lists = [_examples_text(tr(_words(name)), each) for name, each in report.tally.lists.items()]
    decided = [
        _examples_text(rendered(topic), each) for topic, each in report.tally.decisions.items()
    ]
    return "\n".join([head, *kinds, *lists, *decided, _verification_line(report)])


def _verification_line(report: MigrationReport) -> str:
    if report.verification is not None:
        return _verification_text(report.verification)
    last = report.last_verified
    if last is None:
        return tr("Not verified by this run; no verification has passed yet.")
    return tr("Not verified by this run; one last passed at {at}.", at=last["at"])


def _verification_text(found: Verification) -> str:
    """A verification for people: a line for each type, what is wrong, and what to do about it."""
    from gotgan.domains.site.migration.report import ADVICE

    text = "Verified in {seconds} s."
    if not found.passed:
        text = later("NOT verified in {seconds} s.")
    head = tr(text, seconds=f"{found.seconds:,.1f}")
    types = [f"  {name}: {_check_text(checked)}" for name, checked in found.kinds.items()]
    trouble = [
        f"{_examples_text(tr(_words(name)), each)}\n    {rendered(ADVICE[name])}"
        for name, each in found.trouble.items()
    ]
    return "\n".join([head, *types, *trouble])


def _counts_text(counts: RowCounts) -> str:
    return ", ".join([count_text(counts.read, later("read")), *_nonzero(counts, _COUNTS)])


def _check_text(checked: KindCheck) -> str:
    return tr(
        "{rows} rows, {found} found: {findings}; checksums {source} and {stored}",
        rows=checked.rows,
        found=checked.found,
        findings=", ".join(_nonzero(checked, _FINDINGS)) or tr("nothing"),
        source=f"{checked.source_sum:032x}",
        stored=f"{checked.stored_sum:032x}",
    )


def _nonzero(counts: object, names: Sequence[str]) -> list[str]:
    found = {name: getattr(counts, name) for name in names}
    return [count_text(count, _words(name)) for name, count in found.items() if count]


def _examples_text(topic: str, found: DecisionCount) -> str:
    shown = [rendered(each) for each in found.examples[:_MAX_EXAMPLES]]
    if found.count > _MAX_EXAMPLES:
        shown.append(tr("and {count} more", count=found.count - _MAX_EXAMPLES))
    return f"  {found.count:,} × {topic}: {'; '.join(shown)}"


def _words(name: str) -> str:
    return _AT_THE_ORIGIN.get(name) or name.replace("_", " ")
