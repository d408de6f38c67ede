"""``gotgan up``: the console and the API on one address, and the timetable at work."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.cli.up_sample import fill_sample, sample_note, sample_settings
from gotgan.errors import GotganError

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.scheduler import Scheduler

__all__ = ["command"]

_LISTENING: Final = """\
Gotgan is up at {url}, and its API at {url}/v1. Ctrl-C stops it."""
_SIGN_IN: Final = """\
Sign in as {user}, once, within 15 minutes:
  {link}"""
_ELSEWHERE: Final = """\
Sign in with a token: gotgan site token create --user {user} --role admin"""


@click.command("up")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="The port to listen on; 0 takes any free one.",
)
@click.option(
    "--sample",
    is_flag=True,
    help="Show it at work: a small site and a simulated web, in a folder of its own.",
)
@click.option(
    "--no-schedule",
    is_flag=True,
    help="Only serve: what the timetable asks for is done elsewhere, or not at all.",
)
@click.pass_obj
def command(output: Output, *, host: str, port: int, sample: bool, no_schedule: bool) -> None:
    """Serve the console and the API.

    On an address that only this machine can reach, a link is printed that signs you in. In the
    background it goes by the timetable, which gotgan schedule shows, and does jobs of videos.
    """
    with contextlib.ExitStack() as stack:
        settings = stack.enter_context(sample_settings()) if sample else None
        app = stack.enter_context(opened_app(output, prepare=True, settings=settings))
        if sample:
            fill_sample(app)
        scheduler = None if no_schedule else app.scheduler()
        _serve(output, app, scheduler, host, port, note=sample_note(app) if sample else "")


def _serve(
    output: Output, app: App, scheduler: Scheduler | None, host: str, port: int, *, note: str
) -> None:
    from gotgan.listening import is_loopback, serve
    from gotgan.server import create

    workers = app.videos.workers()

    def begin(url: str) -> None:
        _announce(output, app, url, is_local=is_loopback(host), note=note)
        workers.start()  # only now: where nobody can listen, nothing is begun
        if scheduler is not None:
            scheduler.start()

    with contextlib.ExitStack() as stack:
        stack.callback(workers.stop)
        if scheduler is not None:
            stack.callback(scheduler.stop)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # the way to stop it
        serve(create(app), host, port, on_listening=begin)


def _announce(output: Output, app: App, url: str, *, is_local: bool, note: str) -> None:
    text, link = _way_in(app, url, is_local=is_local)
    said = "\n\n".join(filter(None, [_LISTENING.format(url=url), text, note]))
    output.say(said, event="listening", url=url, sign_in=link)


def _way_in(app: App, url: str, *, is_local: bool) -> tuple[str, str | None]:
    """How to get in, and the link where there is one; whoever cannot is served all the same."""
    try:
        owner = app.site.users.owner()
        code = app.site.tokens.sign_in_code(owner.id) if is_local else None
    except GotganError as error:
        return f"Nobody can sign in yet: {error.message}.", None
    if code is None:
        return _ELSEWHERE.format(user=owner.id), None
    link = f"{url}/sign-in?code={code}"
    return _SIGN_IN.format(user=owner.id, link=link), link
