"""S3 and servers that speak its protocol, through boto3.

Region, credentials and the endpoint (``AWS_ENDPOINT_URL_S3``) are AWS's usual settings. An object
appears when it was uploaded whole, so two exports at once leave complete files too; of a file that
the other one wrote, the stamp in the manifest is wrong, and the next export writes it again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from gotgan.errors import ExportError, UsageError
from gotgan.exports import messages
from gotgan.messages import text

_MISSING: Final = frozenset({"NoSuchKey", "404"})
_TIMEOUT_S: Final = 60


class S3Target:
    """A prefix of a bucket."""

    def __init__(self, place: str) -> None:
        """``place`` is the bucket and the prefix, such as ``bucket/folder``."""
        self._bucket, _, folder = place.partition("/")
        self.name = f"s3://{place}".rstrip("/")
        if not self._bucket:
            raise UsageError(messages.NO_BUCKET(url=f"s3://{place}"))
        self._prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        self._raised = _botocore_errors()
        try:
            self._client = _client()
        except self._raised as error:
            raise self._error(error) from error
        except ValueError as error:  # an endpoint that is no URL
            raise self._error(error) from error

    @contextmanager
    def lock(self, data_set: str) -> Iterator[None]:  # noqa: ARG002 - see the module
        """Nothing: exports at the same time do no harm."""
        yield

    def files(self, data_set: str) -> Mapping[str, str]:
        """The objects of a data set with their ETags."""
        found: dict[str, str] = {}
        with self._explained_errors():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._key(f"{data_set}/")
            )
            for page in pages:
                for each in page.get("Contents", ()):
                    found[each["Key"].removeprefix(self._prefix)] = each["ETag"]
        return found

    def read(self, path: str) -> bytes | None:
        """The content of a small object; None if there is none."""
        with self._explained_errors():
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=self._key(path))
                content: bytes = answer["Body"].read()
            except self._client.exceptions.ClientError as error:
                if error.response["Error"]["Code"] in _MISSING:
                    return None
                raise
        return content

    @contextmanager
    def draft(self, path: str) -> Iterator[Path]:
        """A file in a temporary folder."""
        with self._explained_errors(), tempfile.TemporaryDirectory(prefix="gotgan-") as folder:
            yield Path(folder) / path.rpartition("/")[2]

    def publish(self, draft: Path, path: str) -> str:
        """Upload a draft in one request."""
        with draft.open("rb") as file:
            answer = self._client.put_object(Bucket=self._bucket, Key=self._key(path), Body=file)
        return str(answer["ETag"])

    def delete(self, path: str) -> None:
        """Delete an object."""
        with self._explained_errors():
            self._client.delete_object(Bucket=self._bucket, Key=self._key(path))

    def _key(self, path: str) -> str:
        return self._prefix + path

    @contextmanager
    def _explained_errors(self) -> Iterator[None]:
        try:
            yield
        except self._raised as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> ExportError:
        cause = text(str(error).rstrip("."))
        return ExportError(messages.NOT_WRITTEN(target=self.name, cause=cause))


def _botocore_errors() -> tuple[type[Exception], ...]:
    """What botocore raises; asked first, so it is here that a missing boto3 is noticed."""
    try:
        import boto3  # noqa: F401, PLC0415 - an extra, and heavy
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - the same
    except ImportError:
        raise UsageError(messages.NO_BOTO3()) from None
    return BotoCoreError, ClientError, OSError


def _client() -> Any:
    import boto3  # noqa: PLC0415 - an extra, and heavy
    from botocore.config import Config  # noqa: PLC0415 - the same

    config = Config(
        connect_timeout=_TIMEOUT_S,
        read_timeout=_TIMEOUT_S,
        retries={"mode": "standard"},
        # Not every server that speaks S3 knows the checksums that botocore adds.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return boto3.client("s3", config=config)
