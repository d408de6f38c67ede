"""Templates and static files: nothing inline, nothing from elsewhere, nothing changed."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

import gotgan.console
from gotgan.console.frame import CHARTS
from gotgan.console.render import environment, static_url
from tests.each import each
from tests.house.repository import relative

CONSOLE = Path(gotgan.console.__file__).parent
STATIC = CONSOLE / "static"
VENDOR = STATIC / "vendor"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
TEMPLATES = sorted(CONSOLE.joinpath("templates").rglob("*.html"))
OWN = [path for path in STATIC.iterdir() if path.is_file()]
FOREIGN = re.compile(r"(?i)(?<!xmlns=[\"'])\b(?:https?:)?//[\w-]+\.")


class Inline(HTMLParser):
    """Finds what the content policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(f"<{tag}>")
        self.found += [
            name for name in names if name == "style" or name.startswith(("on", "hx-on"))
        ]
        self.found += [value for _, value in attrs if value and value.startswith("javascript:")]


def _inline(source: str) -> list[str]:
    parser = Inline()
    parser.feed(re.sub(r"{%.*?%}|{#.*?#}", " ", source, flags=re.DOTALL))
    return parser.found


@each("path", TEMPLATES, relative)
def test_a_template_has_nothing_inline(path: Path) -> None:
    assert _inline(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "<style>p {}</style>",
        "<script>1</script>",
        '<p style="color: red">',
        '<p onclick="x()">',
        '{% if x %}<p hx-on:click="x()">{% endif %}',
        '<a href="javascript:x()">',
    ],
)
def test_what_is_inline_is_found(source: str) -> None:
    assert _inline(source) != []


@each("path", [*TEMPLATES, *OWN], relative)
def test_a_file_refers_to_nothing_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert FOREIGN.findall(text) == []


@each("path", TEMPLATES, relative)
def test_a_template_can_be_read(path: Path) -> None:
    environment().get_template(path.relative_to(CONSOLE / "templates").as_posix())


@each("path", TEMPLATES, relative)
def test_every_form_that_writes_carries_the_mark_of_its_session(path: Path) -> None:
    forms = re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(), re.DOTALL)
    door = path.name == "sign_in.html"
    assert [form for form in forms if ("csrf_field()" in form) is door] == []


def test_every_vendored_file_is_in_the_manifest_with_its_licence() -> None:
    kinds = ("licence_file", "notice_file")
    texts = {entry[kind] for entry in MANIFEST.values() for kind in kinds if kind in entry}
    assert {path.name for path in VENDOR.iterdir()} == {*MANIFEST, *texts, "manifest.json"}


def test_a_page_with_a_chart_names_the_makers_of_its_script() -> None:
    [library] = [entry for entry in MANIFEST.values() if "notice_file" in entry]
    notice = VENDOR.joinpath(library["notice_file"]).read_text(encoding="utf-8")
    assert CHARTS.script in {f"vendor/{name}" for name in MANIFEST}
    assert {CHARTS.name, CHARTS.site} <= {*notice.splitlines(), *notice.split()}
    assert CHARTS.notice.removeprefix("Copyright (c) ") in notice


@each("name", MANIFEST)
def test_a_vendored_file_is_what_its_makers_published(name: str) -> None:
    entry = MANIFEST[name]
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == entry["sha256"]
    assert entry["version"] in name
    assert entry["version"] in entry["licence_file"]


def test_a_file_with_its_hash_in_the_address_is_kept_for_ever(client: httpx.Client) -> None:
    answer = client.get(static_url("gotgan.css"))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("query", ["", "?v=0123456789abcdef"])
def test_a_file_without_its_hash_is_asked_for_again(client: httpx.Client, query: str) -> None:
    assert client.get(f"/static/gotgan.css{query}").headers["cache-control"] == "no-cache"


def test_the_pages_refer_to_files_that_are_there(client: httpx.Client) -> None:
    links = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").text)
    assert len(set(links)) == 4
    kept = [client.get(link).headers["cache-control"] for link in set(links)]
    assert all("immutable" in each for each in kept)


def test_the_scripts_of_a_page_are_packed_for_those_who_unpack_them(client: httpx.Client) -> None:
    scripts = re.findall(r'<script[^>]+src="([^"]+)"', client.get("/").text)
    packed = [client.get(path, headers={"Accept-Encoding": "gzip"}) for path in scripts]
    plain = [client.get(path, headers={"Accept-Encoding": "identity"}) for path in scripts]
    assert [each.text for each in packed] == [each.text for each in plain]
    assert {each.headers.get("content-encoding") for each in packed} == {"gzip"}
    assert {each.headers.get("content-encoding") for each in plain} == {None}
    assert {each.headers["vary"] for each in packed + plain} == {"Accept-Encoding"}
    assert {each.headers["content-type"] for each in packed} == {plain[0].headers["content-type"]}
    assert sum(int(each.headers["content-length"]) for each in packed) <= 25_000


@pytest.mark.parametrize("path", ["/static/../__init__.py", "/static/%2e%2e/__init__.py"])
def test_nothing_outside_the_folder_is_served(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404
