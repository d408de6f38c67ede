"""Every list: its filters are in the address, and JSON, CSV and a command have the same."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import click
import httpx
import pytest
from fastapi.routing import APIRoute

from gotgan.cli.commands import LazyGroup, root
from gotgan.cli.output import Output
from gotgan.console import FRAME, sections
from gotgan.console.lists import jsonl_url
from tests.unit.console.list_pages import LISTS, NO_LISTS, ListPage
from tests.unit.console.whole import filled_console

FILES = re.compile(r"\.(csv|json)$")
each_list = pytest.mark.parametrize("page", LISTS, ids=lambda page: page.route)


@pytest.fixture(scope="module")
def admin() -> Iterator[httpx.Client]:
    """An admin at pages that have something to show."""
    with filled_console() as (_, client):
        yield client


@dataclass(frozen=True)
class Line:
    """The line under a list."""

    json: str
    csv: str
    command: list[str]


def _lines(client: httpx.Client, page: ListPage) -> list[Line]:
    """The lines of a page: that of the list, and those of other parts."""
    answer = client.get(page.address)
    assert answer.status_code == 200, answer.text
    blocks = answer.text.split('<div class="elsewhere">')[1:]
    return [_line(block.partition("</div>")[0]) for block in blocks]


def _line(block: str) -> Line:
    links = {
        name: unescape(href) for href, name in re.findall(r'href="([^"]*)">([\w ]+)</a>', block)
    }
    told = [unescape(text) for text in re.findall(r"<code>(.*?)</code>", block, re.DOTALL)]
    command = next((text for text in told if text.startswith("gotgan ")), "")
    return Line(links.get("JSON", ""), links.get("CSV", ""), shlex.split(command))


def _values(address: str) -> set[str]:
    return {value for _, value in parse_qsl(urlsplit(address).query)}


def _parsed(words: list[str]) -> click.Context:
    """What a command understands of its words; it is not carried out."""
    program, *rest = words
    assert program == "gotgan"
    group: click.Command = root
    while isinstance(group, LazyGroup):
        name, *rest = rest
        found = group.get_command(click.Context(group), name)
        assert found is not None, name
        group = found
    # with the names of the root, which a command keeps from its first context on
    names = root.context_settings["help_option_names"]
    return group.make_context(program, rest, obj=Output(as_json=False), help_option_names=names)


def test_of_every_page_it_is_known_whether_it_is_a_list() -> None:
    pages = {
        route.path
        for routers in (FRAME, *sections().values())
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute) and "GET" in (route.methods or ())
        if not FILES.search(route.path)
    }
    known = {page.route for page in LISTS} | NO_LISTS.keys()
    assert (pages - known, known - pages) == (set(), set())


@each_list
def test_a_list_is_json_with_the_same_filters(admin: httpx.Client, page: ListPage) -> None:
    addresses = [line.json for line in _lines(admin, page)]
    wanted = set(page.api or page.filters.values())
    assert any(_values(address) >= wanted for address in addresses), addresses
    for address in addresses:
        assert address.startswith("/v1/")
        answer = admin.get(address)
        assert (answer.status_code, answer.json()["success"]) == (200, True), answer.text


@each_list
def test_a_list_is_a_file_with_the_same_filters(admin: httpx.Client, page: ListPage) -> None:
    addresses = [line.csv for line in _lines(admin, page)]
    assert any(_values(address) >= set(page.filters.values()) for address in addresses), addresses
    for address in addresses:
        answer = admin.get(address)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.text.startswith("\ufeff")


@each_list
def test_a_list_is_json_lines_with_the_same_records(admin: httpx.Client, page: ListPage) -> None:
    for address in [line.csv for line in _lines(admin, page)]:
        rows = list(csv.reader(io.StringIO(admin.get(address).text)))
        answer = admin.get(jsonl_url(address))
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/x-ndjson"
        records = [json.loads(line) for line in answer.text.splitlines()]
        assert len(records) == len(rows) - 1


@each_list
def test_a_list_is_a_command_with_the_same_filters(admin: httpx.Client, page: ListPage) -> None:
    commands = [line.command for line in _lines(admin, page)]
    wanted = set(page.words or page.filters.values())
    if page.no_command:
        assert [] in commands
    else:
        assert any(set(words) >= wanted for words in commands), commands
    assert all(_parsed(words).params is not None for words in commands if words)


@each_list
def test_the_filters_stay_as_they_were_set(admin: httpx.Client, page: ListPage) -> None:
    shown = admin.get(page.address).text
    for name, value in page.filters.items():
        in_a_form = re.search(rf'name="{name}"[^>]*value="{re.escape(value)}"', shown)
        chosen = re.search(rf'<option value="{re.escape(value)}" selected', shown)
        is_here = re.search(rf'[?;]{name}={re.escape(value)}[^"]*"[^>]*aria-current', shown)
        named = f">{value}<" in shown
        assert in_a_form or chosen or is_here or named, name
