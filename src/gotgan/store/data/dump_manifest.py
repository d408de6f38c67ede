"""The manifest of a dump; parts are written to disk before the manifest lists them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import orjson

from gotgan.errors import BadDump, UsageError
from gotgan.messages import text
from gotgan.store.attributes import Item
from gotgan.store.data import messages
from gotgan.store.data.atomic_files import write_atomically
from gotgan.store.data.item_json import item_to_json, parse_item
from gotgan.store.tables import KeyAttribute

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
    """The key after which the scan resumes; None is the beginning, or the end when done."""
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

    def write(self, path: Path) -> None:
        """Put the manifest in the place of the one before."""
        content = {
            "format": _FORMAT,
            "table": self.table,
            "identity": self.identity,
            "keys": [asdict(key) for key in self.keys],
            "started": self.started,
            "consistent": self.consistent,
            "done": self.done,
            "items": self.items,
            "parts": [
                {**asdict(part), "next": None if part.next is None else item_to_json(part.next)}
                for part in self.parts
            ],
        }
        write_atomically(path, orjson.dumps(content, option=orjson.OPT_INDENT_2))

    @classmethod
    def read(cls, path: Path) -> DumpManifest:
        """Read a manifest; raise BadDump for any other file."""
        try:
            content = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError:
            raise BadDump(messages.MANIFEST_NOT_JSON(path=path)) from None
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise BadDump(messages.OTHER_MANIFEST(path=path))
        try:
            return DumpManifest(
                table=str(content["table"]),
                identity=str(content["identity"]),
                keys=tuple(KeyAttribute(each["name"], each["type"]) for each in content["keys"]),
                started=str(content["started"]),
                consistent=bool(content["consistent"]),
                parts=tuple(
                    DumpPart(
                        file=str(each["file"]),
                        bytes=int(each["bytes"]),
                        items=int(each["items"]),
                        next=None if each["next"] is None else parse_item(each["next"]),
                        done=bool(each["done"]),
                    )
                    for each in content["parts"]
                ),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadDump(messages.MANIFEST_DAMAGED(path=path, cause=text(repr(error)))) from None


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
                raise UsageError(messages.NAME_GZ(name=self.target.name))
            return (DumpPart(self.target.name),)
        ending = ".json.gz" if compress else ".json"
        return tuple(DumpPart(f"data/{number:05d}{ending}") for number in range(segments))
