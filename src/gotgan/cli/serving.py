"""An app on one address, and what goes on beside it: for ``gotgan up`` and ``gotgan demo``."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

from gotgan.cli.missing import tell_missing
from gotgan.cli.output import Output
from gotgan.errors import GotganError

if TYPE_CHECKING:
    from gotgan.app import App

__all__ = ["Beside", "serve_app"]

_LISTENING: Final = """\
{name} is up at {url}, and its API at {url}/v1. Ctrl-C stops it."""
_TAKEN: Final = "Port {port} cannot be had, so another one is used.\n"
_SIGN_IN: Final = """\
Sign in as {user}, once, within 15 minutes:
  {link}"""
_ELSEWHERE: Final = """\
Sign in with a token: gotgan site tokens create --user-id {user} --role admin"""


class Beside(Protocol):
    """What goes on while an app is served."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End, whether it has begun or not."""


def serve_app(
    output: Output,
    app: App,
    host: str,
    port: int,
    beside: Beside | None,
    *,
    or_any: bool = False,
) -> None:
    """Serve until told to stop, and do jobs of videos; ``or_any`` takes another port if need be."""
    from gotgan.hosts import names_of
    from gotgan.listening import is_loopback, serve
    from gotgan.server import create

    workers = app.videos.workers()

    def begin(url: str) -> None:
        _announce(output, app, url, port, is_local=is_loopback(host))
        tell_missing(output, app, url)
        workers.start()  # only now: where nobody can listen, nothing is begun
        if beside is not None:
            beside.start()

    with contextlib.ExitStack() as stack:
        stack.callback(workers.stop)
        if beside is not None:
            stack.callback(beside.stop)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))  # the way to stop it
        server = create(app, hosts=names_of(app.settings, host))
        serve(server, host, port, or_any=or_any, on_listening=begin)


def _announce(output: Output, app: App, url: str, port: int, *, is_local: bool) -> None:
    text, link = _way_in(app, url, is_local=is_local)
    is_other = port not in {0, urlsplit(url).port}
    name = "The demo" if app.is_demo else "Gotgan"
    listening = _LISTENING.format(name=name, url=url)
    said = f"{_TAKEN.format(port=port) if is_other else ''}{listening}\n\n{text}"
    output.say(said, event="listening", url=url, sign_in=link, is_demo=app.is_demo)


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
