"""Messages of migrations; their Korean is in ``texts/ko/site.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

# Sources

NO_SOURCES: Final = Template(
    "site.no_sources", "Name at least one source: posts, categories, corp or contact."
)
SAME_SOURCE: Final = Template(
    "site.same_source", "One source is named for two kinds of rows. Name each source once."
)
EMPTY_FOLDER: Final = Template(
    "site.empty_folder", "{path} has no files with rows. Name another folder, or a file."
)
NO_SOURCE: Final = Template(
    "site.no_source", "There is no {path} to migrate from. Name a file, a folder or a table."
)
SOURCE_IS_TARGET: Final = Template(
    "site.source_is_target", "{table} is the table to migrate to. Name one of the old tables."
)
TOO_MANY_ROWS: Final = Template(
    "site.too_many_rows",
    "{source} has more than {most} rows of {kind}. Check whether it is the right source.",
)

# State

MIGRATION: Final = Template("site.migration", "a migration to this table")
MIGRATION_BUSY: Final = Template(
    "site.migration_busy",
    "The database is too busy to continue. Run the same migration again to resume it.",
)
STATE_LOCKED: Final = Template(
    "site.state_locked",
    "Another migration is running and uses the state {path}. Wait until it ends.",
)
STATE_UNUSABLE: Final = Template(
    "site.state_unusable",
    "The state of this migration, {path}, cannot be used ({cause}). Check the file, and run the "
    "same migration again.",
)
STATE_FOREIGN: Final = Template(
    "site.state_foreign",
    "{path} is not the state of a migration ({cause}). Remove it to start from the beginning.",
)
STATE_OF_ANOTHER_VERSION: Final = Template(
    "site.state_of_another_version",
    "The state of this migration was written by another version of Gotgan. Remove it from the "
    "folder migrations of the data folder to start from the beginning.",
)

# Rows

ROW_CHANGED: Final = Template("site.row_changed", "it was changed meanwhile; it is read again")
ROW_FIELD: Final = Template("site.row_field", "its {field} cannot be kept: {cause}")
ROW_WITHOUT_KEY: Final = Template("site.row_without_key", "it has no key in the new table: {cause}")
ROW_WITHOUT_ID: Final = Template(
    "site.row_without_id", "it has no {key}, so it could not be found again"
)
ROW_NOT_TEXT: Final = Template(
    "site.row_not_text", "{name} of these {kind} is not text but of type {type}"
)
ROW_NOT_JSON: Final = Template("site.row_not_json", "it is not JSON ({cause})")
ROW_NOT_OBJECT: Final = Template(
    "site.row_not_object", "it is not a JSON object but of type {type}"
)
SLUG_IN_USE: Final = Template(
    "site.slug_in_use",
    "Another category here has the slug {slug}, so both would be found under it. Delete that "
    "category, and run the migration again.",
)
ORPHANS_SLUG_IN_USE: Final = Template(
    "site.orphans_slug_in_use",
    "Another category has the slug {slug}, which posts without a category need. Delete that "
    "category, and run the migration again.",
)

# Verification

ONLY_TABLES: Final = Template(
    "site.only_tables",
    "Only tables can be retired, and some sources are files. Remove the files yourself, or name "
    "the tables.",
)
NOT_RETIRED: Final = Template(
    "site.not_retired",
    "The old tables were not removed, because the verification did not pass: {findings:sentences}.",
)
MISSING: Final = Template("site.finding_missing", "{count} missing, such as {example} ({advice})")
DIFFERENT: Final = Template(
    "site.finding_different", "{count} different, such as {example} ({advice})"
)
NEWER_AT_ORIGIN: Final = Template(
    "site.finding_newer_at_origin", "{count} newer at the origin, such as {example} ({advice})"
)
CONFLICTING: Final = Template(
    "site.finding_conflicting", "{count} conflicting, such as {example} ({advice})"
)
ADVICE_MISSING: Final = Template(
    "site.advice_missing",
    "a run of the migration copies it; if it was deleted here on purpose, delete it at the "
    "origin, too",
)
ADVICE_DIFFERENT: Final = Template(
    "site.advice_different", "a run of the migration writes it as the origin has it"
)
ADVICE_NEWER_AT_ORIGIN: Final = Template(
    "site.advice_newer_at_origin", "the next run of the migration copies it"
)
ADVICE_CONFLICTING: Final = Template(
    "site.advice_conflicting", "save the right one again, here or at the origin"
)

# Decisions about rows

TIME_FROM_UPDATED: Final = Template(
    "site.note_created_at", "createdAt was missing; updatedAt is used"
)
NO_TIMES: Final = Template("site.note_no_times", "no valid time; {moment} is used")
IS_DRAFT: Final = Template(
    "site.note_draft", "status is 'draft': copied as a draft, which is not public"
)
STATUS_UNKNOWN: Final = Template(
    "site.note_post_status", "unknown status of a post: copied as published"
)
CONTENT_MISSING: Final = Template("site.note_no_content", "content was missing; it is empty now")
CONTENT_AS_JSON: Final = Template(
    "site.note_content_json", "content was neither text nor a map; stored as JSON text"
)
FIELD_MISSING: Final = Template("site.note_field", "{name} was missing; {value} is used")
CATEGORY_UNNAMED: Final = Template(
    "site.note_category_name", "a category had no name; its slug or ID is the title"
)
ORDER_INVALID: Final = Template(
    "site.note_order", "order was not an integer; the category has none"
)
INQUIRY_STATUS: Final = Template(
    "site.note_inquiry_status", "the status of an inquiry was missing or unknown; it is 'new'"
)
CATEGORY_DELETED: Final = Template(
    "site.note_category_deleted", "a category was deleted here while its posts were copied"
)
EDIT_REPLACED: Final = Template(
    "site.note_edit_replaced", "an older edit here was replaced by a newer one at the origin"
)
COPIED_AGAIN: Final = Template(
    "site.note_copied_again", "a copy was missing here for an unknown reason; copied again"
)
SLUG_UNUSABLE: Final = Template(
    "site.note_slug_unusable", "the slug of a category cannot be part of a key; it has none"
)
SLUG_SHARED: Final = Template("site.note_slug_shared", "two categories had the same slug")
GUARD_REPAIRED: Final = Template(
    "site.note_guard", "the guard of a slug was missing; written again"
)
POINTERS_REPAIRED: Final = Template(
    "site.note_pointers", "pointers of a post were missing; written again"
)
AUTHOR_FOUND: Final = Template(
    "site.note_author_found", "an author was matched with an existing user"
)
AUTHOR_CREATED: Final = Template("site.note_author_created", "a user was created for an author")
SEVERAL_COMPANIES: Final = Template(
    "site.note_companies", "several rows about the company; older ones were skipped"
)
COMPANY_UNNAMED: Final = Template("site.note_company_name", "the company had no name")
MORE_NOTES: Final = Template("site.note_more", "more decisions")
