"""How far a load has come, in a small file, so that it can go on after it was stopped.

The file names the source's last line that was loaded; a source that has another line there is
another source, and is not gone on with.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from gotgan.errors import BadDump, UsageError
from gotgan.store.data.crashproof import write_whole
from gotgan.store.data.load_sources import LoadSource
from gotgan.store.data.load_windows import LoadPosition, Window
from gotgan.store.data.load_writers import LoadOutcome

__all__ = ["LoadCheckpoint", "LoadCounts"]

_FORMAT: Final = "gotgan-load-1"


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """What became of the lines; read is the sum of all others."""

    read: int = 0
    new: int = 0
    written: int = 0
    duplicates: int = 0
    failed: int = 0

    def after(self, window: Window, done: LoadOutcome) -> LoadCounts:
        """The counts with one window more."""
        return LoadCounts(
            self.read + window.count,
            self.new + done.new,
            self.written + done.written,
            self.duplicates + done.duplicates,
            self.failed + len(done.refused) + len(window.bad),
        )


@dataclass(frozen=True)
class LoadCheckpoint:
    """Which load it is, and how far it has come."""

    identity: str
    """Of the table."""
    overwrite: bool
    position: LoadPosition = field(default_factory=LoadPosition)
    counts: LoadCounts = field(default_factory=LoadCounts)
    last_size: int = 0
    last_hash: str = ""
    bad_bytes: int = 0
    """How long the file of bad lines was."""

    def after(self, window: Window, done: LoadOutcome, bad_bytes: int) -> LoadCheckpoint:
        """The checkpoint behind a window."""
        return LoadCheckpoint(
            self.identity,
            self.overwrite,
            window.end,
            self.counts.after(window, done),
            len(window.last),
            _hash(window.last),
            bad_bytes,
        )

    def write(self, path: Path) -> None:
        """Put it in the place of the one before."""
        write_whole(path, orjson.dumps({"format": _FORMAT, **asdict(self)}))

    def resumed(self, path: Path, source: LoadSource) -> LoadCheckpoint:
        """The checkpoint in a file, if it belongs to this load; this one where there is none."""
        if not path.exists():
            return self
        found = _read(path)
        if (found.identity, found.overwrite) != (self.identity, self.overwrite):
            raise UsageError(
                f"{path} belongs to a load into another table, or of the other kind; finish that "
                "one, or remove the file to begin again"
            )
        if not found.fits(source):
            raise BadDump(
                f"{source.name} was changed since {path} was written; remove that file to load it "
                "from the beginning"
            )
        return found

    def fits(self, source: LoadSource) -> bool:
        """Whether the source has the line that was loaded last where it was."""
        if self.position == LoadPosition():
            return True
        if self.position.part >= len(source.parts):
            return False
        part = source.parts[self.position.part]
        return _hash(part.before(self.position.offset, self.last_size)) == self.last_hash


def _hash(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _read(path: Path) -> LoadCheckpoint:
    try:
        content: dict[str, Any] = orjson.loads(path.read_bytes())
        if content.pop("format") != _FORMAT:
            raise ValueError("another format")  # noqa: TRY301 - one sentence for all of it
        position, counts = (
            LoadPosition(**content.pop("position")),
            LoadCounts(**content.pop("counts")),
        )
        return LoadCheckpoint(**content, position=position, counts=counts)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadDump(
            f"{path} is not the progress of a load; remove it to load from the beginning"
        ) from None
