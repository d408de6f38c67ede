"""Tables to declare entities in, and declarations that must fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gotgan.errors import DeclarationError
from gotgan.store import Table

__all__ = ["refused", "things"]


def things(**options: Any) -> Table:
    """A table with keys of text."""
    return Table("things", pk="pk", sk="sk", **options)


@contextmanager
def refused(*sentences: str) -> Iterator[None]:
    """Expect a declaration to fail, and to say this."""
    with pytest.raises(DeclarationError) as error:
        yield
    for sentence in sentences:
        assert sentence in str(error.value)
