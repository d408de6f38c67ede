"""The words and signs of an expression, each with its place in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

__all__ = ["KEYWORDS", "ExpressionToken", "TokenKind", "tokenize"]

KEYWORDS = frozenset({"ADD", "AND", "BETWEEN", "DELETE", "IN", "NOT", "OR", "REMOVE", "SET"})

_PATTERN = re.compile(
    r"""
      (?P<name>[A-Za-z][A-Za-z0-9_]*)
    | (?P<alias>\#[A-Za-z0-9_]+)
    | (?P<value>:[A-Za-z0-9_]+)
    | (?P<index>0|[1-9][0-9]*)
    | (?P<sign><>|<=|>=|[<>=+\-()\[\].,])
    | (?P<stray>"[^"]*"|'[^']*'|[^ \t\r\n\f])
    """,
    re.VERBOSE | re.ASCII,
)


class TokenKind(Enum):
    """What a token can stand for."""

    NAME = "name"
    ALIAS = "alias"
    VALUE = "value"
    INDEX = "index"
    SIGN = "sign"
    KEYWORD = "keyword"
    STRAY = "stray"
    END = "end"


@dataclass(frozen=True, slots=True)
class ExpressionToken:
    """One word or sign: what it is, how it is written, where it stands."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The token as the grammar compares it: keywords are upper case, the rest as written."""
        return self.text.upper() if self.kind is TokenKind.KEYWORD else self.text


def tokenize(text: str) -> tuple[ExpressionToken, ...]:
    """Cut an expression into tokens; the last one is always the end."""
    end = ExpressionToken(TokenKind.END, "<EOF>", len(text), len(text))
    return (*map(_token, _PATTERN.finditer(text)), end)


def _token(match: re.Match[str]) -> ExpressionToken:
    kind = TokenKind(match.lastgroup)
    written = match.group()
    if kind is TokenKind.NAME and written.upper() in KEYWORDS:
        kind = TokenKind.KEYWORD
    return ExpressionToken(kind, written, match.start(), match.end())
