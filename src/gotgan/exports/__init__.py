"""Exports for analysis: data sets as Parquet files, a file for each day, in a folder or on S3."""

from __future__ import annotations

from gotgan.exports.data_sets import Column, DataSet, ExportSpan, Partition
from gotgan.exports.service import ExportedDataSet, OnProgress, export_data_set
from gotgan.exports.targets import FolderTarget, Target, open_target

__all__ = [
    "Column",
    "DataSet",
    "ExportSpan",
    "ExportedDataSet",
    "FolderTarget",
    "OnProgress",
    "Partition",
    "Target",
    "export_data_set",
    "open_target",
]
