"""The manifest of a dump: of which table, in which parts, and how far each of them has come.

A manifest never runs ahead of its parts: a part is on the disk before the manifest says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, cast

import orjson

from gotgan.errors import BadDump, UsageError
from gotgan.store.attributes import Item
from gotgan.store.data.crashproof import write_whole
from gotgan.store.data.wire_json import read_item_json, written
from gotgan.store.tables import KeyAttribute

__all__ = ["MANIFEST", "DumpManifest", "DumpPart", "Layout"]

MANIFEST: Final = "manifest.json"
_FORMAT: Final = "gotgan-dump-1"
_FILE_ENDINGS: Final = {".gz", ".json", ".jsonl", ".ndjson"}


@dataclass(frozen=True, slots=True)
class DumpPart:
    """One file of a dump, which one segment of the scan fills."""

    file: str
    bytes: int = 0
    """How much of the file belongs to the dump; what lies behind it is cut off."""
    items: int = 0
    next: Item | None = None
    """The key behind which the scan goes on; None is the beginning, or the end when done."""
    done: bool = False

    def grown(self, more_bytes: int, more_items: int, last: Item | None) -> DumpPart:
        """The part after another page; without a last key it is done."""
        return replace(
            self,
            bytes=self.bytes + more_bytes,
            items=self.items + more_items,
            next=last,
            done=last is None,
        )


@dataclass(frozen=True)
class DumpManifest:
    """What a dump is of, and how far it has come."""

    table: str
    identity: str
    keys: tuple[KeyAttribute, ...]
    started: str
    consistent: bool
    parts: tuple[DumpPart, ...]

    @property
    def done(self) -> bool:
        """Whether the whole table was read."""
        return all(part.done for part in self.parts)

    @property
    def items(self) -> int:
        """The lines in all parts."""
        return sum(part.items for part in self.parts)

    @property
    def bytes(self) -> int:
        """The bytes of all parts."""
        return sum(part.bytes for part in self.parts)

    def with_part(self, number: int, part: DumpPart) -> DumpManifest:
        """The manifest with one part as it is now."""
        return replace(self, parts=(*self.parts[:number], part, *self.parts[number + 1 :]))

    def write(self, path: Path) -> None:
        """Put the manifest in the place of the one before."""
        write_whole(path, orjson.dumps(self._shown(), option=orjson.OPT_INDENT_2))

    @classmethod
    def read(cls, path: Path) -> DumpManifest:
        """Read a manifest; what is no manifest of ours is refused."""
        try:
            content = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError:
            raise BadDump(f"{path} is not JSON, so it is no manifest of a dump") from None
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise BadDump(f"{path} is not the manifest of a dump that this version can read")
        try:
            return _manifest(content)
        except (KeyError, TypeError, ValueError) as error:
            raise BadDump(f"{path} is damaged: {error!r}") from None

    def _shown(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "table": self.table,
            "identity": self.identity,
            "keys": [{"name": key.name, "type": key.type} for key in self.keys],
            "started": self.started,
            "consistent": self.consistent,
            "done": self.done,
            "items": self.items,
            "parts": [_shown_part(part) for part in self.parts],
        }


def _shown_part(part: DumpPart) -> dict[str, Any]:
    return {
        "file": part.file,
        "bytes": part.bytes,
        "items": part.items,
        "next": None if part.next is None else written(part.next),
        "done": part.done,
    }


def _manifest(content: dict[str, Any]) -> DumpManifest:
    return DumpManifest(
        table=str(content["table"]),
        identity=str(content["identity"]),
        keys=tuple(_key(each) for each in content["keys"]),
        started=str(content["started"]),
        consistent=bool(content["consistent"]),
        parts=tuple(_part(each) for each in content["parts"]),
    )


def _key(content: dict[str, str]) -> KeyAttribute:
    return KeyAttribute(content["name"], cast("Literal['S', 'N', 'B']", content["type"]))


def _part(content: dict[str, Any]) -> DumpPart:
    key = content["next"]
    return DumpPart(
        file=str(content["file"]),
        bytes=int(content["bytes"]),
        items=int(content["items"]),
        next=None if key is None else read_item_json(key),
        done=bool(content["done"]),
    )


@dataclass(frozen=True)
class Layout:
    """Where a dump lies: a folder with its manifest and parts, or one file with it beside."""

    target: Path
    is_file: bool

    @classmethod
    def at(cls, target: Path) -> Layout:
        """A name that ends like a file of lines is a file; every other is a folder."""
        return cls(target, not target.is_dir() and target.suffix in _FILE_ENDINGS)

    @property
    def manifest(self) -> Path:
        """The path of the manifest."""
        if self.is_file:
            return self.target.with_name(f"{self.target.name}.{MANIFEST}")
        return self.target / MANIFEST

    def path(self, part: DumpPart) -> Path:
        """The path of a part's file."""
        return self.manifest.parent / part.file

    def new_parts(self, segments: int, *, compress: bool) -> tuple[DumpPart, ...]:
        """The parts of a dump that is about to begin."""
        if self.is_file:
            if compress and self.target.suffix != ".gz":
                raise UsageError(f"a file is compressed by its name; call it {self.target.name}.gz")
            return (DumpPart(self.target.name),)
        ending = ".json.gz" if compress else ".json"
        return tuple(DumpPart(f"data/{number:05d}{ending}") for number in range(segments))
