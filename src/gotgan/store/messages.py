"""Messages of the store; their Korean is in ``texts/ko/store.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

# Tables and indexes

TABLE_MISSING: Final = Template(
    "store.table_missing",
    "{what} does not exist in {database}. Create it, or set its name in GOTGAN_TABLES.",
)
TABLE_NOT_CREATED: Final = Template(
    "store.table_not_created",
    "{what} does not exist in {database} and could not be created: {cause}",
)
TABLE: Final = Template("store.table", "Table {table}")
TABLE_OR_INDEX: Final = Template("store.table_or_index", "Table {table}, or its index {index},")
ONE_OF_TABLES: Final = Template("store.one_of_tables", "One of the tables {tables:list}")
NO_TABLE: Final = Template("store.no_table", "There is no table {table} in {database}.")
NO_INDEX: Final = Template(
    "store.no_index", "Table {table} has no index {index}, which this query needs. Create it."
)
INDEX_BACKFILLING: Final = Template(
    "store.index_backfilling",
    "Index {index} of table {table} is still being created. Try again when it is ACTIVE.",
)
TABLE_NOT_READY: Final = Template(
    "store.table_not_ready",
    "Table {table} is not ready after {seconds:second|seconds}. DynamoDB is still creating it. "
    "Repeat the command.",
)
TABLE_DIFFERS: Final = Template(
    "store.table_differs", "Table {table} exists but is not as declared: {differences:sentences}"
)

# Cursors and pages

BAD_CURSOR: Final = Template(
    "store.bad_cursor", "The cursor was changed or belongs to another query. Start without one."
)
BAD_PAGE_SIZE: Final = Template(
    "store.bad_page_size", "A page cannot have {limit:item|items}. Request at least one."
)
PAGE_INCOMPLETE: Final = Template(
    "store.page_incomplete",
    "The database did not return {count} of {total} items after several attempts. Try again.",
)
BATCH_INCOMPLETE: Final = Template(
    "store.batch_incomplete",
    "The database did not process the write after several attempts. Try again.",
)

EMPTY_RANGE: Final = Template(
    "store.empty_range", "Nothing is between {low} and {high}. Give the lower bound first."
)

# Keys

EMPTY_KEY_PART: Final = Template(
    "store.empty_key_part", "{field} is empty, but a key needs a value."
)
KEY_PART_TOO_LONG: Final = Template(
    "store.key_part_too_long",
    "{field} has {count} bytes, but the key {key} may have at most {limit}. Shorten it.",
)
KEY_TOO_LONG: Final = Template(
    "store.key_too_long",
    "The key {key} has {count} bytes, but may have at most {limit}. Shorten {fields:list}.",
)
BAD_KEY_NUMBER: Final = Template(
    "store.bad_key_number",
    "{field} is {value}, but this key needs a whole number with at most {digits:digit|digits}.",
)
SEPARATOR_IN_KEY: Final = Template(
    "store.separator_in_key",
    "{field} is {value} and contains {separator}, which separates the parts of this key. Replace "
    "it.",
)
NOT_UNICODE: Final = Template(
    "store.not_unicode", "{value} contains an incomplete character and cannot be stored."
)
BAD_FIELD: Final = Template("store.bad_field", "{field} cannot be {value}: {cause}")
KEY_TAKEN: Final = Template(
    "store.key_taken",
    "The key {key} belongs to {field} {theirs} and cannot be used for {mine}. Use another key.",
)

# Items

BAD_ITEM: Final = Template(
    "store.bad_item",
    "The item {key} of table {table} is not a valid {kind}: {cause}. Correct the item or the "
    "declaration.",
)
BAD_VALUES: Final = Template("store.bad_values", "Not a valid {kind}: {cause}.")
ITEM_MISSING: Final = Template(
    "store.item_missing", "There is no such {kind}. It was deleted or is in another table."
)
VERSION_CONFLICT: Final = Template(
    "store.version_conflict",
    "{key} was changed by someone else: it has version {theirs} and you have version {mine}. "
    "Reload it and repeat the change.",
)
CONDITION_FAILED: Final = Template(
    "store.condition_failed",
    "{key} does not meet the condition of the change. Reload it and try again.",
)
NOT_WRITTEN: Final = Template("store.not_written", "{key} was not written. {cause}")
KEEPS_CHANGING: Final = Template(
    "store.keeps_changing",
    "{key} was not written because others keep creating and deleting it. Try again.",
)
TRANSACTION_FAILED: Final = Template("store.transaction_failed", "Nothing was written. {cause}")
TRANSACTION_FAILED_MORE: Final = Template(
    "store.transaction_failed_more", "Nothing was written. {cause} ({count} more)"
)

# The connection to DynamoDB

OUTCOME_UNKNOWN: Final = Template(
    "store.outcome_unknown",
    "{operation} was sent, but the response was lost ({cause}). It may have been carried out: "
    "check the data before you repeat it.",
)
RESPONSE_LOST: Final = Template(
    "store.response_lost",
    "The response of the database at {endpoint} was lost ({cause}). The operation may have been "
    "carried out. If this happens again, check the database and the network.",
)
UNREACHABLE: Final = Template(
    "store.unreachable",
    "Could not connect to the database at {endpoint}: {cause}. Check that it is running and that "
    "GOTGAN_DYNAMODB and the region are right.",
)
NO_CREDENTIALS: Final = Template(
    "store.no_credentials",
    "The AWS credentials cannot be used: {cause}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY "
    "or AWS_PROFILE, run aws configure, or give this machine a role.",
)
NO_REGION: Final = Template(
    "store.no_region",
    "No region is set. Set AWS_REGION, such as us-east-1. For an endpoint outside AWS, use any "
    "region.",
)
CERTIFICATE: Final = Template(
    "store.certificate",
    "The certificate of {endpoint} is not trusted ({cause}). Set AWS_CA_BUNDLE to the certificate "
    "file of its authority.",
)
NOT_DYNAMODB: Final = Template(
    "store.not_dynamodb",
    "The endpoint answered HTTP {status}, and not as DynamoDB does. Check GOTGAN_DYNAMODB.",
)
BAD_SETUP: Final = Template("store.bad_setup", "boto3 is not set up correctly: {cause}")
BAD_ENDPOINT: Final = Template("store.bad_endpoint", "Not an endpoint: {endpoint} ({cause}).")
NO_BOTO3: Final = Template(
    "store.no_boto3",
    "Tables in AWS or at an endpoint need an extra package. Run pip install 'gotgan[aws]'.",
)

# The file of the embedded engine

CLOSED: Final = Template("store.closed", "The engine is closed. Open it again to use it.")
FORKED: Final = Template(
    "store.forked",
    "This process was forked while its parent was using the file. Open the engine again to use it.",
)
FILE_REPLACED: Final = Template(
    "store.file_replaced",
    "{path} was removed or replaced while it was open. Close the engine and open it again. What "
    "was written since then is lost.",
)
FILE_UNUSABLE: Final = Template("store.file_unusable", "Could not use {path}: {cause}.")
FILE_READ_ONLY: Final = Template(
    "store.file_read_only",
    "{path} is read-only. Give this user write access to the file and its folder, or copy the "
    "folder to a writable place and set GOTGAN_DATA.",
)
FILE_NOT_WRITABLE: Final = Template(
    "store.file_not_writable",
    "Could not write {path}: {cause}. Check the permissions of its folder.",
)
FILE_NOT_READABLE: Final = Template(
    "store.file_not_readable", "Could not read {path}. Give this user access to it."
)
FILE_TOO_OLD: Final = Template(
    "store.file_too_old",
    "{path} has format {found} and must be upgraded to {latest}, but it is read-only. Open it once "
    "with write access.",
)
FILE_TOO_NEW: Final = Template(
    "store.file_too_new",
    "{path} has format {found}, but this version of Gotgan supports up to {latest}. Upgrade "
    "Gotgan.",
)
IS_FOLDER: Final = Template(
    "store.is_folder", "{path} is a folder. Name a file in it, such as {path}/data.sqlite3."
)
NOT_A_FILE: Final = Template("store.not_a_file", "{path} is not a regular file. Use another one.")
NOT_SQLITE: Final = Template(
    "store.not_sqlite", "{path} is not a SQLite file. It was not changed. Use another file."
)
OTHER_PROGRAM: Final = Template(
    "store.other_program",
    "{path} is a SQLite file of another program. It was not changed. Use another file.",
)
FILE_LOCKED: Final = Template(
    "store.file_locked",
    "{path} has been locked by another program for {seconds:second|seconds}. Close that program, "
    "or try again.",
)
DISK_FULL: Final = Template(
    "store.disk_full", "There is no space left for {path}. Free some, then try again."
)
DISK_ERROR: Final = Template(
    "store.disk_error",
    "Could not read or write {path}: {cause}. Check the disk and its free space.",
)
FILE_DAMAGED: Final = Template(
    "store.file_damaged",
    "{path} is damaged: {cause}. It was not changed. Restore it from a backup.",
)

# Prices

PRICES_UNREADABLE: Final = Template(
    "store.prices_unreadable", "Could not read the prices in {path}: {cause}."
)
PRICE_MISSING: Final = Template(
    "store.price_missing",
    "The prices have no {name}. See gotgan/store/prices.json for all of them.",
)
PRICES_INVALID: Final = Template("store.prices_invalid", "The prices are not valid: {cause}.")
TOO_LONG_TO_REPEAT: Final = Template(
    "store.too_long_to_repeat", "A job that takes {took} cannot run every {every}."
)
BAD_INTERVAL: Final = Template("store.bad_interval", "A job cannot run every {every}.")

# Differences of a table from its declaration

DIFFERENCE: Final = Template(
    "store.difference", "{where} {severity}: declared {declared}, found {found}; {remedy}"
)
BREAKS: Final = Template("store.breaks", "breaks")
DIFFERS: Final = Template("store.differs", "differs")
PART_TABLE: Final = Template("store.part_table", "table")
PART_STATUS: Final = Template("store.part_status", "status")
PART_KEY: Final = Template("store.part_key", "key")
PART_TYPE: Final = Template("store.part_type", "type of {name}")
PART_TTL: Final = Template("store.part_ttl", "time to live")
PART_BILLING: Final = Template("store.part_billing", "billing")
PART_STREAM: Final = Template("store.part_stream", "stream")
PART_INDEX: Final = Template("store.part_index", "index {name}")
NO_SUCH_TABLE: Final = Template("store.no_such_table", "no such table")
NO_SUCH_INDEX: Final = Template("store.no_such_index", "no such index")
AN_INDEX: Final = Template("store.an_index", "an index")
LOCAL_INDEX: Final = Template("store.local_index", "a local index")
GLOBAL_INDEX: Final = Template("store.global_index", "a global index")
LOCAL_INDEX_ON: Final = Template("store.local_index_on", "a local index on {keys}")
GLOBAL_INDEX_ON: Final = Template("store.global_index_on", "a global index on {keys}")
COPY_OF_ALL: Final = Template("store.copy_of_all", "a copy of all attributes")
COPY_OF: Final = Template("store.copy_of", "a copy of {names:list}")
KEYS_ALONE: Final = Template("store.keys_alone", "only the keys")
ON: Final = Template("store.on", "on")
OFF: Final = Template("store.off", "off")
ON_DEMAND: Final = Template("store.on_demand", "on demand")
PROVISIONED: Final = Template(
    "store.provisioned", "provisioned, {reads} read and {writes} write units per second"
)
CREATE_TABLE: Final = Template("store.create_table", "create it")
ADD_INDEX: Final = Template("store.add_index", "add it by creating the table again")
RECREATE_TABLE: Final = Template(
    "store.recreate_table",
    "the key of a table cannot be changed: set another name in GOTGAN_TABLES, create that table, "
    "and load a dump of this one into it",
)
RECREATE_LOCAL: Final = Template(
    "store.recreate_local",
    "a local index is created with its table and cannot be changed: set another name in "
    "GOTGAN_TABLES, create that table, and load a dump of this one into it",
)
RECREATE_INDEX: Final = Template("store.recreate_index", "remove the index, then create it again")
REMOVE_INDEXES: Final = Template(
    "store.remove_indexes", "remove the indexes that use {name}, then create them again"
)
CHECK_TABLE: Final = Template(
    "store.check_table", "the table cannot be used: check it in the AWS console"
)
WAIT_FOR_INDEX: Final = Template("store.wait_for_index", "wait until it is ACTIVE")
UNDECLARED_INDEX: Final = Template(
    "store.undeclared_index", "declare it, or remove it: every write to it costs"
)
TURN_TTL_ON: Final = Template(
    "store.turn_ttl_on", "turn it on: until then, expired items are only hidden"
)
WRONG_TTL: Final = Template(
    "store.wrong_ttl",
    "items expire by {found}: declare ttl={declared}, or turn it off with UpdateTimeToLive, once "
    "an hour at most",
)
CHANGE_TABLE: Final = Template(
    "store.change_table", "change the declaration, or change the table in place with UpdateTable"
)

# Items of a load

KEY_ATTRIBUTE_MISSING: Final = Template(
    "store.key_attribute_missing", "its item has no {name}; {keys}"
)
KEY_ATTRIBUTE_TYPE: Final = Template(
    "store.key_attribute_type", "{name} of its item is of type {kind}; {keys}"
)
KEY_ATTRIBUTE_EMPTY: Final = Template(
    "store.key_attribute_empty", "{name} of its item is empty; {keys}"
)
TABLE_KEYS: Final = Template("store.table_keys", "the key of {table} is {keys}")
