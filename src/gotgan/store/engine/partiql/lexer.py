"""The tokens of a PartiQL statement, and a reader of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from gotgan.store.engine.faults import ValidationException

MAX_NESTING = 64
# The words of the grammar: an attribute or table of such a name is written in double quotes.
_KEYWORD_TEXT = """
ALL AND AS ASC BETWEEN BY DELETE DESC EXISTS FALSE FROM GROUP HAVING IN INSERT INTO IS LIKE LIMIT
MISSING NOT NULL OFFSET OR ORDER REMOVE RETURNING SELECT SET TRUE UPDATE VALUE
VALUES WHERE
"""
_KEYWORDS = frozenset(_KEYWORD_TEXT.split())
_PATTERN = re.compile(
    r"""
      (?P<space>[ \t\r\n\f]+|--[^\n]*|/\*.*?\*/)
    | (?P<string>'(?:[^']|'')*')
    | (?P<quoted>"(?:[^"]|"")+")
    | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
    | (?P<sign><<|>>|<>|!=|<=|>=|[<>=+\-*()\[\]{}.,:;?])
    | (?P<stray>.)
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)


class StatementTokenKind(Enum):
    """The kinds of tokens."""

    STRING = "string"
    QUOTED = "quoted"
    NUMBER = "number"
    NAME = "name"
    SIGN = "sign"
    KEYWORD = "keyword"
    STRAY = "stray"
    END = "end"


@dataclass(frozen=True, slots=True)
class StatementToken:
    """A token: ``text`` is what it stands for, without quotes; a keyword is in upper case."""

    kind: StatementTokenKind
    text: str

    @property
    def is_identifier(self) -> bool:
        """Whether it can name a table, an index or an attribute."""
        return self.kind in {StatementTokenKind.NAME, StatementTokenKind.QUOTED}


def malformed(reason: str) -> ValidationException:
    """The error of a statement that is not PartiQL as DynamoDB reads it."""
    return ValidationException(f"Statement wasn't well formed, can't be processed: {reason}")


def _tokens(text: str) -> Iterator[StatementToken]:
    for match in _PATTERN.finditer(text):
        written = match.group()
        if match.lastgroup == "space":
            continue
        kind = StatementTokenKind(match.lastgroup)
        if kind is StatementTokenKind.NAME and written.upper() in _KEYWORDS:
            kind, written = StatementTokenKind.KEYWORD, written.upper()
        elif kind in {StatementTokenKind.STRING, StatementTokenKind.QUOTED}:
            quote = written[0]
            written = written[1:-1].replace(quote + quote, quote)
        yield StatementToken(kind, written)
    yield StatementToken(StatementTokenKind.END, "")


class StatementReader:
    """The tokens of one statement and the position in them."""

    def __init__(self, text: str) -> None:
        self._tokens = tuple(_tokens(text))
        self._position = 0
        self._nesting = 0

    @property
    def token(self) -> StatementToken:
        """The next token to read."""
        return self._tokens[self._position]

    def follows(self, sign: str) -> bool:
        """Whether this sign comes right after the next token."""
        after = self._tokens[min(self._position + 1, len(self._tokens) - 1)]
        return after == StatementToken(StatementTokenKind.SIGN, sign)

    def take(self) -> StatementToken:
        """Read one token of any kind; the end token is returned as often as it is read."""
        token = self.token
        self._position += token.kind is not StatementTokenKind.END
        return token

    def accept(self, *words: str) -> str | None:
        """Read the next token if it is one of these signs or keywords."""
        token = self.token
        if token.kind in _WORDS and token.text in words:
            return self.take().text
        return None

    def expect(self, *words: str) -> str:
        """Read one of these signs or keywords; anything else is an error."""
        return self.accept(*words) or self.fail()

    def identifier(self) -> str:
        """Read the name of a table, an index or an attribute."""
        if not self.token.is_identifier:
            self.fail()
        return self.take().text

    def fail(self) -> NoReturn:
        """Refuse the next token."""
        is_keyword = self.token.kind is StatementTokenKind.KEYWORD
        raise malformed("Unexpected keyword" if is_keyword else "Unexpected term")

    def finish(self) -> None:
        """Expect the end of the statement, perhaps after a semicolon."""
        self.accept(";")
        if self.token.kind is not StatementTokenKind.END:
            raise malformed("Unexpected token after expression")

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Enter one more level of nested groups or values, up to a limit."""
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise malformed(f"There are more than {MAX_NESTING} nesting levels")
        yield
        self._nesting -= 1


_WORDS = frozenset({StatementTokenKind.SIGN, StatementTokenKind.KEYWORD})
