"""Reading the tokens of one expression from left to right, and noting what is wrong with it.

A syntax error is raised at once. What is grammatical but not allowed is noted, because AWS speaks
of it only when the whole text has been read: first of redundant parentheses, then of ``misuses``
(words and functions out of place), then of ``faults`` (in what the words stand for).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from gotgan.store.engine.expressions.tokens import ExpressionToken, TokenKind, tokenize
from gotgan.store.engine.faults import ValidationException

__all__ = ["ExpressionReader"]

MAX_BYTES = 4096
MAX_OPERATORS = 300


class ExpressionReader:
    """One expression's text, where reading stands, and what was noted on the way."""

    def __init__(self, kind: str, text: str, names: Mapping[str, str]) -> None:
        self.kind = kind
        self.text = text
        self.names = names
        self.names_used: set[str] = set()
        self.values_used: dict[str, None] = {}  # a set that keeps the order of the text
        self.attributes: set[str] = set()
        self.misuses: list[str] = []
        self.faults: list[str] = []
        self.operators = 0
        self._check_length()
        self._tokens = tokenize(text)
        self._position = 0
        self._last_group = (-1, -1)
        self._redundant_parentheses = False

    @property
    def token(self) -> ExpressionToken:
        """The next token to read."""
        return self._tokens[self._position]

    def follows(self, sign: str) -> bool:
        """Say whether this sign stands right behind the next token."""
        return self._tokens[min(self._position + 1, len(self._tokens) - 1)].text == sign

    def take(self) -> ExpressionToken:
        """Read one token, whatever it is."""
        token = self.token
        self._position += 1
        return token

    def accept(self, *words: str) -> str | None:
        """Read the next token if it is one of these signs or keywords."""
        token = self.token
        if token.kind in {TokenKind.SIGN, TokenKind.KEYWORD} and token.word in words:
            return self.take().word
        return None

    def expect(self, *words: str) -> str:
        """Read one of these signs or keywords; anything else is a syntax error."""
        return self.accept(*words) or self.fail()

    def open_group(self) -> int | None:
        """Read an opening parenthesis, if one is next, and return its place."""
        return self._position - 1 if self.accept("(") else None

    def close_group(self, opened: int) -> None:
        """Read the closing parenthesis; a group that is all of its group is redundant."""
        self.expect(")")
        closed = self._position - 1
        self._redundant_parentheses |= self._last_group == (opened + 1, closed - 1)
        self._last_group = (opened, closed)

    def fail(self) -> NoReturn:
        """Raise the syntax error that shows the next token between its neighbours."""
        here = self._position
        start = self._tokens[max(here - 1, 0)].start
        end = self._tokens[min(here + 1, len(self._tokens) - 1)].end
        near = self.text[start:end]
        self.refuse(f'Syntax error; token: "{self.token.text}", near: "{near}"')

    def refuse(self, reason: str) -> NoReturn:
        """Raise an error of this kind of expression."""
        raise ValidationException(f"Invalid {self.kind}: {reason}")

    def refuse_first(self, reasons: Iterable[str]) -> None:
        """Raise the first of these reasons, if there is one."""
        for reason in reasons:
            self.refuse(reason)

    def finish(self) -> None:
        """Expect the end of the text, then speak of parentheses and misuses."""
        if self.token.kind is not TokenKind.END:
            self.fail()
        if self._redundant_parentheses:
            self.refuse("The expression has redundant parentheses;")
        self.refuse_first(self.misuses)

    def check_operators(self) -> None:
        """Refuse an expression with too many operators and functions."""
        if self.operators > MAX_OPERATORS:
            self.refuse_operators()

    def refuse_operators(self) -> NoReturn:
        """Say that there are too many; AWS stops counting at the first that is."""
        self.refuse(
            f"The expression contains too many operators; operator count: {MAX_OPERATORS + 1}",
        )

    def _check_length(self) -> None:
        if not self.text:
            self.refuse("The expression can not be empty;")
        if len(self.text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            self.refuse("Expression size has exceeded the maximum allowed size;")
