"""Who imports whom, and what an import costs."""

from __future__ import annotations

import graphlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

from gotgan.cli.commands import COMMANDS
from scripts.reference import modules
from tests.house.repository import ROOT

WATCH_IMPORTS = Path(__file__).with_name("watch_imports.py")
HEAVY = {"asyncio", "boto3", "botocore", "httptools", "orjson", "sqlite3", "ssl", "uvicorn"}
WORKING = {  # what does the work, and what it needs for it
    "aiohttp",
    "fastapi",
    "gotgan.api",
    "gotgan.app",
    "gotgan.domains.shops.adoption",
    "gotgan.domains.shops.crawl",
    "gotgan.domains.shops.scrape",
    "gotgan.encoding",
    "gotgan.fetch",
    "gotgan.sql",
    "gotgan.store.engine.engine",
    "gotgan.store.engine.catalog",
    "gotgan.store.store",
    "httpx",
    "jinja2",
    "lxml",
    "numpy",
    "requests",
    "selectolax",
    "sqlalchemy",
    "talib",
    "tldextract",
    "trafilatura",
    "yarl",
}
STILL_LOADED = {"site": {"gotgan.store.store"}}  # by the default of an option of adopt
ASK_FOR_HELP = """
import sys
from click import Context
from click.shell_completion import ShellComplete
from gotgan.cli import main
from gotgan.cli.commands import LazyGroup, root

group = root.get_command(Context(root), sys.argv[1])
names = [""]
if isinstance(group, LazyGroup):
    names += [name for name, _, _ in group.every_command()]
completion = ShellComplete(root, {}, "gotgan", "_GOTGAN_COMPLETE")
assert completion.get_completions([], sys.argv[1])
for name in names:
    words = [sys.argv[1], *name.split()]
    assert main([*words, "--help"]) == 0
    assert completion.get_completions(words, "--")
print("\\n".join(sys.modules), file=sys.stderr)
"""


def test_a_layer_imports_only_what_stands_below_it() -> None:
    linter = shutil.which("lint-imports", path=Path(sys.executable).parent)
    assert linter is not None
    command = [linter, "--no-cache", "--no-logo"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = grimp.build_graph("gotgan", cache_dir=None, exclude_type_checking_imports=True)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    graphlib.TopologicalSorter(imports).prepare()


def test_nothing_happens_at_import() -> None:
    command = [sys.executable, "-B", str(WATCH_IMPORTS), *modules()]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(result.stdout) == []


@pytest.mark.parametrize(
    ("source", "deed"),
    [
        ("open('made', 'w').close()", "open"),
        ("import os; os.mkdir('made')", "os.mkdir"),
        ("import os; os.environ.get('HOME')", "environ"),
        ("import os; 'HOME' in os.environ", "environ"),
        ("import threading; threading.Thread(target=int).start()", "thread"),
        ("import socket; socket.create_server(('127.0.0.1', 0))", "socket.bind"),
        ("import sqlite3; sqlite3.connect(':memory:')", "sqlite3.connect"),
    ],
)
def test_the_watch_sees_what_a_module_does(tmp_path: Path, source: str, deed: str) -> None:
    (tmp_path / "gotgan_suspect.py").write_text(source)
    command = [sys.executable, "-B", str(WATCH_IMPORTS), "gotgan_suspect"]
    environment = {"PYTHONPATH": str(tmp_path), "HOME": "here"}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert ["gotgan_suspect", deed] in json.loads(result.stdout)


def test_help_starts_without_the_heavy_modules() -> None:
    program = (
        "import sys; from gotgan.cli import main; main(['--help']);"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(result.stderr.split())
    assert "gotgan.cli.commands" in loaded
    assert not loaded & HEAVY
    assert not [name for name in loaded if name.startswith("gotgan.store")]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_and_completion_of_a_command_import_nothing_that_does_the_work(command: str) -> None:
    program = [sys.executable, "-c", ASK_FOR_HELP, command]
    result = subprocess.run(program, capture_output=True, text=True, check=True)
    loaded = set(result.stderr.split())
    assert COMMANDS[command].module in loaded
    working = WORKING - STILL_LOADED.get(command, set())
    assert not loaded & (HEAVY - {"orjson"} | working)


def test_the_help_of_a_day_starts_without_the_domains() -> None:
    program = (
        "import sys; from gotgan.cli import main; main(['day', 'publish', '--help']);"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(result.stderr.split())
    assert "gotgan.day.service" in loaded
    assert not [name for name in loaded if name.startswith(("gotgan.domains", "gotgan.store"))]


def test_a_server_of_the_site_alone_loads_nothing_of_the_relational_side() -> None:
    program = "import sys, gotgan.server; print('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(result.stdout.split())
    assert "gotgan.console.day.pages" in loaded
    assert not loaded & {"sqlalchemy", "numpy", "talib"}
