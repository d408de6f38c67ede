"""Commands of videos that are written by hand: they wait, ask, read files, or stream."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import click

from gotgan.cli import messages
from gotgan.cli.app import open_app
from gotgan.cli.binder import parse_arguments, run_verb, verb_command
from gotgan.cli.output import ExitCode, Output, json_document
from gotgan.cli.progress import status_line
from gotgan.cli.reader import tr
from gotgan.cli.table import safe_text
from gotgan.domains.videos.service import Videos
from gotgan.errors import GotganError, UsageError
from gotgan.settings import Settings
from gotgan.verbs import Verb, verbs_of

if TYPE_CHECKING:
    from gotgan.domains.videos.models import VideoJob
    from gotgan.domains.videos.reports import VideoImported


_VERBS: Final = verbs_of(Videos)
_POLL_S: Final = 0.2
_STANDARD_INPUT: Final = "-"
_TITLE_WIDTH: Final = 60


# With an option that only the command line has


def _analyse(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    """Submit a job; with --wait run it, or wait for the worker that has it."""
    values = dict(given)
    if not values.pop("wait"):
        return run_verb(verb, values, output)
    from gotgan.cli.terminal.video_sheet import sheet_text
    from gotgan.encoding import encode

    settings = Settings.from_env()
    arguments = parse_arguments(verb, values, settings)
    with open_app(output, writes=True, settings=settings) as app:
        videos = app.videos
        submitted = videos.analyse(**arguments)
        if submitted.result is None:
            _wait_for_job(output, videos, submitted.job)
            submitted = videos.reload(submitted)
        job = submitted.job
        if job.status == "failed":
            message = job.error_message or messages.NO_ANALYSIS()
            output.write_error(job.error_code or "", message, retry=job.retry_after is not None)
            return ExitCode.FAILED
        sheet, now = videos.get(job.video_id, version=job.version), videos.now()
    output.write_result(sheet_text(sheet, now), encode(submitted) if output.as_json else None)
    return ExitCode.OK


def _job(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    """Show a job; with --wait when it has ended."""
    values = dict(given)
    if not values.pop("wait"):
        return run_verb(verb, values, output)
    from gotgan.cli.terminal import videos as terminal
    from gotgan.encoding import encode

    settings = Settings.from_env()
    arguments = parse_arguments(verb, values, settings)
    with open_app(output, writes=True, settings=settings) as app:
        job = app.videos.job(**arguments)
        if job.is_open:
            job = _wait_for_job(output, app.videos, job)
    output.write_result(terminal.job(job), encode(job) if output.as_json else None)
    return ExitCode.FAILED if job.status == "failed" else ExitCode.OK


def _delete(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    from gotgan.domains.videos.keys import parse_video_id

    values = dict(given)
    is_sure, video_id = values.pop("yes"), parse_video_id(given["video"])
    if not is_sure:
        question = tr("Delete {video}, its comments, results and jobs?", video=video_id)
        click.confirm(question, abort=True, err=True)
    return run_verb(verb, values, output)


def _flag(name: str, text: str) -> click.Option:
    return click.Option([f"--{name}"], is_flag=True, help=text)


def _get(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    """Show a video; with --shape only its result, as programs read it."""
    values = dict(given)
    shape = values.pop("shape")
    if shape is None:
        return run_verb(verb, values, output)
    from gotgan.domains.videos.documents import with_cache_hit
    from gotgan.domains.videos.reports import contract_result

    settings = Settings.from_env()
    arguments = parse_arguments(verb, values, settings)
    with open_app(output, settings=settings) as app:
        sheet = app.videos.get(**arguments)
    result = sheet.expect_result()
    if shape == "1":
        document = contract_result(result, cache_hit=sheet.is_fresh)
    else:
        document = with_cache_hit(result.document, hit=sheet.is_fresh)
    output.write_result(json_document(document).rstrip(), document)
    return ExitCode.OK


analyse = verb_command(
    _VERBS["analyse"],
    run=_analyse,
    options=[_flag("wait", "Run it now, or wait for its worker, then show the analysis.")],
)
job = verb_command(
    _VERBS["job"],
    run=_job,
    options=[_flag("wait", "Run it now, or wait for its worker. Exit 1 if it failed.")],
)
get = verb_command(
    _VERBS["get"],
    run=_get,
    options=[
        click.Option(
            ["--shape"],
            type=click.Choice(["1", "2"]),
            help="Print only the result, as JSON: 1 for the /api/analysis contract, 2 for all "
            "fields.",
        )
    ],
)
delete = verb_command(_VERBS["delete"], run=_delete, options=[_flag("yes", "Do not ask.")])


def _wait_for_job(output: Output, videos: Videos, job: VideoJob) -> VideoJob:
    with status_line(output) as show, _job_progress(videos, job, show):
        return videos.wait(job.job_id)


@contextlib.contextmanager
def _job_progress(videos: Videos, job: VideoJob, show: Callable[[str], None]) -> Iterator[None]:
    from gotgan.cli.terminal.video_sheet import job_line

    done = threading.Event()

    def watch() -> None:
        while not done.wait(_POLL_S):
            with contextlib.suppress(GotganError):  # the next look may find the database
                show(job_line(videos.job(job.job_id)))

    show(f"{job.video_id}: {tr('starting')}")
    thread = threading.Thread(target=watch, name="gotgan-videos-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


# Files


@click.command("import")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True),
    metavar="FILE...",
)
@click.option("--video", metavar="VIDEO", help="Video of files that do not name one: ID or URL.")
@click.pass_obj
def import_files(output: Output, *, files: Sequence[str], video: str | None) -> None:
    """Import videos and comments from files, without a YouTube key.

    Reads saved YouTube API responses, yt-dlp's .info.json, the JSON of youtube-comment-downloader
    (with --video), or a table with the columns video_id and text. - is standard input. All files
    are checked before anything is stored.
    """
    from gotgan.encoding import encode

    with open_app(output, writes=True) as app, status_line(output) as show:
        imported = app.videos.import_files(_read_files(files, show), video=video)
    output.write("\n".join(map(safe_text, _import_lines(imported))), items=encode(imported))


def _read_files(files: Sequence[str], show: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """One file after the other, so that only one is in memory."""
    for number, name in enumerate(files, 1):
        show(f"{number}/{len(files)}  {name}")
        if name == _STANDARD_INPUT:
            yield tr("standard input"), _read_limited(sys.stdin.buffer)
        else:
            yield name, _file_content(Path(name))


def _file_content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return _read_limited(file)
    except OSError as error:
        raise UsageError(messages.CANNOT_READ(path=path, cause=error.strerror)) from error


def _read_limited(file: BinaryIO) -> bytes:
    """Its content, or as much as is needed to see that it is too large."""
    from gotgan.domains.videos.sources.upload import MAX_FILE_BYTES

    return file.read(MAX_FILE_BYTES + 1)


def _import_lines(imported: Sequence[VideoImported]) -> list[str]:
    from gotgan.cli.terminal.video_sheet import one_line

    lines = [
        f"{each.video_id}  {tr('{count:comment|comments}', count=each.comments)}  "
        f"{one_line(each.title, _TITLE_WIDTH)}"
        for each in imported
    ]
    after = f"gotgan videos analyse {imported[0].video_id} --wait   # {tr('analyses it')}"
    return [*(line.rstrip() for line in lines), "", after]


# A worker process


@click.command("work")
@click.option("--once", is_flag=True, help="Run what is due now, and exit.")
@click.option(
    "--at-once",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Jobs to run in parallel.",
)
@click.pass_obj
def work(output: Output, *, once: bool, at_once: int) -> None:
    """Run queued jobs until you stop it.

    Several processes can run in parallel; each job is run by one of them. Ctrl-C stops the worker
    and releases its jobs. GOTGAN_LOG=info logs every finished job.
    """
    with open_app(output, writes=True) as app:
        videos = app.videos
        if once:
            made = _drain(videos, at_once)
            text = tr("made {count:attempt|attempts}; nothing more is due", count=made)
            output.write(text, attempts=made)
            return
        text = tr("Waiting for jobs; up to {count} run at a time. Ctrl-C stops it.", count=at_once)
        output.write(text, event="working", atOnce=at_once)
        with contextlib.suppress(KeyboardInterrupt), videos.workers(at_once):
            threading.Event().wait()  # Ctrl-C is the way to stop it, not a failure


def _drain(videos: Videos, at_once: int) -> int:
    """Run all that is due; return the number of attempts."""
    with ThreadPoolExecutor(at_once) as pool:
        working = [pool.submit(videos.work) for _ in range(at_once)]
        try:
            return sum(each.result() for each in working)
        except KeyboardInterrupt:
            videos.close()  # so that attempts release their jobs; the pool waits for them
            raise
