"""Messages of dumps, loads and queries of tables; their Korean is in ``texts/ko/data.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

# Files

IN_USE: Final = Template("data.in_use", "{what} is running in another process. Wait for it.")
A_DUMP: Final = Template("data.a_dump", "A dump to {path}")
A_LOAD: Final = Template("data.a_load", "A load of {source} into {table}")
UNUSABLE: Final = Template("data.unusable", "Could not use {path}: {cause}.")
BAD_LINES_EXIST: Final = Template(
    "data.bad_lines_exist", "{path} exists. Name a new file for the bad lines."
)

# Streams

NO_STREAM: Final = Template(
    "data.no_stream",
    "Table {table} has no stream, so its changes are not recorded. Enable a stream first.",
)

# Dumps

DUMP_TOO_SHORT: Final = Template(
    "data.dump_too_short",
    "The dump is damaged: {path} is shorter than its manifest says. Remove the dump and start "
    "again.",
)
ONE_SEGMENT: Final = Template(
    "data.one_segment", "A single file takes one segment. Name a folder, or do not set segments."
)
TOO_MANY_SEGMENTS: Final = Template(
    "data.too_many_segments", "A dump has 1 to {maximum} segments, not {count}."
)
TARGET_EXISTS: Final = Template(
    "data.target_exists",
    "{path} exists and is not an unfinished dump. Name a new file or an empty folder.",
)
OTHER_DUMP: Final = Template(
    "data.other_dump",
    "{path} contains a dump of another table, {table}, from {started}. Use another path.",
)
COMPLETE_DUMP: Final = Template(
    "data.complete_dump",
    "{path} contains a complete dump of {table} from {started}. Use another path.",
)
OTHER_SEGMENTS: Final = Template(
    "data.other_segments",
    "The dump in {path} was started with {count:segment|segments}. Continue without setting "
    "segments.",
)
NAME_GZ: Final = Template(
    "data.name_gz", "A compressed file needs a name that ends in .gz. Use {name}.gz."
)
MANIFEST_NOT_JSON: Final = Template(
    "data.manifest_not_json", "{path} is not the manifest of a dump: it is not JSON."
)
OTHER_MANIFEST: Final = Template(
    "data.other_manifest", "{path} is not the manifest of a dump that this version supports."
)
MANIFEST_DAMAGED: Final = Template("data.manifest_damaged", "{path} is damaged: {cause}")

# Sources of a load

NO_SOURCE: Final = Template("data.no_source", "{path} does not exist.")
DUMP_INCOMPLETE: Final = Template(
    "data.dump_incomplete",
    "The dump of {table} in {path} is not complete. Repeat the dump command to finish it.",
)
NOT_A_SOURCE: Final = Template(
    "data.not_a_source",
    "{path} contains neither {manifest} nor {files}. Name a file of lines, the folder of a dump, "
    "or the folder of an export with its manifests.",
)
EXPORT_INCOMPLETE: Final = Template(
    "data.export_incomplete", "The export has no {name}. Download it too: it describes the export."
)
EXPORT_FORMAT: Final = Template(
    "data.export_format", "The export has the format {format}. Export it again as DYNAMODB_JSON."
)
EXPORT_OF_CHANGES: Final = Template(
    "data.export_of_changes",
    "The export contains changes, not items. Only full exports can be loaded.",
)
EXPORT_NOT_JSON: Final = Template("data.export_not_json", "{path} is not JSON: {cause}.")
NOT_EXPORT_MANIFEST: Final = Template(
    "data.not_export_manifest", "{path} is not the manifest of an export."
)
FILE_OUTSIDE: Final = Template(
    "data.file_outside", "The manifest in {folder} names a file outside of it: {name}."
)
FILE_MISSING: Final = Template("data.file_missing", "{path} is missing, but the manifest names it.")
DAMAGED_GZIP: Final = Template("data.damaged_gzip", "{name} is a damaged gzip file: {cause}.")
LINE_TOO_LONG: Final = Template(
    "data.line_too_long", "{place} has more than {limit} bytes, so it is not an item."
)
OTHER_COUNT: Final = Template(
    "data.other_count",
    "{name} has {count:item|items}, but its manifest says {expected}. It was loaded, but is not "
    "what was dumped.",
)

# Loads

PLACE: Final = Template("data.place", "line {number} of {file}")
OTHER_LOAD: Final = Template(
    "data.other_load",
    "{path} belongs to another load: into another table, or with other options. Finish that one, "
    "or remove the file to start again.",
)
SOURCE_CHANGED: Final = Template(
    "data.source_changed",
    "{source} was changed after {path} was written. Remove {path} to load it from the start.",
)
NOT_PROGRESS: Final = Template(
    "data.not_progress",
    "{path} is not the progress file of a load. Remove it to load from the start.",
)
OTHER_KEY: Final = Template(
    "data.other_key",
    "{source} is a dump of a table with the key {theirs}, but {table} has the key {ours}. Nothing "
    "was written.",
)
NO_MORE_WRITES: Final = Template(
    "data.no_more_writes",
    "Table {table} does not accept more writes for now. Repeat the command later to continue.",
)
BAD_LINE: Final = Template("data.bad_line", "Could not load {place}: {reason}.")
NOT_JSON: Final = Template("data.not_json", "it is not JSON ({cause})")
WRONG_TYPE: Final = Template(
    "data.wrong_type", "it must have the form {form}, but is of type {kind}"
)
WRONG_MEMBERS: Final = Template(
    "data.wrong_members", "it must have the form {form}, but has {members:list}"
)
NO_MEMBERS: Final = Template("data.no_members", "it must have the form {form}, but is empty")
NOT_STORABLE: Final = Template("data.not_storable", "its item cannot be stored ({cause})")
NOT_BASE64: Final = Template("data.not_base64", "it contains bytes that are not base64: {value}")

# Queries

NOT_A_CURSOR: Final = Template("data.not_a_cursor", "Not a valid cursor. Start without one.")
CURSOR_IN_PAGE: Final = Template(
    "data.cursor_in_page", "The cursor ends in the middle of a page. Start without one."
)
OTHER_CURSOR: Final = Template(
    "data.other_cursor", "The cursor belongs to another table or index. Start without one."
)
OTHER_PARTITION: Final = Template(
    "data.other_partition", "The cursor belongs to another partition key. Start without one."
)
UNKNOWN_INDEX: Final = Template(
    "data.unknown_index", "Table {table} has no index {index}. Indexes: {known:list}."
)
NO_INDEXES: Final = Template(
    "data.no_indexes", "Table {table} has no index {index}, and no other index."
)
GLOBAL_NOT_CONSISTENT: Final = Template(
    "data.global_not_consistent",
    "{index} is a global index, which does not support consistent reads. Turn them off.",
)
AT_LEAST_ONE: Final = Template("data.at_least_one", "Show and read at least one item.")
SORT_NEEDS_PARTITION: Final = Template(
    "data.sort_needs_partition",
    "A condition on the sort key needs a partition key. To search everywhere, use a filter.",
)
ORDER_NEEDS_PARTITION: Final = Template(
    "data.order_needs_partition",
    "Newest first needs a partition key: a scan has no order.",
)
NO_SORT_KEY: Final = Template(
    "data.no_sort_key", "{name} has no sort key. Remove the condition on it."
)
FILTER_OR_EXPRESSION: Final = Template(
    "data.filter_or_expression", "Use filters or an expression, not both."
)
VALUE_NEEDS_EXPRESSION: Final = Template(
    "data.value_needs_expression", "Values are for an expression. Add one."
)
EMPTY_KEY: Final = Template("data.empty_key", "{name} is a key and cannot be empty.")
ONE_SORT_CONDITION: Final = Template(
    "data.one_sort_condition",
    "DynamoDB supports one condition on the sort key. Only >=a with <=b can be combined.",
)
AMBIGUOUS_RANGE: Final = Template(
    "data.ambiguous_range",
    "{text} can be split at more than one '..'. Write >=a and <=b as two conditions, or put = in "
    "front of a single value.",
)
NUMBER_PREFIX: Final = Template(
    "data.number_prefix", "{name} is a number, so prefixes do not apply. Use >=, <= or a..b."
)
NOT_A_FILTER: Final = Template(
    "data.not_a_filter",
    "Not a filter: {text}. Write attribute=value (or !=, <, <=, >, >=, ^, ~), 'attribute exists' "
    "or 'attribute missing', with unusual names in double quotes.",
)
NOT_A_PLACEHOLDER: Final = Template(
    "data.not_a_placeholder",
    "Not a placeholder: {text}. Write :n=3 for a value or #s=status for a name.",
)
TAKEN_PLACEHOLDER: Final = Template(
    "data.taken_placeholder", "{name} is already used for the keys. Use another name."
)
NOT_AN_ATTRIBUTE: Final = Template(
    "data.not_an_attribute", "Not an attribute: {text}. Put unusual names in double quotes."
)
BAD_VALUE: Final = Template("data.bad_value", "The value of {name} is not valid: {cause}.")
BAD_NUMBER: Final = Template("data.bad_number", "{name} cannot be {value}: {cause}")
NEEDS_BASE64: Final = Template("data.needs_base64", "{name} contains bytes. Write them as base64.")
NOT_A_BOOLEAN: Final = Template("data.not_a_boolean", "{name} must be true or false, not {value}.")
