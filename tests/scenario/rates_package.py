"""The domain of examples/gotgan-rates, found by its entry point as that of an installed package."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from gotgan.api import binder
from gotgan.domain import domains
from tests.house.repository import ROOT

__all__ = ["EXAMPLE", "environment", "installed", "write_metadata"]

EXAMPLE = ROOT / "examples" / "gotgan-rates"
OWN = "gotgan."


def write_metadata(folder: Path, project: Path = EXAMPLE / "pyproject.toml") -> Path:
    """What an installer writes beside a package, from its pyproject.toml."""
    stated = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    name, version = stated["name"], stated["version"]
    place = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = stated["entry-points"].items()
    lines = [
        line
        for group, points in groups
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    (place / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


@contextmanager
def installed(*folders: Path) -> Iterator[None]:
    """Let this process find packages in these folders, and forget them afterwards."""
    before, loaded = list(sys.path), set(sys.modules)
    sys.path[:0] = [str(each) for each in folders]
    _forget()
    try:
        yield
    finally:
        sys.path[:] = before
        for name in set(sys.modules) - loaded:
            if name.split(".")[0] == "gotgan_rates":
                del sys.modules[name]
        _forget()


def environment(*folders: Path, **given: str) -> dict[str, str]:
    """The environment of a program that finds packages in these folders."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GOTGAN_")}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, folders)), **given}


def _forget() -> None:
    """Clear what modules remember of the registry, and what Python does of its packages."""
    invalidate_caches()
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "gotgan":
            for value in list(vars(module).values()):
                if isinstance(value, type(domains)):
                    value.cache_clear()
    bound = binder._VERBS  # noqa: SLF001 - the routes of servers that were made meanwhile
    for name in [key for key, verb in bound.items() if not verb.owner.__module__.startswith(OWN)]:
        del bound[name]
