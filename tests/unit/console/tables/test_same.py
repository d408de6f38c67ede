"""The same read elsewhere, really run: Python, our command line and the AWS CLI find the same."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from gotgan.app import App
from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.console.tables.masks import MASK
from gotgan.console.tables.sheets import pattern_path
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Settings
from gotgan.store import Table
from gotgan.store.data.browse import BrowseResult
from gotgan.store.data.item_json import parse_item, readable_item
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server as serving_engine
from gotgan.store.pages import Page
from gotgan.store.patterns import AnyPattern
from tests.unit.console.tables.conftest import House, Visitor
from tests.unit.console.tables.filling import ODD, PATTERNS, arguments, fill, pk_of
from tests.unit.console.trial import sign_in
from tests.unit.store.data.test_browse import run_in_shell

SHOPS = "/tables/aura-historia-data"
SITE = "/tables/FMWebAppTable"
PAGES = {"pk": "SHOP#done.test", "op": "begins_with", "sk": "URL#"}
LOOKS = [
    (SHOPS, PAGES | {"limit": "7", "order": "newest"}),
    (SHOPS, {"index": "GSI2", "pk": "COUNTRY#DE", "op": "between", "sk": "DONE#", "to": "P"}),
    (SHOPS, PAGES | {"filters": "title=Kommode\nprice>=1", "only": "title"}),
    (SHOPS, PAGES | {"expression": "size(#t) > :n", "values": "#t=title\n:n=3"}),
    (SHOPS, {"pk": ODD["pk"]["S"], "op": "=", "sk": ODD["sk"]["S"]}),
    (SITE, {"scan": "yes", "limit": "500", "filters": "Type=User"}),
    ("/tables/news_items", {"index": "by_day", "pk": "{day}", "op": ">", "sk": "5"}),
]


@dataclass(frozen=True)
class Texts:
    """The three texts of a page."""

    python: str
    cli: str
    aws: str


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, dict[str, str]]]:
    """A house on an endpoint that every program reaches, and what tells them where it is."""
    with ExitStack() as stack:
        engine = stack.enter_context(Engine(None))
        folder = tmp_path_factory.mktemp("data")
        told = {"GOTGAN_DATA": str(folder)}
        told["GOTGAN_DYNAMODB"] = stack.enter_context(serving_engine(engine))
        app = stack.enter_context(App.open(Settings.from_env(told)))
        app.prepare()
        filled = fill(app)
        yield House(app, stack.enter_context(serve_in_thread(create_server(app))), filled), told


@pytest.fixture
def house(remote: tuple[House, dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> House:
    """The same house, in whose surroundings programs are started."""
    for name, value in remote[1].items():
        monkeypatch.setenv(name, value)
    return remote[0]


@pytest.fixture
def admin(house: House) -> Iterator[Visitor]:
    """An admin at its pages."""
    with httpx.Client(base_url=house.url, timeout=60) as client:
        sign_in(client, house.app, "a")
        yield Visitor(client)


@pytest.fixture
def browse(capsys: pytest.CaptureFixture[str]) -> Callable[[str], list[dict[str, Any]]]:
    """Give lines to our command line, and get the items that they find."""

    def run(lines: str) -> list[dict[str, Any]]:
        capsys.readouterr()
        for line in lines.splitlines():
            program, *words = shlex.split(line)
            assert program == "gotgan"
            assert main([*words, "--json"]) == ExitCode.OK
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [each["item"] for each in said if "item" in each]

    return run


def texts_of(page: str) -> Texts:
    found = re.findall(r"<h3>[^<]+</h3>\s*<pre tabindex=\"0\"><code>(.*?)</code>", page, re.DOTALL)
    return Texts(*(unescape(each) for each in found))


def run_python(text: str) -> list[Any]:
    """The keys of what a script finds."""
    names: dict[str, Any] = {}
    exec(compile(text, "<the page>", "exec"), names)  # noqa: S102 - it is what the page says
    found = names["found"] if "found" in names else names["answer"].get("Item")
    if isinstance(found, BrowseResult):
        return [pk_of(readable_item(item)) for item in found.items]
    if isinstance(found, Page):
        return [key_of(item) for item in found.items]
    if isinstance(found, dict):
        return [pk_of(readable_item(found))]
    return [] if found is None else [key_of(found)]


def key_of(entity: Any) -> tuple[Any, ...]:
    return tuple(each for each in (entity.key.pk, entity.key.sk) if each is not None)


def run_aws(lines: str) -> list[dict[str, Any]]:
    """The items that commands of the AWS CLI find."""
    answers = [run_in_shell(line) for line in lines.splitlines()]
    items = [
        item
        for answer in answers
        for item in (answer["Items"] if "Items" in answer else [answer["Item"]])
    ]
    return [readable_item(parse_item(item)) for item in items]


def bare(items: list[dict[str, Any]], like: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Items without what a page masks in those that it shows."""
    return [
        {name: value for name, value in item.items() if shown.get(name) != MASK}
        for item, shown in zip(items, like, strict=True)
    ]


@pytest.mark.parametrize(("path", "asked"), LOOKS)
def test_a_query_is_the_same_in_python_and_on_both_command_lines(
    house: House, admin: Visitor, browse: Any, path: str, asked: dict[str, str]
) -> None:
    query = urlencode({name: text.format(**house.filled.names) for name, text in asked.items()})
    texts = texts_of(admin.open(f"{path}?{query}"))
    shown = admin.file(f"{path}.json?{query}")["items"]
    assert shown
    assert run_python(texts.python) == [pk_of(item) for item in shown]
    assert bare(browse(texts.cli), shown) == bare(shown, shown)
    assert bare(run_aws(texts.aws), shown) == bare(shown, shown)


@pytest.mark.parametrize("way", [SHOPS, f"{SHOPS}/patterns/pages_of"])
def test_a_later_page_is_the_same_too(admin: Visitor, browse: Any, way: str) -> None:
    asked = {"arg.domain": "done.test"} if "patterns" in way else PAGES
    cursor = admin.file(f"{way}.json?{urlencode(asked)}")["cursor"]
    query = urlencode({**asked, "cursor": cursor})
    texts = texts_of(admin.open(f"{way}?{query}"))
    shown = admin.file(f"{way}.json?{query}")["items"]
    assert len(shown) == 10
    assert run_python(texts.python) == [pk_of(item) for item in shown]
    assert browse(texts.cli) == shown
    assert run_aws(texts.aws) == shown


@pytest.mark.parametrize(("table", "pattern"), PATTERNS)
def test_a_pattern_is_the_same_in_python_and_on_our_command_line(
    house: House, admin: Visitor, browse: Any, table: Table, pattern: AnyPattern
) -> None:
    query = urlencode(arguments(house.filled, pattern))
    path = pattern_path(table, pattern.name)
    texts = texts_of(admin.open(f"{path}?{query}"))
    shown = admin.file(f"{path}.json?{query}")["items"]
    keys = [pk_of(item) for item in shown]
    assert run_python(texts.python) == keys
    found = browse(texts.cli)
    others = [item for item in found if pk_of(item) not in keys]
    assert bool(others) == (pattern.name == "category_with_posts")  # its drafts are of another kind
    assert bare([item for item in found if item not in others], shown) == bare(shown, shown)


@pytest.mark.parametrize("name", ["shop", "shops_to_scrape", "admins"])
def test_a_pattern_is_the_same_with_the_aws_cli(house: House, admin: Visitor, name: str) -> None:
    table, pattern = next(each for each in PATTERNS if each[1].name == name)
    query = urlencode(arguments(house.filled, pattern))
    path = pattern_path(table, name)
    texts = texts_of(admin.open(f"{path}?{query}"))
    shown = admin.file(f"{path}.json?{query}")["items"]
    assert shown
    assert run_aws(texts.aws) == shown


@pytest.mark.parametrize(
    ("path", "pk", "sk"),
    [(SHOPS, "SHOP#done.test", "META#"), (SHOPS, ODD["pk"]["S"], ODD["sk"]["S"])],
)
def test_an_item_is_the_same_everywhere(
    admin: Visitor, browse: Any, path: str, pk: str, sk: str
) -> None:
    query = urlencode({"pk": pk, "sk": sk})
    texts = texts_of(admin.open(f"{path}/item?{query}"))
    shown = admin.file(f"{path}/item.json?{query}")["item"]
    assert run_python(texts.python) == [(pk, sk)]
    assert browse(texts.cli) == [shown]
    assert run_aws(texts.aws) == [shown]


def test_a_script_prints_what_it_finds(admin: Visitor, capsys: pytest.CaptureFixture[str]) -> None:
    texts = texts_of(admin.open(f"{SHOPS}?{urlencode(PAGES | {'limit': '3'})}"))
    capsys.readouterr()
    run_python(texts.python)
    assert len(capsys.readouterr().out.splitlines()) == 3
