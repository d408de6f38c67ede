"""What DynamoDB's API answers when it refuses: one class for each of AWS's codes.

A fault has the shape of botocore's ``ClientError`` (``response``, ``operation_name``), so code
written for boto3 can read it, without botocore being imported.
"""

from __future__ import annotations

from typing import Any, ClassVar

from gotgan.errors import StoreError

__all__ = [
    "BY_CODE",
    "AccessDeniedException",
    "ConditionalCheckFailedException",
    "DynamoDBError",
    "ExpiredTokenException",
    "IdempotentParameterMismatchException",
    "InternalServerError",
    "ItemCollectionSizeLimitExceededException",
    "KeyMismatch",
    "LimitExceededException",
    "ProvisionedThroughputExceededException",
    "ReplicatedWriteConflictException",
    "RequestLimitExceeded",
    "ResourceInUseException",
    "ResourceNotFoundException",
    "SerializationException",
    "ThrottlingException",
    "TransactionCanceledException",
    "TransactionConflictException",
    "TransactionInProgressException",
    "UnknownOperationException",
    "UnrecognizedClientException",
    "ValidationException",
    "fault_of",
]


class DynamoDBError(StoreError):
    """An answer of DynamoDB's API that is not a success."""

    code: ClassVar[str] = "DynamoDBError"
    status: ClassVar[int] = 400
    namespace: ClassVar[str] = "com.amazonaws.dynamodb.v20120810"

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


class ValidationException(DynamoDBError):
    """The request breaks a rule of the API."""

    code = "ValidationException"
    namespace = "com.amazon.coral.validate"


class KeyMismatch(ValidationException):
    """A key or item does not fit its table's keys: in a transaction, the reason of one action."""


class SerializationException(DynamoDBError):
    """The request's body is not what the JSON protocol expects."""

    code = "SerializationException"
    namespace = "com.amazon.coral.service"


class UnknownOperationException(DynamoDBError):
    """There is no such operation here."""

    code = "UnknownOperationException"
    namespace = "com.amazon.coral.service"


class ConditionalCheckFailedException(DynamoDBError):
    """The condition was false; ``response["Item"]`` holds the item where it was asked for."""

    code = "ConditionalCheckFailedException"


class ResourceNotFoundException(DynamoDBError):
    """There is no such table or index."""

    code = "ResourceNotFoundException"


class ResourceInUseException(DynamoDBError):
    """The table is there already, or is being changed."""

    code = "ResourceInUseException"


class LimitExceededException(DynamoDBError):
    """Too many tables or index changes at once."""

    code = "LimitExceededException"


class TransactionCanceledException(DynamoDBError):
    """A transaction was refused whole; ``CancellationReasons`` has one entry per action."""

    code = "TransactionCanceledException"


class IdempotentParameterMismatchException(DynamoDBError):
    """The token was used with other parameters within the last ten minutes."""

    code = "IdempotentParameterMismatchException"


class InternalServerError(DynamoDBError):
    """The engine itself failed."""

    code = "InternalServerError"
    status = 500
    retry = True


# AWS's, for code that catches them: nothing here throttles, transactions wait for each other, and
# any credentials will do.


class AccessDeniedException(DynamoDBError):
    """Of AWS alone: these credentials may not do this; its policy has to allow it."""

    code = "AccessDeniedException"
    namespace = "com.amazon.coral.service"


class ExpiredTokenException(DynamoDBError):
    """Of AWS alone: the credentials were temporary, and their time is over; sign in again."""

    code = "ExpiredTokenException"
    namespace = "com.amazon.coral.service"


class UnrecognizedClientException(DynamoDBError):
    """Of AWS alone: there are no such credentials; look at the access key and its account."""

    code = "UnrecognizedClientException"
    namespace = "com.amazon.coral.service"


class ItemCollectionSizeLimitExceededException(DynamoDBError):
    """Of AWS alone: an item collection with local indexes would pass 10 GB."""

    code = "ItemCollectionSizeLimitExceededException"


class ProvisionedThroughputExceededException(DynamoDBError):
    """Of AWS alone: the table's capacity is used up."""

    code = "ProvisionedThroughputExceededException"
    retry = True


class ReplicatedWriteConflictException(DynamoDBError):
    """Of AWS alone: two regions of a global table wrote the same item."""

    code = "ReplicatedWriteConflictException"
    retry = True


class RequestLimitExceeded(DynamoDBError):
    """Of AWS alone: the account's limit of requests is passed."""

    code = "RequestLimitExceeded"
    retry = True


class ThrottlingException(DynamoDBError):
    """Of AWS alone: too many requests at once."""

    code = "ThrottlingException"
    retry = True


class TransactionConflictException(DynamoDBError):
    """Of AWS alone: a transaction on the same item is under way."""

    code = "TransactionConflictException"
    retry = True


class TransactionInProgressException(DynamoDBError):
    """Of AWS alone: the transaction with this token is under way."""

    code = "TransactionInProgressException"
    retry = True


BY_CODE: dict[str, type[DynamoDBError]] = {
    fault.code: fault for fault in DynamoDBError.__subclasses__()
}


def fault_of(code: str, message: str, status: int = 400, **members: Any) -> DynamoDBError:
    """The fault of a code; one that has no class here carries its code on the instance."""
    kind = BY_CODE.get(code)
    if kind is not None:
        return kind(message, **members)
    fault = DynamoDBError(message, **members)
    vars(fault).update(code=code, status=status)  # of the class everywhere else
    return fault
