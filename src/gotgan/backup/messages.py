"""Messages of backups; their Korean is in ``texts/ko/backup.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

WRITTEN: Final = Template("backup.written", "backup {name}: {count} bytes")
NO_TARGET: Final = Template(
    "backup.no_target", "No folder for the backup. Name one, or set GOTGAN_BACKUP."
)
NOT_WRITTEN: Final = Template(
    "backup.not_written",
    "Could not write a backup to {folder}: {cause}. Check that the folder is writable and has "
    "free space, or use another one.",
)
NOT_RESTORED: Final = Template(
    "backup.not_restored",
    "Could not restore {backup} to {folder}: {cause}. Check that the folder is writable and has "
    "free space, or use another one.",
)
BACKUP_RUNNING: Final = Template(
    "backup.backup_running",
    "Another backup to {folder} is running. Wait until it has finished.",
)
RESTORE_RUNNING: Final = Template(
    "backup.restore_running",
    "Another restore to {folder} is running. Wait until it has finished.",
)
RESTORE_INTERRUPTED: Final = Template(
    "backup.restore_interrupted",
    "A restore to {folder} was interrupted. Empty the folder and try again.",
)
NOT_EMPTY: Final = Template(
    "backup.not_empty", "{folder} is not empty. Restore to an empty or new folder."
)
NOTHING: Final = Template(
    "backup.nothing",
    "Nothing to back up in {folder}. Set GOTGAN_DATA to the data folder. Not included: "
    "{left_out:sentences}.",
)
DYNAMODB: Final = Template(
    "backup.dynamodb", "DynamoDB tables ({place}): use point-in-time recovery"
)
POSTGRESQL: Final = Template(
    "backup.postgresql", "PostgreSQL database (GOTGAN_DATABASE): use pg_dump"
)
SECRET: Final = Template(
    "backup.secret", "secret (GOTGAN_SECRET): store it with your other secrets"
)
NOT_THERE: Final = Template("backup.not_there", "{name}: does not exist yet")
NEEDS_WRITE_ACCESS: Final = Template(
    "backup.needs_write_access",
    "A backup needs write access to {path} and its folder, to lock it for an instant. Run it as "
    "the user that runs Gotgan.",
)
LOCKED: Final = Template(
    "backup.locked",
    "{path} has been locked by other programs for {seconds:second|seconds}. Try again.",
)
NOT_COPIED: Final = Template(
    "backup.not_copied",
    "Could not copy {path} to {folder}: {cause}. Free up space there, or use another folder.",
)
FORMAT_TOO_NEW: Final = Template(
    "backup.format_too_new",
    "{path} has backup format {found}, but this version of Gotgan supports up to {latest}. Upgrade "
    "Gotgan.",
)
FILE_TOO_NEW: Final = Template(
    "backup.file_too_new",
    "{path} was made by Gotgan {version}: {name} has version {found}, but this version of Gotgan "
    "supports up to {latest}. Upgrade Gotgan.",
)
DAMAGED: Final = Template(
    "backup.damaged",
    "{path} is damaged or not a backup of Gotgan: {cause}. Use another backup.",
)
WRONG_CHECKSUM: Final = Template("backup.wrong_checksum", "the checksum of {name} does not match")
DAMAGED_FILE: Final = Template("backup.damaged_file", "{name}: {cause}")
