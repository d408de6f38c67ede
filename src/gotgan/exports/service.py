"""The export of a data set: files that are missing or out of date are written, the others kept.

The manifest of a data set says from which version of the rows each file was written, and how the
target knew the file then. A file counts as up to date if both are still the same, so a lost
manifest, a deleted file or a process that was killed cost writing files again, never a wrong file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final

from pydantic import BaseModel, ValidationError

from gotgan.errors import Conflict, ExportError
from gotgan.exports import messages
from gotgan.exports.data_sets import DataSet, ExportSpan, Partition
from gotgan.exports.parquet import write_parquet
from gotgan.exports.targets import Target

MANIFEST: Final = "_gotgan.json"
_FILES_PER_MANIFEST: Final = 50
"""How many files are written at most until the manifest is."""
OnProgress = Callable[[int, int, str], None]
"""Called with the partitions done, the partitions in total, and the current one."""


@dataclass
class ExportedDataSet:
    """What the export of a data set did."""

    dataset: str
    written: int = 0
    """Files that were written: days, or shops of products."""
    unchanged: int = 0
    """Files that were up to date."""
    removed: int = 0
    """Files that were deleted, because what was in them is no longer stored."""
    rows: int = 0
    """Rows of all files, unchanged ones too."""
    written_bytes: int = 0
    """Size of the written files."""


class _File(BaseModel):
    """A file of a data set, as it was written."""

    version: str
    stamp: str
    rows: int


class _Manifest(BaseModel):
    """The files of a data set."""

    domain: str
    shape: str
    """Of the columns: with others, all files are written again."""
    files: dict[str, _File] = {}


def export_data_set(
    domain: str, data_set: DataSet, target: Target, span: ExportSpan, on_progress: OnProgress
) -> ExportedDataSet:
    """Bring the files of a data set up to date."""
    with target.lock(data_set.name):
        return _Export(domain, data_set, target, on_progress).run(span)


@dataclass
class _Export:
    domain: str
    data_set: DataSet
    target: Target
    on_progress: OnProgress
    report: ExportedDataSet = field(init=False)
    manifest: _Manifest = field(init=False)
    unsaved: int = 0

    def run(self, span: ExportSpan) -> ExportedDataSet:
        name = self.data_set.name
        self.report = ExportedDataSet(name)
        self.manifest = self._read_manifest()
        stamps = self.target.files(name)
        partitions = sorted(self.data_set.partitions(span), key=lambda each: each.value)
        self._announce(partitions)
        try:
            for number, each in enumerate(partitions):
                self.on_progress(number, len(partitions), f"{name} {each.value}".rstrip())
                self._update(each, stamps.get(self.data_set.path(each.value)))
            if self.data_set.forgets:
                self._remove_others({each.value for each in partitions}, span, stamps)
            self.on_progress(len(partitions), len(partitions), name)
        finally:  # what was written is known to the next run, whatever ends this one
            self._write_manifest()
        return self.report

    def _announce(self, partitions: Sequence[Partition]) -> None:
        """Note which files will be there, so that a later export can delete each of them.

        Otherwise a killed export would leave files that the manifest does not know.
        """
        new = [each.value for each in partitions if each.value not in self.manifest.files]
        self.manifest.files |= {value: _File(version="", stamp="", rows=0) for value in new}
        self.unsaved += len(new)
        self._write_manifest()

    def _update(self, partition: Partition, stamp: str | None) -> None:
        known = self.manifest.files.get(partition.value)
        if known is not None and (known.version, known.stamp) == (partition.version, stamp):
            self.report.unchanged += 1
            self.report.rows += known.rows
            return
        rows = partition.rows()
        first = list(islice(rows, 1))
        if not first:  # deleted since the partitions were listed
            return
        path = self.data_set.path(partition.value)
        with self.target.draft(path) as draft:
            count = write_parquet(draft, self.data_set.columns, chain(first, rows))
            size = draft.stat().st_size
            stamp = self.target.publish(draft, path)
        file = _File(version=partition.version, stamp=stamp, rows=count)
        self.manifest.files[partition.value] = file
        self.report.written += 1
        self.report.rows += count
        self.report.written_bytes += size
        self.unsaved += 1
        if self.unsaved >= _FILES_PER_MANIFEST:
            self._write_manifest()

    def _remove_others(self, values: set[str], span: ExportSpan, stamps: Mapping[str, str]) -> None:
        """Delete the files that exports wrote and that have no rows any more."""
        for value in sorted(self.manifest.files.keys() - values):
            if self.data_set.is_within(value, span):
                path = self.data_set.path(value)
                if path in stamps:
                    self.target.delete(path)
                    self.report.removed += 1
                del self.manifest.files[value]
                self.unsaved += 1

    def _read_manifest(self) -> _Manifest:
        path = f"{self.data_set.name}/{MANIFEST}"
        empty = _Manifest(domain=self.domain, shape=self.data_set.shape)
        content = self.target.read(path)
        if content is None:
            return empty
        place = f"{self.target.name}/{path}"
        try:
            found = _Manifest.model_validate_json(content)
        except ValidationError:
            raise ExportError(messages.BAD_MANIFEST(path=place)) from None
        if found.domain != self.domain:
            name = self.data_set.name
            raise Conflict(messages.OTHER_DOMAIN(path=place, name=name, domain=found.domain))
        if found.shape != self.data_set.shape:
            outdated = {
                value: file.model_copy(update={"version": ""})
                for value, file in found.files.items()
            }
            return empty.model_copy(update={"files": outdated})
        return found

    def _write_manifest(self) -> None:
        if not self.unsaved:
            return
        path = f"{self.data_set.name}/{MANIFEST}"
        with self.target.draft(path) as draft:
            draft.write_text(self.manifest.model_dump_json(indent=1), encoding="utf-8")
            self.target.publish(draft, path)
        self.unsaved = 0
