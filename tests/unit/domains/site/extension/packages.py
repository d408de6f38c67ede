"""Packages as pip leaves them: a module, and a folder that names them and their entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.docs.blocks import blocks_of
from tests.house.repository import ROOT
from tests.patience import PATIENCE

__all__ = ["documented", "gotgan", "install", "run"]

_PAGE: Final = ROOT / "docs" / "site.md"


def documented() -> str:
    """The module that the documentation builds."""
    [module] = [each.text for each in blocks_of(_PAGE) if "class Events(" in each.text]
    return module


def install(folder: Path, source: str, *entry_points: str, package: str = "my-site") -> Path:
    """Install a package with one module into a folder of ``sys.path``."""
    name = package.replace("-", "_")
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("\n".join(["[gotgan.site]", *entry_points, ""]))
    return folder


def run(packages: Path | None, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command where these packages are installed."""
    path = "" if packages is None else str(packages)
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path, "GOTGAN_SYNCHRONOUS": "normal"} | settings,
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )


def gotgan(packages: Path | None, data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``gotgan`` on a data folder."""
    return run(packages, "-m", "gotgan", *words, GOTGAN_DATA=str(data))
