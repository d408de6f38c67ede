"""``gotgan mcp``: the MCP server, on standard input and output or over HTTP."""

from __future__ import annotations

import contextlib
from importlib.util import find_spec

import click

from gotgan.cli import messages
from gotgan.cli.app import open_app
from gotgan.cli.options import port_option
from gotgan.cli.output import Output
from gotgan.cli.reader import tr
from gotgan.errors import SettingsError


@click.command("mcp")
@click.option("--http", is_flag=True, help="Serve streamable HTTP on this machine.")
@port_option(8081, "Port for --http. 0 picks a free port.")
@click.pass_obj
def command(output: Output, *, http: bool, port: int) -> None:
    """Serve AI assistants over MCP.

    An MCP client starts this command and talks to it over standard input and output. It is
    read-only unless GOTGAN_MCP_TOKEN is a token with a role that can write. With --http, each
    request needs a token: Authorization: Bearer <token>. docs/mcp.md shows how to set up a client.
    """
    if find_spec("mcp") is None:
        raise SettingsError(messages.NO_MCP())
    with (
        open_app(output) as app,
        app.recent.listening(),
        contextlib.suppress(KeyboardInterrupt),  # Ctrl-C is the way to stop it
    ):
        from gotgan.listener import serve
        from gotgan.mcp.server import http_app, run_stdio

        if not http:
            run_stdio(app)
            return

        def announce(url: str) -> None:
            text = tr("The MCP server is up at {url}. Ctrl-C stops it.", url=f"{url}/mcp")
            output.write(text, event="listening", url=f"{url}/mcp")

        serve(http_app(app), "127.0.0.1", port, has_lifespan=True, on_listening=announce)
