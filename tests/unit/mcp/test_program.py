"""``gotgan mcp`` as a program, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from gotgan.app import App
from gotgan.cli import main
from gotgan.domains.news.models import Story
from gotgan.settings import Settings
from tests.patience import PATIENCE
from tests.unit.mcp.asking import Answer, Asking, called

T = TypeVar("T")
STORY = {"title": "Apple holds steady", "url": "https://finance.yahoo.com/news/a-1.html"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}


@pytest.fixture
def token(tmp_path: Path) -> str:
    """A token of an editor, in a folder with one story."""
    with App.open(Settings(data=tmp_path)) as app:
        app.prepare()
        app.news.upload([Story(STORY["title"], STORY["url"])])
        user = app.site.users.create(id="kim", display_name="Kim", role="editor")
        return app.site.tokens.create(user_id=user.id, role="editor").text


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command, with pipes."""
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(
        [sys.executable, "-m", "gotgan", "mcp", *words],
        env=os.environ | {"GOTGAN_DATA": str(folder)},
        text=True,
        **pipes,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def program(folder: Path, **settings: str) -> Asking:
    """A client that starts the command."""
    environment = {"GOTGAN_DATA": str(folder), **settings}
    words = ["-m", "gotgan", "mcp"]
    return Asking(StdioServerParameters(command=sys.executable, args=words, env=environment))


# Standard input and output


@pytest.mark.usefixtures("token")
def test_a_client_starts_it_and_reads(tmp_path: Path) -> None:
    asking = program(tmp_path)
    assert {name.rpartition("_")[2] for name in asking.tools()} == {"read"}
    page = asking.call("news_read", "list").data
    assert [each["title"] for each in page["items"]] == [STORY["title"]]
    assert asking.call("news_write", "upload", stories=[STORY]).data["code"] == "forbidden"


def test_the_token_of_the_settings_is_the_role(tmp_path: Path, token: str) -> None:
    asking = program(tmp_path, GOTGAN_MCP_TOKEN=token)
    assert "news_write" in asking.tools()
    assert not asking.call("news_write", "upload", stories=[STORY]).is_error


@pytest.mark.usefixtures("token")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_well_while_it_waits_for_input(tmp_path: Path, number: int) -> None:
    with running(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(HELLO)}\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["result"]["serverInfo"]["name"] == "gotgan"
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0
        assert process.stdout.read() == ""
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_standard_output_has_only_the_protocol(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        output, _ = process.communicate(f"no JSON\n{json.dumps(HELLO)}\n", timeout=PATIENCE)
        assert process.returncode == 0
    assert [json.loads(line)["jsonrpc"] for line in output.splitlines()] == ["2.0"] * len(
        output.splitlines()
    )
    assert '"serverInfo"' in output


# HTTP


@contextmanager
def listening(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command on a free port, and its URL."""
    with running(folder, "--http", "--port", "0", "--json") as process:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())["url"]


@dataclass(frozen=True)
class OverHttp:
    """A client over HTTP, with a token or without one."""

    url: str
    token: str | None
    mode: str

    def tools(self) -> str:
        """The names of the tools, or why there are none."""

        async def listed(client: Client) -> str:
            try:
                return " ".join(each.name for each in (await client.list_tools()).tools)
            except MCPError as error:
                return error.message

        return asyncio.run(self._asked(listed))

    def call(self, tool: str, verb: str, **arguments: Any) -> Answer:
        """Call a verb of a tool."""
        return asyncio.run(self._asked(lambda client: called(client, tool, verb, **arguments)))

    async def _asked(self, work: Callable[[Client], Awaitable[T]]) -> T:
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as web,
            Client(streamable_http_client(self.url, http_client=web), mode=self.mode) as client,
        ):
            return await work(client)


def test_over_http_a_request_without_a_token_reads_what_is_public(
    tmp_path: Path, token: str
) -> None:
    with listening(tmp_path) as (process, url):
        for mode in ("auto", "legacy"):
            editor = OverHttp(url, token, mode)
            assert "news_write" in editor.tools()
            page = editor.call("news_read", "list").data
            assert [each["title"] for each in page["items"]] == [STORY["title"]]
            assert not editor.call("news_write", "upload", stories=[STORY]).is_error
            for text, why, seen in (
                (None, "Send a token", "site_read"),  # what the public may read
                ("gotgan.kim.x.y", "token is wrong", "token is wrong"),
            ):
                stranger = OverHttp(url, text, mode)
                assert seen in stranger.tools()
                assert "news" not in stranger.tools()
                answer = stranger.call("news_read", "list")
                assert (answer.is_error, answer.data["code"]) == (True, "unauthenticated")
                assert why in answer.data["message"]
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0


@pytest.mark.usefixtures("token")
def test_pages_of_other_sites_do_not_reach_it(tmp_path: Path) -> None:
    accepted = {"Accept": "application/json, text/event-stream"}
    with listening(tmp_path) as (_process, url), httpx.Client(timeout=PATIENCE) as web:
        for name, headers, status in (
            ("a rebound name", {"Host": "evil.example"}, 421),
            ("a foreign page", {"Origin": "https://evil.example"}, 403),
            ("a program", {}, 200),
        ):
            answer = web.post(url, json=HELLO, headers={**accepted, **headers})
            assert answer.status_code == status, name


# The command


def test_without_the_package_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gotgan.cli.mcp.find_spec", lambda _name: None)
    assert main(["mcp"]) == 1
    assert "pip install 'gotgan[mcp]'" in capsys.readouterr().err


def test_its_help_does_not_load_the_package() -> None:
    words = "import sys; from gotgan.cli import main; main(['mcp', '--help']); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=True
    )
    assert "GOTGAN_MCP_TOKEN" in loaded.stdout
    modules = set(loaded.stdout.splitlines()[-1].split())
    assert not {"mcp", "starlette", "gotgan.mcp.server"} & modules
