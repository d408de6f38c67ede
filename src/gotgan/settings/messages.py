"""Messages of the settings; their Korean is in ``texts/ko/settings.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

# Defaults, as people read them

NONE: Final = Template("settings.none", "none")
CREATED_WHEN_NEEDED: Final = Template("settings.created_when_needed", "created when first needed")
AS_DECLARED: Final = Template("settings.as_declared", "as declared")
OF_THE_LOCALE: Final = Template("settings.of_the_locale", "that of the locale")
COMPANY_ADDRESS: Final = Template("settings.company_address", "the company's address")

# Variables

INVALID: Final = Template("settings.invalid", "{variable} is not valid. {advice}")
UNKNOWN: Final = Template(
    "settings.unknown", "{variable} is not a setting. Known settings: {known:list}."
)
UNKNOWN_BUT_NEAR: Final = Template(
    "settings.unknown_but_near", "{variable} is not a setting. Did you mean {near}?"
)

# The file gotgan.toml

NO_CONFIG: Final = Template(
    "settings.no_config", "Could not read {path}: {cause}. Make it a file that you can read."
)
BAD_CONFIG: Final = Template(
    "settings.bad_config",
    "{path} is not valid TOML: {cause}. Write a setting on each line, with texts in quotes, such "
    'as contact = "bot@example.com".',
)
CONFIG_NOT_UTF8: Final = Template(
    "settings.config_not_utf8", "{path}: the file is not UTF-8 text. Save it as UTF-8."
)
UNKNOWN_KEY: Final = Template(
    "settings.unknown_key", "{path}: {key} is not a setting. Known settings: {known:list}."
)
UNKNOWN_KEY_BUT_NEAR: Final = Template(
    "settings.unknown_key_but_near", "{path}: {key} is not a setting. Did you mean {near}?"
)
FOLDER_IN_CONFIG: Final = Template(
    "settings.folder_in_config",
    "{path}: the data folder cannot be set in this file, which is in it. Set GOTGAN_DATA.",
)
BAD_VALUE: Final = Template(
    "settings.bad_value", "{path}: {key} must be a text, a number or a list of texts."
)
CONFIG_NOT_SAVED: Final = Template(
    "settings.config_not_saved",
    "Could not write {path}: {cause}. Give yourself write access to it and its folder.",
)
EDIT_CONFIG: Final = Template(
    "settings.edit_config", "{path}: {key} could not be changed here. Edit the file."
)

# What to write instead

SEE_DOCS: Final = Template("settings.see_docs", "docs/settings.md describes it.")
ONE_OF: Final = Template("settings.one_of", "Use one of {words:list}.")
SOME_OF: Final = Template("settings.some_of", "Use one or more of {words:list}.")
DATABASE: Final = Template(
    "settings.database", "Use sqlite, or postgresql://user:password@host/name."
)
ZONE: Final = Template("settings.zone", "Use a time zone such as Asia/Seoul or UTC.")
DYNAMODB: Final = Template(
    "settings.dynamodb", "Use embedded, aws, or an endpoint such as http://127.0.0.1:8000."
)
ENDPOINT_ONLY: Final = Template(
    "settings.endpoint_only", "Remove everything after the host and the port."
)
NAMES: Final = Template(
    "settings.names",
    "Not a pair of names: {pair}. Use pairs such as FMWebAppTable=site-prod or table:index=name, "
    "with names of 3 to 255 letters, digits, dots, hyphens and underscores.",
)
DUPLICATE_NAME: Final = Template("settings.duplicate_name", "A name appears twice. Remove one.")
TABLE_NAME: Final = Template(
    "settings.table_name", "Use 3 to 255 letters, digits, dots, hyphens and underscores."
)
SMTP: Final = Template(
    "settings.smtp", "Use smtp://user:password@host:587 or smtps://user:password@host:465."
)
MAILBOX: Final = Template("settings.mailbox", "Use an address such as site@example.com.")
NETWORKS: Final = Template(
    "settings.networks", "Use addresses and networks such as 10.0.0.0/8, separated by commas."
)
HOSTS: Final = Template(
    "settings.hosts", "Use host names such as gotgan.example.com, without scheme and port."
)
ORIGINS: Final = Template(
    "settings.origins", "Use origins such as https://www.example.com, separated by commas."
)
CONTACT: Final = Template(
    "settings.contact",
    "Use an address such as https://example.com/bot or bot@example.com, in ASCII characters.",
)
SECONDS: Final = Template("settings.seconds", "Use a number of seconds from 0 to {maximum}.")
WHOLE_NUMBER: Final = Template("settings.whole_number", "Use a whole number, 1 or more.")
PLACES: Final = Template(
    "settings.places",
    "Not a host with its address: {pair}. Use pairs such as shop.test=127.0.0.1:8099.",
)
PORT: Final = Template("settings.port", "{port} is not a port. Use 1 to {maximum}.")
PAGE: Final = Template("settings.page", "Use a URL such as https://example.com/list.")
TTL: Final = Template(
    "settings.ttl", "Use 24h, or 1h to 23h with a reason, such as 6h: YouTube is unreliable."
)
TTL_REASON: Final = Template(
    "settings.ttl_reason",
    "Less than 24h needs a reason, such as {hours}h: YouTube is unreliable.",
)
TTL_REASON_LENGTH: Final = Template(
    "settings.ttl_reason_length", "Shorten the reason to {maximum} characters."
)
SECRET_LENGTH: Final = Template("settings.secret_length", "Use at least {minimum} characters.")

# Files

NO_DATA_FOLDER: Final = Template(
    "settings.no_data_folder",
    "Could not create the data folder {path}: {cause}. Set GOTGAN_DATA to a writable folder.",
)
RESTORING: Final = Template(
    "settings.restoring",
    "A restore to {path} is running or was interrupted. Wait for it to finish, or empty the "
    "folder and restore again.",
)
SECRET_FILE: Final = Template(
    "settings.secret_file",
    "Could not create or read the secret in {path}: {cause}. Make its folder writable, or set "
    "GOTGAN_SECRET.",
)
BAD_SECRET_FILE: Final = Template(
    "settings.bad_secret_file",
    "{path} does not contain a valid secret. Restore it, or remove it to create a new one.",
)
SECRET_FILE_OPEN: Final = Template(
    "settings.secret_file_open",
    "Other users can read {path}. Set its permissions to 600.",
)
