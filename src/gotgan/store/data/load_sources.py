"""What can be loaded: a file of lines, a dump, an export of AWS, or a stream.

Whatever it is, it is read line by line, and a line knows where it stands.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import orjson

from gotgan.errors import BadDump, UsageError
from gotgan.store.data.dump_manifest import MANIFEST, DumpManifest, Layout
from gotgan.store.data.wire_json import LONGEST_LINE
from gotgan.store.tables import KeyAttribute

__all__ = ["LoadSource", "SourceLine", "SourcePart", "source_at", "stream_source"]

_SUMMARY: Final = "manifest-summary.json"
_FILES: Final = "manifest-files.json"
_GZIP: Final = b"\x1f\x8b"
_Readable: TypeAlias = io.BufferedReader | gzip.GzipFile


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line, where it stands, and where the next one begins."""

    raw: bytes
    file: str
    number: int
    """Counted from 1."""
    end: int
    """In bytes of the text, as it is without compression."""

    @property
    def place(self) -> str:
        """Where a person finds the line."""
        return f"line {self.number:,} of {self.file}"


@dataclass(frozen=True)
class SourcePart:
    """One file, or a stream that can be read only once."""

    name: str
    path: Path | None
    items: int | None = None
    """How many it must have, where a manifest says so."""
    stream: io.BufferedReader[Any] | None = None

    def lines(self, offset: int = 0, number: int = 0) -> Iterator[SourceLine]:
        """The lines behind an offset, before which there are so many."""
        try:
            with self._opened() as file:
                if offset:
                    file.seek(offset)
                yield from self._read(file, offset, number)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise BadDump(f"{self.name} is a damaged gzip file ({error})") from None

    def before(self, offset: int, size: int) -> bytes:
        """So many bytes before an offset; fewer where the file has not so many."""
        with self._opened() as file:
            file.seek(offset - size)
            return file.read(size)

    @contextmanager
    def _opened(self) -> Iterator[_Readable]:
        if self.path is None:
            yield _unpacked(cast("io.BufferedReader[Any]", self.stream))
            return
        with self.path.open("rb") as file:
            yield _unpacked(file)

    def _read(self, file: _Readable, offset: int, number: int) -> Iterator[SourceLine]:
        while raw := file.readline(LONGEST_LINE + 1):
            number, offset = number + 1, offset + len(raw)
            line = SourceLine(raw, self.name, number, offset)
            if len(raw) > LONGEST_LINE:
                raise BadDump(f"{line.place} has more than {LONGEST_LINE:,} bytes: it is no item")
            yield line


def _unpacked(file: io.BufferedReader[Any]) -> _Readable:
    """The text of a file, whether it is compressed or not: JSON never begins as gzip does."""
    return gzip.GzipFile(fileobj=file) if file.peek(2).startswith(_GZIP) else file


@dataclass(frozen=True)
class LoadSource:
    """What is to be loaded, in its order."""

    name: str
    parts: tuple[SourcePart, ...]
    keys: tuple[KeyAttribute, ...] | None = None
    """The keys of the table that it was dumped from, where that is known."""


def stream_source(stream: io.BufferedReader[Any], name: str = "standard input") -> LoadSource:
    """A stream, such as standard input: read once, in one go."""
    return LoadSource(name, (SourcePart(name, None, stream=stream),))


def source_at(path: Path) -> LoadSource:
    """A file of lines, the folder of a dump, or the folder of an export of AWS."""
    if not path.exists():
        raise UsageError(f"there is no {path} to load")
    if Layout.at(path).manifest.exists():
        return _dump_source(Layout.at(path))
    if path.is_file():
        return LoadSource(path.name, (SourcePart(path.name, path),))
    if (path / _FILES).exists():
        return _export_source(path)
    raise UsageError(
        f"{path} holds neither {MANIFEST} nor {_FILES}; name a file of lines, the folder of a "
        "dump, or the folder of an export that has its manifests in it"
    )


def _dump_source(layout: Layout) -> LoadSource:
    manifest = DumpManifest.read(layout.manifest)
    if not manifest.done:
        raise BadDump(
            f"the dump in {layout.target} is not complete; run gotgan tables dump {manifest.table} "
            f"{layout.target} to finish it"
        )
    folder = layout.manifest.parent
    parts = [_part(folder, part.file, part.items) for part in manifest.parts]
    return LoadSource(layout.target.name, tuple(parts), manifest.keys)


def _export_source(folder: Path) -> LoadSource:
    _check_summary(folder / _SUMMARY)
    entries = [_json(folder / _FILES, line) for line in _lines_of_text(folder / _FILES)]
    parts = [
        _part(folder, f"data/{Path(str(entry.get('dataFileS3Key'))).name}", entry.get("itemCount"))
        for entry in entries
    ]
    return LoadSource(folder.name, tuple(parts))


def _check_summary(path: Path) -> None:
    """Refuse what has another meaning or another format than whole items as JSON."""
    if not path.exists():
        raise BadDump(f"the export lacks {path.name}; fetch it too, it says what the export is")
    summary = _json(path, path.read_bytes())
    if summary.get("outputFormat") != "DYNAMODB_JSON":
        raise BadDump(
            f"the export is in {summary.get('outputFormat')}; export it again as DYNAMODB_JSON"
        )
    if summary.get("exportType", "FULL_EXPORT") != "FULL_EXPORT":
        raise BadDump(
            "the export holds changes and not whole items; only full exports can be loaded"
        )


def _lines_of_text(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines() if line.strip()]


def _json(path: Path, content: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise BadDump(f"{path} is not JSON ({error})") from None
    if not isinstance(parsed, dict):
        raise BadDump(f"{path} is not a manifest of an export")
    return parsed


def _part(folder: Path, name: str, items: int | None) -> SourcePart:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadDump(f"the manifest in {folder} names a file outside of it: {name}")
    if not path.is_file():
        raise BadDump(f"{path} is missing, but the manifest names it")
    return SourcePart(name, path, items)
