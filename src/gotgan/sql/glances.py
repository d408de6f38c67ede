"""A look at one value by the driver alone, for what is asked a thousand times a second.

To let SQLAlchemy carry out a statement in a transaction takes eight times as long as the look.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from typing import Any

from sqlalchemy import Engine, Select

from gotgan.sql.mishaps import told

__all__ = ["CompiledQuery"]


class CompiledQuery:
    """A statement that SQLAlchemy writes once, and the driver asks for; safe for all threads."""

    def __init__(
        self, engine: Engine, turn: AbstractContextManager[Any], statement: Select[Any]
    ) -> None:
        compiled = statement.compile(dialect=engine.dialect)
        self._engine = engine
        self._turn = turn
        self._text = str(compiled)
        self._given = dict(compiled.params)
        self._places = compiled.positiontup

    def value(self, **values: Any) -> Any:
        """The first value of the first row; None where there is none, or where the driver fails.

        Whoever finds nothing asks in the usual way, which says what is wrong.
        """
        with self._turn, told(self._engine.url), closing(self._engine.raw_connection()) as opened:
            try:
                with closing(opened.cursor()) as cursor:
                    cursor.execute(self._text, self._parameters(values))
                    row = cursor.fetchone()
            except self._engine.dialect.loaded_dbapi.Error:
                return None
        return None if row is None else row[0]

    def _parameters(self, values: dict[str, Any]) -> Any:
        """The values as the driver takes them: by place or by name."""
        all_of_them = self._given | values
        if self._places is None:
            return all_of_them
        return [all_of_them[name] for name in self._places]
