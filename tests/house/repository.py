"""What the house tests look at: the files of the repository and the modules of the package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["DOCS", "ROOT", "SOURCE", "python_files", "relative", "text_files"]

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src" / "gotgan"
DOCS: Final = ROOT / "docs"

_NOT_OURS: Final = {
    "__pycache__",
    "build",
    "dist",
    "gotgan-data",
    "gotgan-demo",
    "htmlcov",
    "node_modules",
}
_TEXT: Final = {".ini", ".json", ".md", ".py", ".sh", ".toml", ".txt", ".yaml", ".yml", ""}


def relative(path: Path) -> str:
    """The path as a reader of a failed test wants it."""
    return path.relative_to(ROOT).as_posix()


def python_files() -> list[Path]:
    """Every Python file that we wrote."""
    return [path for path in text_files() if path.suffix == ".py"]


def text_files() -> list[Path]:
    """Every text file that we wrote."""
    return sorted(path for path in _walk(ROOT) if path.suffix in _TEXT)


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_file() and path.name != ".coverage" and not path.name.startswith(".coverage."):
            yield path
        elif path.is_dir() and path.name not in _NOT_OURS and _is_shown(path):
            yield from _walk(path)


def _is_shown(folder: Path) -> bool:
    return folder.name == ".ci" or not folder.name.startswith(".")
