"""The tokens of an expression, and a reader of them that notes what is wrong.

A syntax error is raised at once. What is grammatical but not allowed is noted, because AWS reports
it only when the whole text has been read: first redundant parentheses, then ``misuses`` (words and
functions out of place), then ``faults`` (in what the words mean).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from gotgan.store.engine.faults import ValidationException

_RESERVED_TEXT = """
ABORT ABSOLUTE ACTION ADD AFTER AGENT AGGREGATE ALL ALLOCATE ALTER ANALYZE AND ANY ARCHIVE ARE
ARRAY AS ASC ASCII ASENSITIVE ASSERTION ASYMMETRIC AT ATOMIC ATTACH ATTRIBUTE AUTH
AUTHORIZATION AUTHORIZE AUTO AVG BACK BACKUP BASE BATCH BEFORE BEGIN BETWEEN BIGINT BINARY BIT
BLOB BLOCK BOOLEAN BOTH BREADTH BUCKET BULK BY BYTE CALL CALLED CALLING CAPACITY CASCADE
CASCADED CASE CAST CATALOG CHAR CHARACTER CHECK CLASS CLOB CLOSE CLUSTER CLUSTERED CLUSTERING
CLUSTERS COALESCE COLLATE COLLATION COLLECTION COLUMN COLUMNS COMBINE COMMENT COMMIT COMPACT
COMPILE COMPRESS CONDITION CONFLICT CONNECT CONNECTION CONSISTENCY CONSISTENT CONSTRAINT
CONSTRAINTS CONSTRUCTOR CONSUMED CONTINUE CONVERT COPY CORRESPONDING COUNT COUNTER CREATE CROSS
CUBE CURRENT CURSOR CYCLE DATA DATABASE DATE DATETIME DAY DEALLOCATE DEC DECIMAL DECLARE
DEFAULT DEFERRABLE DEFERRED DEFINE DEFINED DEFINITION DELETE DELIMITED DEPTH DEREF DESC
DESCRIBE DESCRIPTOR DETACH DETERMINISTIC DIAGNOSTICS DIRECTORIES DISABLE DISCONNECT DISTINCT
DISTRIBUTE DO DOMAIN DOUBLE DROP DUMP DURATION DYNAMIC EACH ELEMENT ELSE ELSEIF EMPTY ENABLE
END EQUAL EQUALS ERROR ESCAPE ESCAPED EVAL EVALUATE EXCEEDED EXCEPT EXCEPTION EXCEPTIONS
EXCLUSIVE EXEC EXECUTE EXISTS EXIT EXPLAIN EXPLODE EXPORT EXPRESSION EXTENDED EXTERNAL EXTRACT
FAIL FALSE FAMILY FETCH FIELDS FILE FILTER FILTERING FINAL FINISH FIRST FIXED FLATTERN FLOAT
FOR FORCE FOREIGN FORMAT FORWARD FOUND FREE FROM FULL FUNCTION FUNCTIONS GENERAL GENERATE GET
GLOB GLOBAL GO GOTO GRANT GREATER GROUP GROUPING HANDLER HASH HAVE HAVING HEAP HIDDEN HOLD HOUR
IDENTIFIED IDENTITY IF IGNORE IMMEDIATE IMPORT IN INCLUDING INCLUSIVE INCREMENT INCREMENTAL
INDEX INDEXED INDEXES INDICATOR INFINITE INITIALLY INLINE INNER INNTER INOUT INPUT INSENSITIVE
INSERT INSTEAD INT INTEGER INTERSECT INTERVAL INTO INVALIDATE IS ISOLATION ITEM ITEMS ITERATE
JOIN KEY KEYS LAG LANGUAGE LARGE LAST LATERAL LEAD LEADING LEAVE LEFT LENGTH LESS LEVEL LIKE
LIMIT LIMITED LINES LIST LOAD LOCAL LOCALTIME LOCALTIMESTAMP LOCATION LOCATOR LOCK LOCKS LOG
LOGED LONG LOOP LOWER MAP MATCH MATERIALIZED MAX MAXLEN MEMBER MERGE METHOD METRICS MIN MINUS
MINUTE MISSING MOD MODE MODIFIES MODIFY MODULE MONTH MULTI MULTISET NAME NAMES NATIONAL NATURAL
NCHAR NCLOB NEW NEXT NO NONE NOT NULL NULLIF NUMBER NUMERIC OBJECT OF OFFLINE OFFSET OLD ON
ONLINE ONLY OPAQUE OPEN OPERATOR OPTION OR ORDER ORDINALITY OTHER OTHERS OUT OUTER OUTPUT OVER
OVERLAPS OVERRIDE OWNER PAD PARALLEL PARAMETER PARAMETERS PARTIAL PARTITION PARTITIONED
PARTITIONS PATH PERCENT PERCENTILE PERMISSION PERMISSIONS PIPE PIPELINED PLAN POOL POSITION
PRECISION PREPARE PRESERVE PRIMARY PRIOR PRIVATE PRIVILEGES PROCEDURE PROCESSED PROJECT
PROJECTION PROPERTY PROVISIONING PUBLIC PUT QUERY QUIT QUORUM RAISE RANDOM RANGE RANK RAW READ
READS REAL REBUILD RECORD RECURSIVE REDUCE REF REFERENCE REFERENCES REFERENCING REGEXP REGION
REINDEX RELATIVE RELEASE REMAINDER RENAME REPEAT REPLACE REQUEST RESET RESIGNAL RESOURCE
RESPONSE RESTORE RESTRICT RESULT RETURN RETURNING RETURNS REVERSE REVOKE RIGHT ROLE ROLES
ROLLBACK ROLLUP ROUTINE ROW ROWS RULE RULES SAMPLE SATISFIES SAVE SAVEPOINT SCAN SCHEMA SCOPE
SCROLL SEARCH SECOND SECTION SEGMENT SEGMENTS SELECT SELF SEMI SENSITIVE SEPARATE SEQUENCE
SERIALIZABLE SESSION SET SETS SHARD SHARE SHARED SHORT SHOW SIGNAL SIMILAR SIZE SKEWED SMALLINT
SNAPSHOT SOME SOURCE SPACE SPACES SPARSE SPECIFIC SPECIFICTYPE SPLIT SQL SQLCODE SQLERROR
SQLEXCEPTION SQLSTATE SQLWARNING START STATE STATIC STATUS STORAGE STORE STORED STREAM STRING
STRUCT STYLE SUB SUBMULTISET SUBPARTITION SUBSTRING SUBTYPE SUM SUPER SYMMETRIC SYNONYM SYSTEM
TABLE TABLESAMPLE TEMP TEMPORARY TERMINATED TEXT THAN THEN THROUGHPUT TIME TIMESTAMP TIMEZONE
TINYINT TO TOKEN TOTAL TOUCH TRAILING TRANSACTION TRANSFORM TRANSLATE TRANSLATION TREAT TRIGGER
TRIM TRUE TRUNCATE TTL TUPLE TYPE UNDER UNDO UNION UNIQUE UNIT UNKNOWN UNLOGGED UNNEST
UNPROCESSED UNSIGNED UNTIL UPDATE UPPER URL USAGE USE USER USERS USING UUID VACUUM VALUE VALUED
VALUES VARCHAR VARIABLE VARIANCE VARINT VARYING VIEW VIEWS VIRTUAL VOID WAIT WHEN WHENEVER
WHERE WHILE WINDOW WITH WITHIN WITHOUT WORK WRAPPED WRITE YEAR ZONE
"""

RESERVED_WORDS = frozenset(_RESERVED_TEXT.split())
KEYWORDS = frozenset({"ADD", "AND", "BETWEEN", "DELETE", "IN", "NOT", "OR", "REMOVE", "SET"})
MAX_BYTES = 4096
MAX_OPERATORS = 300

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


def is_reserved(name: str) -> bool:
    """Whether an attribute of this name needs a placeholder."""
    return name.upper() in RESERVED_WORDS


class TokenKind(Enum):
    """The kinds of tokens."""

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
    """One word or sign: its kind, its text and its place."""

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


class ExpressionReader:
    """One expression's text, the position in it, and what was noted so far."""

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
        if not text:
            self.refuse("The expression can not be empty;")
        if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            self.refuse("Expression size has exceeded the maximum allowed size;")
        self._tokens = tokenize(text)
        self._position = 0
        self._last_group = (-1, -1)
        self._redundant_parentheses = False

    @property
    def token(self) -> ExpressionToken:
        """The next token to read."""
        return self._tokens[self._position]

    def follows(self, sign: str) -> bool:
        """Whether this sign comes right after the next token."""
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
        """Expect the end of the text, then refuse redundant parentheses and misuses."""
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
        """Refuse too many operators; AWS stops counting at the first that is one too many."""
        self.refuse(
            f"The expression contains too many operators; operator count: {MAX_OPERATORS + 1}"
        )
