"""Build both packages and try their wheels as a user would: ``python -m scripts.release_check``.

Each wheel is installed into a new environment outside the checkout, so that a file which is missing
from it cannot be found in the source tree.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
ENGINE_ALONE: Final = ROOT / "packages" / "dynamodb"
MAX_ENGINE_BYTES: Final = 25_000_000
"""What the engine alone may take when it is installed, with its requirements."""
_IN_PROCESS_AND_OVER_HTTP: Final = """
import importlib.util, json, urllib.request
from gotgan.store.engine import Client, Engine
from gotgan.store.engine.http import background_server

assert importlib.util.find_spec("pydantic") is None, "this environment has more than the engine"
THINGS = {
    "TableName": "things",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
ITEM, KEY = {"pk": {"S": "a"}, "n": {"N": "1"}}, {"pk": {"S": "a"}}

def call(url, operation, request):
    headers = {
        "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "X-Amz-Date": "20260101T000000Z",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 Credential=any, SignedHeaders=host, Signature=any",
    }
    body = json.dumps(request).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
        return json.load(answer)

with Engine(None) as engine:
    client = Client(engine)
    client.create_table(**THINGS)
    client.put_item(TableName="things", Item=ITEM)
    assert client.get_item(TableName="things", Key=KEY)["Item"] == ITEM
with Engine(None) as engine, background_server(engine) as url:
    call(url, "CreateTable", THINGS)
    call(url, "PutItem", {"TableName": "things", "Item": ITEM})
    assert call(url, "GetItem", {"TableName": "things", "Key": KEY})["Item"] == ITEM
"""


def main() -> None:
    """Build and try both packages, and look for the version's changes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run([sys.executable, "-m", "hatchling", "build", "-d", str(folder / "dist")], ROOT)
        (wheel,) = (folder / "dist").glob("*.whl")
        venv.create(folder / "env", with_pip=True)
        programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        _run([str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)], folder)
        printed = _run([str(programs / "gotgan"), "--version"], folder).strip()
        if printed != f"gotgan {version}":
            sys.exit(f"The wheel's version is {printed!r}, pyproject.toml says {version}.")
        demo = [str(programs / "gotgan"), "demo", "--once", "--days", "1", "--json"]
        json.loads(_run(demo, folder).splitlines()[-1])
        print(f"{wheel.name} works outside the checkout.")
        _check_engine_alone(folder / "alone", version)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)}\b", changes, re.MULTILINE):
        sys.exit(f"CHANGELOG.md has no section for {version}: rename its section 'Unreleased'.")


def _check_engine_alone(folder: Path, version: str) -> None:
    """Build and install the engine alone; use it in process and over HTTP, and weigh it."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    _run(build, ENGINE_ALONE)
    (wheel,) = (folder / "dist").glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    before = _bytes_below(folder / "env")
    _run([python, "-m", "pip", "install", "--quiet", str(wheel)], folder)
    size = _bytes_below(folder / "env") - before
    if size > MAX_ENGINE_BYTES:
        sys.exit(f"{wheel.name} takes {size:,} bytes when it is installed.")
    printed = _run([str(programs / "gotgan-dynamodb"), "--version"], folder).strip()
    if printed != f"gotgan-dynamodb {version}":
        sys.exit(f"The version of the engine alone is {printed!r}, pyproject.toml says {version}.")
    _run([python, "-c", _IN_PROCESS_AND_OVER_HTTP], folder)
    print(f"{wheel.name} works alone, and takes {size / 1_000_000:.1f} MB with its requirements.")


def _bytes_below(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def _run(command: Sequence[str], folder: Path) -> str:
    """What a command prints; its failure ends the check."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(  # noqa: S603 - our own commands, in a folder of ours
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with exit code {done.returncode}.")
    return done.stdout


if __name__ == "__main__":
    main()
