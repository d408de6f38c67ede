"""Messages of exports; their Korean is in ``texts/ko/exports.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

NO_DATA_SETS: Final = Template("exports.no_data_sets", "The domain {domain} has nothing to export.")
NO_DATA_SET: Final = Template(
    "exports.no_data_set", "{domain} has no data set {name}. Use one of {known:list}."
)
SPAN_BACKWARDS: Final = Template(
    "exports.span_backwards", "The first day, {since}, is after the last day, {until}."
)
NO_PYARROW: Final = Template(
    "exports.no_pyarrow", "Parquet files need pyarrow. Run: pip install 'gotgan[parquet]'."
)
NO_BOTO3: Final = Template("exports.no_boto3", "S3 needs boto3. Run: pip install 'gotgan[aws]'.")
NO_BUCKET: Final = Template(
    "exports.no_bucket", "{url} names no bucket. Use s3://bucket or s3://bucket/folder."
)
OTHER_SCHEME: Final = Template(
    "exports.other_scheme", "Cannot export to {url}. Use a folder or s3://bucket/folder."
)
RUNNING: Final = Template(
    "exports.running",
    "Another export of {name} to {target} is running. Wait until it has finished.",
)
OTHER_DOMAIN: Final = Template(
    "exports.other_domain",
    "{path} has the data set {name} of the domain {domain}. Export to another folder.",
)
BAD_MANIFEST: Final = Template(
    "exports.bad_manifest",
    "{path} is not a manifest of this version of Gotgan. Delete it to write all files again.",
)
NOT_WRITTEN: Final = Template(
    "exports.not_written",
    "Could not export to {target}: {cause}. Files that were written before are complete; run the "
    "export again to continue.",
)
