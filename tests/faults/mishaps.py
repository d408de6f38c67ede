"""What can go wrong with one call: each mishap is a value, used up by the call it happens to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from gotgan.store.engine.faults import (
    DynamoDBError,
    ProvisionedThroughputExceededException,
    TransactionCanceledException,
)
from gotgan.store.engine.protocol import WireResponse
from tests.faults.batches import partial_answer

__all__ = [
    "Exchange",
    "Mishap",
    "closed_after",
    "closed_before",
    "cut_off",
    "fails",
    "hangs",
    "page_of_a_proxy",
    "partial",
    "refuses",
    "slow",
    "throttles",
    "transaction_conflicts",
]


class Exchange(Protocol):
    """One request, and what can be done with it."""

    operation: str
    body: bytes

    def carry_out(self, body: bytes | None = None) -> WireResponse:
        """Have the engine do it, or something else that was not asked for."""

    def refusal(self, fault: DynamoDBError) -> WireResponse:
        """A fault as DynamoDB writes it."""

    def reply(
        self, answer: WireResponse, *, sent: int | None = None, checksum: bool = True
    ) -> None:
        """Send an answer; of its body so many bytes, and then no more."""

    def hang_up(self) -> None:
        """Close the connection without a word."""

    def wait_for_client(self, seconds: float | None = None) -> None:
        """Do nothing until the client has gone, or for so long."""


@dataclass(frozen=True)
class Mishap:
    """Something that happens to one call: to the next, or to the next of one operation."""

    name: str
    happen: Callable[[Exchange], None]
    operation: str | None = None

    def of(self, operation: str) -> Mishap:
        """The same, for calls of this operation alone."""
        return Mishap(self.name, self.happen, operation)


def refuses(fault: DynamoDBError) -> Mishap:
    """The call is refused and not carried out."""
    return Mishap(fault.code, lambda exchange: exchange.reply(exchange.refusal(fault)))


def throttles() -> Mishap:
    """The table's capacity is used up."""
    return refuses(ProvisionedThroughputExceededException("The table's capacity is used up"))


def transaction_conflicts(*codes: str) -> Mishap:
    """A transaction is cancelled for these reasons, one per action."""
    reasons = [{"Code": code} for code in codes]
    message = f"Transaction cancelled [{', '.join(codes)}]"
    return refuses(TransactionCanceledException(message, CancellationReasons=reasons))


def fails(status: int = 500, body: bytes = b"", *, carried_out: bool = False) -> Mishap:
    """The server fails, before or after it has carried out the call."""

    def happen(exchange: Exchange) -> None:
        if carried_out:
            exchange.carry_out()
        exchange.reply(WireResponse(status, body))

    return Mishap(f"HTTP {status}", happen)


def hangs(*, carried_out: bool = False) -> Mishap:
    """No answer comes; the client has to give up."""

    def happen(exchange: Exchange) -> None:
        if carried_out:
            exchange.carry_out()
        exchange.wait_for_client()

    return Mishap("hangs", happen)


def closed_before() -> Mishap:
    """The connection is closed before the call is carried out."""
    return Mishap("closed before", lambda exchange: exchange.hang_up())


def closed_after() -> Mishap:
    """The call is carried out, and its answer is lost."""

    def happen(exchange: Exchange) -> None:
        exchange.carry_out()
        exchange.hang_up()

    return Mishap("closed after", happen)


def cut_off(*, checksum: bool = True) -> Mishap:
    """The call is carried out, and half of the answer comes."""

    def happen(exchange: Exchange) -> None:
        answer = exchange.carry_out()
        exchange.reply(answer, sent=len(answer.body) // 2, checksum=checksum)

    return Mishap("cut off", happen)


def page_of_a_proxy() -> Mishap:
    """Somebody on the way answers with a web page, and calls it a success."""
    page = WireResponse(200, b"<html><body>Please sign in.</body></html>", b"text/html")
    return Mishap("page of a proxy", lambda exchange: exchange.reply(page, checksum=False))


def partial(processed: int) -> Mishap:
    """Of a batch only the first so many are processed; the rest comes back as unprocessed."""

    def happen(exchange: Exchange) -> None:
        exchange.reply(partial_answer(exchange, processed))

    return Mishap(f"partial {processed}", happen)


def slow(seconds: float) -> Mishap:
    """The answer takes its time, but comes."""

    def happen(exchange: Exchange) -> None:
        exchange.wait_for_client(seconds)
        exchange.reply(exchange.carry_out())

    return Mishap("slow", happen)
