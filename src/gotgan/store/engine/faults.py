"""The errors of DynamoDB's API: one class for each of AWS's codes.

A fault has the shape of botocore's ``ClientError`` (``response``, ``operation_name``), so code
written for boto3 can read it, without botocore being imported.
"""

from __future__ import annotations

from typing import Any, ClassVar

from gotgan.errors import StoreError

CORAL_SERVICE = "com.amazon.coral.service"


class DynamoDBError(StoreError):
    """An answer of DynamoDB's API that is not a success."""

    code: ClassVar[str] = "DynamoDBError"
    status: ClassVar[int] = 400
    namespace: ClassVar[str] = "com.amazonaws.dynamodb.v20120810"

    def __init_subclass__(cls, **attributes: Any) -> None:
        """A class is named as AWS names its code; a class derived from it keeps that code."""
        if DynamoDBError in cls.__bases__:
            attributes["code"] = cls.__name__
        for name, value in attributes.items():
            setattr(cls, name, value)

    def __init__(self, message: str, **members: Any) -> None:
        super().__init__(message)
        self.members = members
        self.operation_name = ""

    @property
    def response(self) -> dict[str, Any]:
        """The answer as botocore's ``ClientError.response`` shows it."""
        return {
            "Error": {"Code": self.code, "Message": self.message},
            "ResponseMetadata": {"HTTPStatusCode": self.status, "RetryAttempts": 0},
            "message": self.message,
            **self.members,
        }

    def __str__(self) -> str:
        during = f" when calling the {self.operation_name} operation" if self.operation_name else ""
        return f"An error occurred ({self.code}){during}: {self.message}"


class ValidationException(DynamoDBError, namespace="com.amazon.coral.validate"):
    """The request breaks a rule of the API."""


def invalid_value(reason: str) -> ValidationException:
    """The error of a parameter, in the words of most of AWS's."""
    return ValidationException(f"One or more parameter values were invalid: {reason}")


class KeyMismatch(ValidationException):
    """A key or item does not fit its table's keys: in a transaction, the reason of one action."""


class SerializationException(DynamoDBError, namespace=CORAL_SERVICE):
    """The request's body is not what the JSON protocol expects."""


class UnknownOperationException(DynamoDBError, namespace=CORAL_SERVICE):
    """There is no such operation here."""


class ConditionalCheckFailedException(DynamoDBError):
    """The condition was false; ``response["Item"]`` holds the item where it was asked for."""


class DuplicateItemException(DynamoDBError):
    """PartiQL's INSERT found an item with the same primary key."""


class ResourceNotFoundException(DynamoDBError):
    """There is no such table or index."""


class TableNotFoundException(DynamoDBError):
    """There is no such table; operations on backups use this code."""


class ResourceInUseException(DynamoDBError):
    """The table is there already, or is being changed."""


class LimitExceededException(DynamoDBError):
    """Too many tables or index changes at once."""


class TrimmedDataAccessException(DynamoDBError):
    """The records at that place of a stream are older than 24 hours, and gone."""


class ExpiredIteratorException(DynamoDBError):
    """A shard iterator is older than 15 minutes."""


class TransactionCanceledException(DynamoDBError):
    """A transaction was refused whole; ``CancellationReasons`` has one entry per action."""


class IdempotentParameterMismatchException(DynamoDBError):
    """The token was used with other parameters within the last ten minutes."""


class InternalServerError(DynamoDBError, status=500, retry=True):
    """The engine itself failed."""


# AWS's, for code that catches them: nothing here throttles, transactions wait for each other, and
# any credentials will do.


class AccessDeniedException(DynamoDBError, namespace=CORAL_SERVICE):
    """Of AWS alone: these credentials may not do this; its policy has to allow it."""


class ExpiredTokenException(DynamoDBError, namespace=CORAL_SERVICE):
    """Of AWS alone: the credentials were temporary, and their time is over; sign in again."""


class UnrecognizedClientException(DynamoDBError, namespace=CORAL_SERVICE):
    """Raised by AWS only: the credentials do not exist; check the access key and its account."""


class ItemCollectionSizeLimitExceededException(DynamoDBError):
    """Of AWS alone: an item collection with local indexes would pass 10 GB."""


class ProvisionedThroughputExceededException(DynamoDBError, retry=True):
    """Of AWS alone: the table's capacity is used up."""


class ReplicatedWriteConflictException(DynamoDBError, retry=True):
    """Of AWS alone: two regions of a global table wrote the same item."""


class RequestLimitExceeded(DynamoDBError, retry=True):
    """Of AWS alone: the account's limit of requests is passed."""


class ThrottlingException(DynamoDBError, retry=True):
    """Of AWS alone: too many requests at once."""


class TransactionConflictException(DynamoDBError, retry=True):
    """Of AWS alone: a transaction on the same item is running."""


class TransactionInProgressException(DynamoDBError, retry=True):
    """Of AWS alone: the transaction with this token is running."""


def reason_code(fault: DynamoDBError) -> str:
    """Return the short code of a fault that is a part of an answer, as in a PartiQL batch."""
    if isinstance(fault, ValidationException):
        return "ValidationError"
    return fault.code.removesuffix("Exception")


BY_CODE: dict[str, type[DynamoDBError]] = {
    fault.code: fault for fault in DynamoDBError.__subclasses__()
}


def fault_for_code(code: str, message: str, status: int = 400, **members: Any) -> DynamoDBError:
    """The fault of a code; one that has no class here carries its code on the instance."""
    kind = BY_CODE.get(code)
    if kind is not None:
        return kind(message, **members)
    fault = DynamoDBError(message, **members)
    vars(fault).update(code=code, status=status)  # of the class everywhere else
    return fault
