"""``gotgan up``: the console and the API on one address, and the schedule in the background."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import click

from gotgan.cli.app import open_app
from gotgan.cli.options import host_option, port_option
from gotgan.cli.output import Output
from gotgan.cli.reader import domain_title, tr
from gotgan.cli.table import padded
from gotgan.errors import GotganError

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.domain import SetupStep


@click.command("up")
@host_option
@port_option(8080)
@click.option(
    "--no-schedule",
    is_flag=True,
    help="Do not run scheduled jobs.",
)
@click.pass_obj
def command(output: Output, *, host: str, port: int, no_schedule: bool) -> None:
    """Serve the console and the API.

    On an address that only this machine can reach, prints a link that signs you in. In the
    background it runs scheduled jobs (see gotgan schedule) and video jobs. Missing settings are
    listed in one line per domain; gotgan setup explains them.
    """
    with open_app(output, writes=True) as app, app.recent.listening():
        serve_app(output, app, host, port, None if no_schedule else app.scheduler())


class BackgroundWork(Protocol):
    """What runs while an app is served."""

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """Stop it, whether it was started or not."""


def serve_app(
    output: Output,
    app: App,
    host: str,
    port: int,
    background: BackgroundWork | None,
    *,
    or_any: bool = False,
) -> None:
    """Serve until a signal, run video jobs, and keep the index of the search.

    ``or_any`` takes another port if need be.
    """
    from gotgan.listener import serve
    from gotgan.server import create_server, server_names
    from gotgan.sockets import is_loopback

    workers, updater = app.videos.workers(), app.search_updater()

    def start(url: str) -> None:
        _announce(output, app, url, port, is_local=is_loopback(host))
        print_missing_setup(output, app, url)
        workers.start()  # only now: where the server cannot listen, nothing is started
        updater.start()
        if background is not None:
            background.start()

    with contextlib.ExitStack() as stack:
        stack.callback(workers.stop)
        stack.callback(updater.stop)
        if background is not None:
            stack.callback(background.stop)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # the way to stop it
        server = create_server(app, hosts=server_names(app.settings, host))
        serve(server, host, port, or_any=or_any, on_listening=start)


def _announce(output: Output, app: App, url: str, port: int, *, is_local: bool) -> None:
    sign_in, link = _sign_in_text(app, url, is_local=is_local)
    is_other = port not in {0, urlsplit(url).port}
    taken = tr("Port {port} is taken, so another one is used.", port=str(port))
    name = tr("The demo") if app.is_demo else tr("Gotgan")
    text = tr(
        "{name} is up at {url}, and its API at {url}/v1. Ctrl-C stops it.", name=name, url=url
    )
    text = f"{taken}\n{text}" if is_other else text
    fields = {"event": "listening", "url": url, "sign_in": link, "is_demo": app.is_demo}
    output.write(f"{text}\n\n{sign_in}", **fields)


def _sign_in_text(app: App, url: str, *, is_local: bool) -> tuple[str, str | None]:
    """How to sign in, and the link if there is one; the app is served without it as well."""
    try:
        owner = app.site.users.owner()
        code = app.site.tokens.sign_in_code(owner.id) if is_local else None
    except GotganError as error:
        return tr("You cannot sign in yet: {why}.", why=error.message), None
    if code is None:
        command = f"gotgan site tokens create --user-id {owner.id} --role admin"
        return tr("Sign in with a token: {command}", command=command), None
    link = f"{url}/sign-in?code={code}"
    return f"{tr('Sign in as {user}, once, within 15 minutes:', user=owner.id)}\n  {link}", link


def print_missing_setup(output: Output, app: App, url: str) -> None:
    """Name the domains that are not set up; nothing if all of them are."""
    from gotgan.encoding import encode

    place = f"{url}/setup"
    try:
        steps = app.operations.setup().missing
    except GotganError as error:  # the app is served all the same
        text = tr("Cannot check the setup: {why}.", why=error.message)
        output.write(f"\n{text}", event="setup.unknown", url=place, reason=error.message)
        return
    if steps:
        head = tr("Not set up yet; {url} and gotgan setup say how:", url=place)
        text = "\n".join(["", head, *_missing_lines(steps)])
        output.write(text, event="setup.missing", url=place, steps=encode(steps))


def _missing_lines(steps: Iterable[SetupStep]) -> Iterator[str]:
    for domain, few in groupby(steps, key=lambda step: step.domain):
        names = [
            f"{tr(step.name)} ({', '.join(step.variables)})" if step.variables else tr(step.name)
            for step in few
        ]
        yield f"  {padded(domain_title(domain), 7)} {', '.join(names)}"
