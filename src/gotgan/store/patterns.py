"""Access patterns: functions that return a read, and know what they read before they run.

    @pattern
    def posts_in(category_id: str) -> Query[Post]:
        \"\"\"The posts of a category, newest first.\"\"\"
        return Post.key.query(category_id=category_id).newest_first()

The signature gives the types and the docstring the documentation. Declaring a pattern traces it,
so that one that cannot work fails at import, and its table knows all its patterns.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from gotgan.errors import DeclarationError
from gotgan.store.keys import Ref
from gotgan.store.queries import Query
from gotgan.store.tables import Table
from gotgan.store.tracing import Read, trace

__all__ = ["AnyPattern", "Pattern", "pattern", "patterns_of"]

P = ParamSpec("P")
R = TypeVar("R", bound=Query[Any] | Ref[Any])


class Pattern(Generic[P, R]):
    """An access pattern; calling it gives its read."""

    def __init__(self, function: Callable[P, R]) -> None:
        update_wrapper(self, function)
        self._function = function
        self.name = function.__name__
        self.module = function.__module__
        self.doc = inspect.getdoc(function) or ""
        # Annotations that are kept as text come in quotes.
        self.signature = f"{self.name}{inspect.signature(function)}".replace("'", "")
        self.reads: tuple[Read, ...] = trace(function)
        if not self.doc:
            raise DeclarationError(
                f"the access pattern {self.name} needs a docstring that says what it finds"
            )

    @property
    def table(self) -> Table:
        """The table that it reads first."""
        return self.reads[0].table

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The read, for a store to carry out."""
        return self._function(*args, **kwargs)


AnyPattern = Pattern[..., Any]


def pattern(function: Callable[P, R]) -> Pattern[P, R]:
    """Declare an access pattern."""
    declared = Pattern(function)
    for table in {read.table for read in declared.reads}:
        table.patterns.append(declared)
    return declared


def patterns_of(table: Table) -> list[AnyPattern]:
    """The access patterns that read a table, as they were declared."""
    return list(table.patterns)
