"""A small service whose verbs have every kind of parameter; the fronts are derived from it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypedDict, Unpack

from pydantic import BaseModel, Field

from gotgan.errors import GotganError, NotFound
from gotgan.params import Cursor, Day, Limit
from gotgan.verbs import (
    CurrentUser,
    Extra,
    FromFile,
    Local,
    Progress,
    Remote,
    RequestBody,
    Version,
    silent,
    verb,
)
from tests.patience import PATIENCE

__all__ = [
    "Box",
    "BoxFields",
    "Boxes",
    "Made",
    "MoreToys",
    "Order",
    "Shed",
    "SlowToys",
    "ToyFailure",
    "ToyPage",
    "Toys",
]

Name = Annotated[str, Field(min_length=1, max_length=5, description="Name of the toy.")]
Names = Annotated[Sequence[Name], Field(max_length=3, description="Toys by name.")]
Count = Annotated[int, Field(ge=1, le=9, description="How many.")]
Folder = Annotated[Path, Local(), Field(description="Where to write.")]
Parts = Annotated[Sequence[dict[str, int]], Remote(), Field(description="Parts of each toy.")]


class Order(BaseModel, extra="forbid"):
    """A whole request body."""

    colour: Literal["red", "blue"]


@dataclass(frozen=True)
class ToyFailure:
    """A toy that failed."""

    name: str
    error: GotganError


@dataclass(frozen=True)
class Made:
    """What was made."""

    toy_names: tuple[str, ...]
    """The toys."""
    how_many: int
    failed: tuple[ToyFailure, ...] = ()


@dataclass(frozen=True)
class ToyPage:
    """Some toys."""

    items: tuple[str, ...]
    cursor: str | None


def _about(_toys: Toys, names: Sequence[str]) -> tuple[str, ...] | None:
    if "ghost" in names:
        raise NotFound("There is no toy ghost.")
    return tuple(names) or None


class Toys:
    """Toys of a test."""

    domain: ClassVar = "toys"

    def __init__(self, *names: str) -> None:
        self.names = names

    @verb()
    def list(self, *, limit: Limit = 2, cursor: Cursor | None = None) -> ToyPage:
        """List toys."""
        start = int(cursor or 0)
        rest = start + limit
        return ToyPage(self.names[start:rest], str(rest) if rest < len(self.names) else None)

    @verb()
    def get(self, name: Name, *, day: Day | None = None) -> Made:
        """Show a toy.

        With further words.
        """
        return Made((name, str(day)), 1)

    @verb(role="editor", kind="write", path="toys/{name}/paint")
    def paint(
        self, name: Name, order: Annotated[Order, RequestBody(), Field(description="How.")]
    ) -> Made:
        """Paint a toy."""
        return Made((name, order.colour), 1)

    @verb(role="editor", kind="run", about=_about)
    def make(
        self,
        names: Names = (),
        *,
        max_parts: Count | None = None,
        folder: Folder | None = None,  # noqa: ARG002 - one front offers it
        parts: Parts = (),
        progress: Progress = silent,
    ) -> Made:
        """Make toys."""
        for done, name in enumerate(names, start=1):
            progress(done, len(names), name, parts=len(parts))
        secret = ToyFailure("x", GotganError("secret path"))
        return Made(tuple(names), max_parts or 0, (secret,) if "bad" in names else ())

    @verb(role="editor", kind="write", is_local=True)
    def sweep(self) -> Made:
        """Sweep the floor."""
        return Made((), 0)

    @verb(is_remote=True)
    def watch(self) -> Made:
        """Watch toys."""
        return Made((), 0)

    def helper(self) -> None:
        """No verb."""


class MoreToys(Toys):
    """An override of a verb stays one."""

    def sweep(self) -> Made:
        """Sweep twice."""
        return Made((), 2)


class SlowToys(Toys):
    """Toys that are made when a test says so."""

    def __init__(self, going: threading.Event) -> None:
        super().__init__()
        self._going = going

    def make(
        self,
        names: Names = (),
        *,
        max_parts: Count | None = None,
        folder: Folder | None = None,
        parts: Parts = (),
        progress: Progress = silent,
    ) -> Made:
        """Make toys."""
        self._going.wait(PATIENCE)
        return super().make(
            names, max_parts=max_parts, folder=folder, parts=parts, progress=progress
        )


# Resources: their fields are declared once, and each front offers them one by one.


class BoxFields(TypedDict, total=False):
    """A box."""

    id: Annotated[Name, Field(description="Id of the box.")]
    label: Annotated[Name, Field(description="What it says.")]
    weight: Annotated[Count | None, Field(description="How heavy it is.")]
    plan: Annotated[str, FromFile(), Field(description="How it is built.")]


BoxVersion = Annotated[Count, Version(), Field(description="Its version.")]
Needed = Annotated[Count, Version(is_required=True), Field(description="Its version.")]
Further = Annotated[
    Mapping[str, Name | None], Extra(), Field(max_length=2, description="Further attributes.")
]
By = Annotated[str | None, CurrentUser(), Field(description="Who calls.")]


@dataclass(frozen=True)
class Box:
    """What a verb of boxes was called with."""

    id: str
    fields: Mapping[str, Any]
    version: int | None = None
    more: Mapping[str, Any] | None = None
    by: str | None = None


class Boxes:
    """Boxes for toys."""

    path: ClassVar = "crates"
    noun: ClassVar = "box"
    needed: ClassVar = frozenset({"label"})
    read_by: ClassVar = "viewer"
    written_by: ClassVar = "admin"

    @verb(role=None)
    def get(self, id: Name) -> Box:  # noqa: A002 - as fronts call it
        """Show a record of the records."""
        return Box(id, {})

    @verb(role=None, kind="write")
    def create(self, *, by: By = None, **fields: Unpack[BoxFields]) -> Box:
        """Create a record."""
        return Box(fields.get("id", ""), fields, by=_name(by))

    @verb(role=None, kind="write")
    def update(
        self,
        id: Name,  # noqa: A002 - as above
        changes: BoxFields,
        *,
        more: Further | None = None,
        version: Needed | None = None,
    ) -> Box:
        """Change fields of a record."""
        return Box(id, changes, version, more)

    @verb(role="editor", kind="write")
    def replace(
        self,
        id: Name,  # noqa: A002 - as above
        fields: BoxFields,
        *,
        version: BoxVersion | None = None,
    ) -> Box:
        """Replace all fields of a record."""
        return Box(id, fields, version)

    @verb(role=None, kind="write")
    def delete(
        self,
        id: Name,  # noqa: A002 - as above
        *,
        version: BoxVersion | None = None,
    ) -> Box:
        """Delete a record."""
        return Box(id, {}, version)


def _name(by: Any) -> str | None:
    """The user behind a caller; the command line knows none."""
    return None if by is None else by.user.id


class Shed:
    """A service that holds boxes."""

    domain: ClassVar = "shed"
    boxes: Boxes

    def __init__(self) -> None:
        self.boxes = Boxes()
