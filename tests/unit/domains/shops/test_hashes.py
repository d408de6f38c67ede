from __future__ import annotations

from hashlib import sha256

import pytest

from gotgan.domains.shops.changes import state_hash
from gotgan.domains.shops.extract import Status


@pytest.mark.parametrize(
    ("status", "price", "currency", "form"),
    [
        (Status.AVAILABLE, 129900, "EUR", "AVAILABLE|129900|EUR"),
        (Status.SOLD, None, None, "SOLD||"),
        (Status.SOLD, None, "EUR", "SOLD||"),
        (Status.UNKNOWN, 129900, "EUR", "|129900|EUR"),
        (None, 129900, None, "|129900|"),
        ("REMOVED", None, None, "REMOVED||"),
    ],
)
def test_the_hash_is_over_the_status_the_price_and_the_currency(
    status: str | None, price: int | None, currency: str | None, form: str
) -> None:
    assert state_hash(status, price, currency) == sha256(form.encode()).hexdigest()


@pytest.mark.parametrize("status", [Status.UNKNOWN, "UNKNOWN", None])
def test_who_says_nothing_has_no_hash(status: str | None) -> None:
    assert state_hash(status, None, "EUR") is None
