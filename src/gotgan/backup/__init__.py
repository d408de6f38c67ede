"""Backup and restore of the data folder: both SQLite files and the secret, as of one moment."""

from __future__ import annotations

from gotgan.backup.archive import FORMAT, OnProgress
from gotgan.backup.service import Backup, RestoreReport, back_up, restore

__all__ = ["FORMAT", "Backup", "OnProgress", "RestoreReport", "back_up", "restore"]
