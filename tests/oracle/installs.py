"""Where the other implementations come from: npm and PyPI, once, into a folder git ignores."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

__all__ = ["CACHE", "Unavailable", "node", "npm_package", "python_package"]

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "oracle"
_INSTALL_SECONDS = 600


class Unavailable(Exception):
    """A peer that cannot be had here, and why."""


def npm_package(package: str, entry: str) -> Path:
    """The path of ``entry`` inside an npm package, which is installed if it is missing."""
    prefix = CACHE / "node"
    path = prefix / "node_modules" / package / entry
    if not path.exists():
        prefix.mkdir(parents=True, exist_ok=True)
        _run([*_npm(), "install", "--prefix", str(prefix), "--no-audit", "--no-fund", package])
    return _present(path, package)


def python_package(requirement: str, script: str) -> Path:
    """The path of a script of a Python package, which is installed if it is missing."""
    home = CACHE / "venv"
    path = home / "bin" / script
    if not path.exists():
        if not (home / "bin" / "pip").exists():
            venv.create(home, with_pip=True)
        _run([str(home / "bin" / "pip"), "install", "--quiet", requirement])
    return _present(path, requirement)


def node() -> str:
    """The node to run JavaScript with: the system's, or the one of the development venv."""
    found = shutil.which("node") or _bundled("node")
    if found is None:
        raise Unavailable("there is no node")
    return found


def _npm() -> list[str]:
    found = shutil.which("npm") or _bundled("npm")
    if found is None:
        raise Unavailable("there is no npm")
    return [found]


def _bundled(tool: str) -> str | None:
    path = Path(sys.executable).parent / tool
    return str(path) if os.access(path, os.X_OK) else None


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(str(error)) from error
    if done.returncode:
        raise Unavailable(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")


def _present(path: Path, package: str) -> Path:
    if not path.exists():
        raise Unavailable(f"{package} was installed without {path.name}")
    return path
