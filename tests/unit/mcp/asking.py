"""A client of the MCP server: the one of the package itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from mcp import Client
from mcp.types import CallToolResult, TextContent, Tool

from tests.patience import PATIENCE

__all__ = ["Answer", "Asking", "called", "with_client"]

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """The result of a call."""

    mark: str
    text: str
    is_error: bool

    @property
    def data(self) -> Any:
        """What the JSON says."""
        return json.loads(self.text)


def with_client(server: Any, work: Callable[[Client], Awaitable[T]], mode: str = "auto") -> T:
    """What a connected client finds out; ``server`` may be a URL or a program too."""

    async def connected() -> T:
        async with Client(server, mode=mode, read_timeout_seconds=PATIENCE) as client:
            return await work(client)

    return asyncio.run(connected())


async def called(client: Client, tool: str, verb: str, **arguments: Any) -> Answer:
    """Call a verb of a tool."""
    result = await client.call_tool(tool, {"verb": verb, "arguments": arguments})
    return _answer(result)


def _answer(result: CallToolResult) -> Answer:
    assert result.structured_content is None
    mark, text = result.content
    assert isinstance(mark, TextContent)
    assert isinstance(text, TextContent)
    return Answer(mark.text, text.text, result.is_error)


@dataclass(frozen=True)
class Asking:
    """Questions to a server, each over a connection of its own."""

    server: Any
    mode: str = "auto"

    def tools(self) -> dict[str, Tool]:
        """The tools by name."""

        async def listed(client: Client) -> list[Tool]:
            return (await client.list_tools()).tools

        return {each.name: each for each in with_client(self.server, listed, self.mode)}

    def call(self, tool: str, verb: str, **arguments: Any) -> Answer:
        """Call a verb of a tool."""
        return with_client(
            self.server, lambda client: called(client, tool, verb, **arguments), self.mode
        )

    def raw(self, tool: str, arguments: Any) -> Answer:
        """Call a tool with any arguments."""

        async def sent(client: Client) -> Answer:
            return _answer(await client.call_tool(tool, arguments))

        return with_client(self.server, sent, self.mode)
