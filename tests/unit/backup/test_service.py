"""Backups are complete, private, pruned with care, and restored only when nothing is wrong."""

from __future__ import annotations

import fcntl
import json
import os
import random
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import insert, select

from gotgan.backup import FORMAT, back_up, restore
from gotgan.clock import FixedClock
from gotgan.errors import (
    BackupDamaged,
    BackupError,
    BackupTooNew,
    Conflict,
    SettingsError,
    StoreCorrupt,
    StoreLocked,
    UsageError,
)
from gotgan.settings import CONFIG_FILE, RESTORING_FOLDER, Secret, Settings, write_config
from gotgan.sql import TICKS, Database
from gotgan.sql.migrations import LATEST, VERSION_TABLE, database_version
from gotgan.store.engine import connect, fileformat
from tests.contract.tables import Table

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FILES = ["dynamodb.sqlite3", "gotgan.sqlite3", "secret"]


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _backups(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.zip"))


def test_a_backup_brings_back_all_files_for_their_owner_alone(
    settings: Settings, tmp_path: Path
) -> None:
    made = back_up(settings, tmp_path / "backups", clock=FixedClock(NOON))
    assert made.path == tmp_path / "backups" / "gotgan-2026-11-16T12-00-00Z.zip"
    assert (made.left_out, made.removed, made.moment) == ((), (), NOON)
    assert [_mode(made.path), _mode(made.path.parent)] == [0o600, 0o700]
    done = restore(made.path, tmp_path / "new" / "data")
    assert (done.moment, sorted(done.files)) == (NOON, FILES)
    assert _names(done.folder) == FILES
    assert [_mode(done.folder / name) for name in FILES] == [0o600] * 3
    assert _mode(done.folder) == 0o700
    restored = replace(settings, data=done.folder)
    assert restored.secret() == settings.secret()
    with connect(restored.dynamodb_file()) as client:
        assert Table(client, "goods").get(pk="rice") == {"pk": "rice"}
    with Database.open(restored) as database, database.read() as connection:
        assert database_version(connection) == LATEST


def test_saved_settings_are_backed_up(settings: Settings, tmp_path: Path) -> None:
    write_config(settings.folder(), {"KRX_PW": "hidden"})
    made = back_up(settings, tmp_path / "backups")
    done = restore(made.path, tmp_path / "new")
    assert _names(done.folder) == sorted([*FILES, CONFIG_FILE])
    assert _mode(done.folder / CONFIG_FILE) == 0o600
    found = Settings.from_env({"GOTGAN_DATA": str(done.folder)}).krx_password
    assert found == Secret("hidden")


def test_what_is_only_in_the_log_is_in_the_backup(settings: Settings, tmp_path: Path) -> None:
    with connect(settings.dynamodb_file()) as client:
        Table(client, "goods").put(pk="newest")
        assert settings.dynamodb_file().with_name("dynamodb.sqlite3-wal").stat().st_size > 0
        made = back_up(settings, tmp_path / "backups")
    restore(made.path, tmp_path / "new")
    with connect(tmp_path / "new" / "dynamodb.sqlite3") as client:
        assert Table(client, "goods").get(pk="newest") == {"pk": "newest"}


def test_nothing_written_after_the_moment_is_in_the_backup(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gotgan.backup.archive._PROGRESS_PAGES", 1)
    with connect(settings.dynamodb_file(), synchronous="normal") as client:
        table = Table(client, "goods")
        seen: list[tuple[float, str]] = []

        def write_meanwhile(done: int, total: int, name: str) -> None:
            if len(seen) < 100:
                table.put(pk=f"late {len(seen)}")
            seen.append((done / total, name))

        made = back_up(settings, tmp_path / "backups", on_progress=write_meanwhile)
    assert {name for _, name in seen} == set(FILES)
    assert [share for share, _ in seen] == sorted(share for share, _ in seen)
    assert seen[-1][0] == pytest.approx(1.0)
    restore(made.path, tmp_path / "new")
    with connect(tmp_path / "new" / "dynamodb.sqlite3") as client:
        assert Table(client, "goods").scan()["Count"] == 1


def test_what_is_stored_elsewhere_is_named(settings: Settings, tmp_path: Path) -> None:
    aws = replace(settings, dynamodb="aws")
    made = back_up(aws, tmp_path / "a")
    assert sorted(made.files) == ["gotgan.sqlite3", "secret"]
    assert [words.partition(":")[0] for words in made.left_out] == ["DynamoDB tables (aws)"]
    postgres = replace(
        settings,
        database=Secret("postgresql://me:hunter2@db/x"),
        given_secret=Secret("k" * 32),
    )
    made = back_up(postgres, tmp_path / "b")
    assert sorted(made.files) == ["dynamodb.sqlite3"]
    assert "pg_dump" in made.left_out[0]
    assert "GOTGAN_SECRET" in made.left_out[1]
    assert "hunter2" not in repr(made)


def test_a_folder_without_files_is_an_error_and_stays_as_it_is(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "typo")
    with pytest.raises(BackupError, match=r"Nothing to back up in .*typo\. Set GOTGAN_DATA"):
        back_up(settings, tmp_path / "backups")
    with pytest.raises(UsageError, match="set GOTGAN_BACKUP"):
        back_up(settings)
    assert _names(tmp_path) == []


def test_the_scheduled_backup_goes_by_the_settings(settings: Settings, tmp_path: Path) -> None:
    settings = replace(settings, backup=tmp_path / "daily", backup_keep=2)
    clock = FixedClock(NOON)
    removed = []
    for _ in range(3):
        removed.append(back_up(settings, clock=clock).removed)
        clock.advance(DAY)
    assert removed == [(), (), ("gotgan-2026-11-16T12-00-00Z.zip",)]
    assert _backups(tmp_path / "daily") == [
        "gotgan-2026-11-17T12-00-00Z.zip",
        "gotgan-2026-11-18T12-00-00Z.zip",
    ]


def test_a_second_backup_of_a_second_overwrites_nothing(settings: Settings, tmp_path: Path) -> None:
    first, second = (back_up(settings, tmp_path / "b", clock=FixedClock(NOON)) for _ in range(2))
    assert second.path.name == "gotgan-2026-11-16T12-00-00Z-2.zip"
    third = back_up(settings, tmp_path / "b", clock=FixedClock(NOON), keep=2)
    assert third.removed == (first.path.name,)


def test_only_complete_backups_are_counted_and_deleted(settings: Settings, tmp_path: Path) -> None:
    target = tmp_path / "b"
    old = back_up(settings, target, clock=FixedClock(NOON)).path
    half = target / "gotgan-2026-11-15T12-00-00Z.zip"
    half.write_bytes(old.read_bytes()[:1000])  # as a copy that was interrupted
    others = ["gotgan-2026.zip", "notes.txt", "gotgan-2026-11-14T12-00-00Z.zip.part"]
    for name in others:
        shutil.copy(old, target / name)
    made = back_up(settings, target, clock=FixedClock(NOON + DAY), keep=1)
    assert made.removed == (old.name,)
    assert set(_names(target)) == {half.name, made.path.name, *others, ".gotgan-backup.lock"}


def test_the_new_backup_is_kept_though_the_clock_went_back(
    settings: Settings, tmp_path: Path
) -> None:
    later = back_up(settings, tmp_path / "b", clock=FixedClock(NOON + DAY))
    made = back_up(settings, tmp_path / "b", clock=FixedClock(NOON), keep=1)
    assert made.removed == (later.path.name,)
    assert _backups(tmp_path / "b") == [made.path.name]


def test_a_damaged_file_makes_no_backup_and_costs_none(settings: Settings, tmp_path: Path) -> None:
    good = back_up(settings, tmp_path / "b", clock=FixedClock(NOON)).path
    with settings.dynamodb_file().open("r+b") as file:
        file.seek(4096)
        file.write(random.Random(1).randbytes(4096))
    with pytest.raises(StoreCorrupt, match=r"dynamodb\.sqlite3 is damaged"):
        back_up(settings, tmp_path / "b", keep=1)
    assert _names(tmp_path / "b") == [".gotgan-backup.lock", good.name]


def test_two_backups_to_one_folder_do_not_meet(settings: Settings, tmp_path: Path) -> None:
    def another(_done: int, _total: int, _name: str) -> None:
        with pytest.raises(Conflict, match=r"Another backup to .* is running\. Wait"):
            back_up(settings, tmp_path / "b")

    made = back_up(settings, tmp_path / "b", on_progress=another)
    assert restore(made.path, tmp_path / "new").files == made.files


def test_what_a_killed_backup_left_is_removed_by_the_next(
    settings: Settings, tmp_path: Path
) -> None:
    left = tmp_path / "b" / ".gotgan-backup"
    left.mkdir(parents=True)
    (left / "dynamodb.sqlite3").write_bytes(b"half of it")
    made = back_up(settings, tmp_path / "b")
    assert _names(tmp_path / "b") == [".gotgan-backup.lock", made.path.name]


def test_a_file_that_stays_locked_ends_the_backup(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gotgan.backup.archive._LOCK_WAIT_S", 0.0)
    monkeypatch.setattr("gotgan.backup.archive._FIRST_LOCK_TIMEOUT_MS", 1)
    monkeypatch.setattr("gotgan.backup.archive._OTHER_LOCK_TIMEOUT_MS", 1)
    for name in FILES[:2]:
        with closing(sqlite3.connect(settings.data / name, isolation_level=None)) as program:
            program.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreLocked, match=rf"{name} has been locked by other programs"):
                back_up(settings, tmp_path / "b")
    assert back_up(settings, tmp_path / "b").path.exists()


def test_a_target_that_cannot_be_written_is_an_error(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path / "file" / "b", tmp_path / "file", tmp_path / "no" / "such"):
        with pytest.raises(BackupError, match=r"Could not write a backup to .*use another one\."):
            back_up(settings, target)


def test_a_disk_that_is_full_leaves_nothing_behind(settings: Settings, tmp_path: Path) -> None:
    def limit_files() -> None:  # a write beyond it fails, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    done = subprocess.run(
        [sys.executable, "-m", "gotgan", "backup", str(tmp_path / "b"), "--json"],
        env={**os.environ, "GOTGAN_DATA": str(settings.data)},
        preexec_fn=limit_files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert json.loads(done.stderr)["error"]["code"] == "backup"
    assert "Free up space" in done.stderr
    assert _names(tmp_path / "b") == [".gotgan-backup.lock"]


# Restoring


@pytest.fixture
def backup(settings: Settings, tmp_path: Path) -> Path:
    """A good backup."""
    return back_up(settings, tmp_path / "backups", clock=FixedClock(NOON)).path


def test_a_folder_with_anything_in_it_is_left_alone(backup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "letter").write_text("to a friend")
    with pytest.raises(Conflict, match="is not empty"):
        restore(backup, folder)
    assert _names(folder) == ["letter"]


def test_an_empty_folder_and_a_new_volume_will_do(backup: Path, tmp_path: Path) -> None:
    volume = tmp_path / "volume"
    (volume / "lost+found").mkdir(parents=True)
    restore(backup, volume)
    assert _names(volume) == [*FILES[:2], "lost+found", "secret"]


def test_a_restore_that_was_killed_while_unpacking_is_repeated(
    backup: Path, tmp_path: Path
) -> None:
    left = tmp_path / "new" / RESTORING_FOLDER
    left.mkdir(parents=True)
    (left / "secret").write_text("half")
    restore(backup, tmp_path / "new")
    assert _names(tmp_path / "new") == FILES


def test_a_folder_that_was_restored_by_half_is_never_used(backup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    (folder / RESTORING_FOLDER).mkdir(parents=True)
    (folder / "dynamodb.sqlite3").touch()
    with pytest.raises(Conflict, match=r"interrupted\. Empty the folder"):
        restore(backup, folder)
    with pytest.raises(SettingsError, match="was interrupted"):
        Settings(data=folder).folder()
    assert _names(folder) == [RESTORING_FOLDER, "dynamodb.sqlite3"]


def test_two_restores_to_one_folder_do_not_meet(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    other = os.open(tmp_path / "new", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(Conflict, match=r"Another restore to .* is running"):
        restore(backup, tmp_path / "new")
    os.close(other)
    restore(backup, tmp_path / "new")


def test_a_restore_that_is_interrupted_leaves_nothing(backup: Path, tmp_path: Path) -> None:
    def interrupt(_done: int, _total: int, _name: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(backup, tmp_path / "new", on_progress=interrupt)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("seed", range(60))
def test_damage_anywhere_is_noticed_or_does_not_matter(
    backup: Path, settings: Settings, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    content = bytearray(backup.read_bytes())
    if seed % 4:
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
    else:
        del content[chance.randrange(len(content)) :]
    backup.write_bytes(content)
    try:
        restore(backup, tmp_path / "new")
    except BackupDamaged as damage:
        assert str(damage).endswith("Use another backup.")  # noqa: PT017 - the other end is right too
        assert not (tmp_path / "new").exists()
    else:
        assert (tmp_path / "new" / "secret").read_bytes() == (settings.data / "secret").read_bytes()


@pytest.mark.parametrize("content", [b"", b"a letter to a friend" * 50])
def test_a_file_that_is_not_a_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(BackupDamaged, match="not a backup of Gotgan"):
        restore(tmp_path / "x.zip", tmp_path / "new")


def _rewritten(backup: Path, changed: dict[str, bytes]) -> Path:
    """The backup with other members; the checksums are those of the manifest that is given."""
    path = backup.with_name("other.zip")
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(path, "w") as new:
        for name in {*old.namelist(), *changed}:
            new.writestr(name, changed.get(name) or old.read(name))
    return path


def _manifest(backup: Path) -> dict[str, object]:
    with zipfile.ZipFile(backup) as archive:
        content: dict[str, object] = json.loads(archive.read("manifest.json"))
    return content


def test_a_member_with_another_checksum_is_damage(backup: Path, tmp_path: Path) -> None:
    for content in (b"s" * 44, b"s" * 4_000_000, b"s"):
        with pytest.raises(BackupDamaged, match="the checksum of secret does not match"):
            restore(_rewritten(backup, {"secret": content}), tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "secret/../../evil", "other"])  # noqa: S108
def test_a_name_that_is_not_ours_is_never_unpacked(backup: Path, tmp_path: Path, name: str) -> None:
    entry = {"name": name, "bytes": 4, "sha256": "0" * 64}
    manifest = json.dumps({**_manifest(backup), "files": [entry]}).encode()
    evil = _rewritten(backup, {"manifest.json": manifest, name: b"evil"})
    with pytest.raises(BackupDamaged):
        restore(evil, tmp_path / "new")
    assert not list(tmp_path.rglob("evil"))


def test_a_backup_of_a_later_format_asks_for_an_upgrade(backup: Path, tmp_path: Path) -> None:
    manifest = {"format": FORMAT + 1, "everything": "else"}
    later = _rewritten(backup, {"manifest.json": json.dumps(manifest).encode()})
    with pytest.raises(BackupTooNew, match=rf"format {FORMAT + 1},.*Upgrade Gotgan"):
        restore(later, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("dynamodb.sqlite3", f"PRAGMA user_version={fileformat.FORMAT + 1}"),
        ("gotgan.sqlite3", f"UPDATE {VERSION_TABLE} SET version_num = '9000'"),
    ],
)
def test_a_file_of_a_later_version_asks_for_an_upgrade(
    settings: Settings, tmp_path: Path, name: str, change: str
) -> None:
    with closing(sqlite3.connect(settings.data / name)) as connection:
        connection.execute(change)
        connection.commit()
    made = back_up(settings, tmp_path / "b")
    with pytest.raises(BackupTooNew, match=rf"{name} has version .*Upgrade Gotgan"):
        restore(made.path, tmp_path / "new")


def test_a_backup_of_an_older_version_is_migrated_at_the_next_start(
    settings: Settings, tmp_path: Path
) -> None:
    settings.sqlite_file().unlink()
    config = Config()
    config.set_main_option("script_location", "gotgan.sql:migrations")
    config.set_main_option("path_separator", "os")
    with Database.open(settings) as database, database.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.execute(insert(TICKS).values(job="news.collect", at=NOON, status="done"))
    made = back_up(settings, tmp_path / "b")
    restored = replace(settings, data=restore(made.path, tmp_path / "new").folder)
    with Database.open(restored) as database:
        with database.read() as connection:
            assert database_version(connection) == "0002"
        database.prepare()
        with database.read() as connection:
            assert database_version(connection) == LATEST
            assert connection.execute(select(TICKS.c.job)).scalars().all() == ["news.collect"]
