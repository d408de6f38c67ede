"""The tokens of all documents: FTS5 in SQLite, a ``tsvector`` with a GIN index in PostgreSQL.

Beside each word of a title stands the same word with a sign in front, which no word has; so do the
names, the kind and the role of a document. Every question is then a set of tokens, and both
databases answer it alike. Ids are read downwards: the newest come first, and the rest is not read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from sqlalchemy import text

from gotgan.search.tokens import SearchQuery, Term, fold_name, tokens

if TYPE_CHECKING:
    from sqlalchemy import Connection

Tier = Literal[0, 1, 2]
"""The name itself, all words in the title, all words anywhere."""
TIERS: Final[tuple[Tier, ...]] = (0, 1, 2)
_TITLE: Final = "\u2020"
_NAME: Final = "\u2261"
_KIND: Final = "\u00a7"
_ROLE: Final = "\u00b6"
SIGNS: Final = (_TITLE, _NAME, _KIND, _ROLE)
"""They are in front of what is no word; no word has them."""
_MAX_NAME_CHARS: Final = 100
_PREFER_INDEX: Final = text("SET LOCAL random_page_cost = 1.1")
"""The table is in memory; the planner of PostgreSQL would rather read all of it."""


def document_tokens(row: Any) -> list[str]:
    """The tokens of a row of ``search_documents``; the same for the same row."""
    names = row.names.split("\n") if row.names else []
    titled = tokens(row.title)
    words = [*titled, *tokens("\n".join([row.text, *names]))]
    folded = [fold_name(each) for each in (row.title, *names)]
    found = [
        _KIND + row.kind,
        _ROLE + row.role,
        *(_NAME + each for each in folded if 0 < len(each) <= _MAX_NAME_CHARS),
        *(_TITLE + each for each in titled),
        *words,
    ]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Which documents are looked for."""

    query: SearchQuery
    kinds: tuple[str, ...] = ()
    """Only these; all if there are none."""
    hidden_roles: tuple[str, ...] = ()
    """The roles whose documents the reader may not see."""


class TokenIndex(ABC):
    """The table ``search_index`` of a kind of database."""

    @abstractmethod
    def add(self, connection: Connection, rows: Sequence[Any]) -> None:
        """Add documents that are not in it."""

    @abstractmethod
    def remove(self, connection: Connection, rows: Sequence[Any]) -> None:
        """Remove documents, as they were added."""

    @abstractmethod
    def clear(self, connection: Connection) -> None:
        """Remove everything."""

    @abstractmethod
    def learn(self, connection: Connection) -> None:
        """Count tokens after many were written, so that queries are planned well."""

    @abstractmethod
    def ids(
        self, connection: Connection, wanted: SearchRequest, tier: Tier, below: int, limit: int
    ) -> list[int]:
        """The ids of a tier that are smaller than one, the largest first."""

    @abstractmethod
    def counts(
        self, connection: Connection, wanted: SearchRequest, kinds: Sequence[str], at_most: int
    ) -> list[int]:
        """How many documents of each kind are found in all tiers, counted up to a bound."""


def token_index(connection: Connection) -> TokenIndex:
    """The index of a database."""
    return _PostgresIndex() if connection.dialect.name == "postgresql" else _SqliteIndex()


class _SqliteIndex(TokenIndex):
    """FTS5 without content: what is removed must be given again."""

    def add(self, connection: Connection, rows: Sequence[Any]) -> None:
        connection.exec_driver_sql(
            "INSERT INTO search_index (rowid, tokens) VALUES (?, ?)", _rowid_tokens(rows)
        )

    def remove(self, connection: Connection, rows: Sequence[Any]) -> None:
        connection.exec_driver_sql(
            "INSERT INTO search_index (search_index, rowid, tokens) VALUES ('delete', ?, ?)",
            _rowid_tokens(rows),
        )

    def clear(self, connection: Connection) -> None:
        connection.exec_driver_sql("INSERT INTO search_index (search_index) VALUES ('delete-all')")

    def learn(self, connection: Connection) -> None:
        """FTS5 plans nothing."""

    def ids(
        self, connection: Connection, wanted: SearchRequest, tier: Tier, below: int, limit: int
    ) -> list[int]:
        found = connection.exec_driver_sql(
            "SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid < ?"
            " ORDER BY rowid DESC LIMIT ?",
            (_SQLITE.selected(wanted, tier), below, limit),
        )
        return list(found.scalars())

    def counts(
        self, connection: Connection, wanted: SearchRequest, kinds: Sequence[str], at_most: int
    ) -> list[int]:
        asked = (_SQLITE.selected(replace(wanted, kinds=(kind,)), None) for kind in kinds)
        one = (
            "SELECT count(*) FROM"
            " (SELECT rowid FROM search_index WHERE search_index MATCH ? LIMIT ?)"
        )
        values = tuple(value for each in asked for value in (each, at_most))
        query = " UNION ALL ".join([one] * len(kinds))
        return list(connection.exec_driver_sql(query, values).scalars())


def _rowid_tokens(rows: Iterable[Any]) -> list[tuple[int, str]]:
    return [(row.id, " ".join(document_tokens(row))) for row in rows]


class _PostgresIndex(TokenIndex):
    """A table of vectors without positions."""

    def add(self, connection: Connection, rows: Sequence[Any]) -> None:
        statement = text("INSERT INTO search_index VALUES (:id, array_to_tsvector(:tokens))")
        values = [{"id": row.id, "tokens": document_tokens(row)} for row in rows]
        connection.execute(statement, values)

    def remove(self, connection: Connection, rows: Sequence[Any]) -> None:
        statement = text("DELETE FROM search_index WHERE id = ANY(:ids)")
        connection.execute(statement, {"ids": [row.id for row in rows]})

    def clear(self, connection: Connection) -> None:
        connection.execute(text("DELETE FROM search_index"))

    def learn(self, connection: Connection) -> None:
        connection.execute(text("ANALYZE search_index"))

    def ids(
        self, connection: Connection, wanted: SearchRequest, tier: Tier, below: int, limit: int
    ) -> list[int]:
        connection.execute(_PREFER_INDEX)
        statement = text(
            "SELECT id FROM search_index WHERE tokens @@ CAST(:asked AS tsquery) AND id < :below"
            " ORDER BY id DESC LIMIT :most"
        )
        values = {"asked": _POSTGRES.selected(wanted, tier), "below": below, "most": limit}
        return list(connection.execute(statement, values).scalars())

    def counts(
        self, connection: Connection, wanted: SearchRequest, kinds: Sequence[str], at_most: int
    ) -> list[int]:
        asked = [_POSTGRES.selected(replace(wanted, kinds=(kind,)), None) for kind in kinds]
        one = (
            "SELECT count(*) FROM (SELECT FROM search_index"
            " WHERE tokens @@ CAST(:asked{} AS tsquery) LIMIT :most) AS found"
        )
        query = " UNION ALL ".join(one.format(number) for number in range(len(kinds)))
        values = {f"asked{number}": each for number, each in enumerate(asked)}
        connection.execute(_PREFER_INDEX)
        return list(connection.execute(text(query), {**values, "most": at_most}).scalars())


@dataclass(frozen=True, slots=True)
class _Syntax:
    """How a database writes an expression of tokens, none of which has a quote or a space."""

    token: str
    prefix: str
    both: str
    either: str
    without: str

    def selected(self, wanted: SearchRequest, tier: Tier | None) -> str:
        """The documents of a tier, or of all tiers."""
        terms, name = wanted.query.terms, self._any([Term(_NAME + wanted.query.name)])
        anywhere = self._all(terms)
        in_title = self._all([Term(_TITLE + each.token, each.is_prefix) for each in terms])
        found = {
            None: f"({anywhere}{self.either}{name})",
            0: name,
            1: f"({in_title}{self.without}{name})",
            2: f"(({anywhere}{self.without}{in_title}){self.without}{name})",
        }[tier]
        if wanted.kinds:
            kinds = self._any([Term(_KIND + each) for each in wanted.kinds])
            found = f"({found}{self.both}{kinds})"
        if wanted.hidden_roles:
            roles = self._any([Term(_ROLE + each) for each in wanted.hidden_roles])
            found = f"({found}{self.without}{roles})"
        return found

    def _all(self, terms: Iterable[Term]) -> str:
        return f"({self.both.join(map(self._written, terms))})"

    def _any(self, terms: Iterable[Term]) -> str:
        return f"({self.either.join(map(self._written, terms))})"

    def _written(self, term: Term) -> str:
        return (self.prefix if term.is_prefix else self.token).format(term.token)


_SQLITE: Final = _Syntax('"{}"', '"{}"*', " AND ", " OR ", " NOT ")
_POSTGRES: Final = _Syntax("'{}'", "'{}':*", " & ", " | ", " & !")
