"""What a model says: JSON of the shape that was asked for, made from what it was given to read.

It cites comments by the names that the prompt gives them (c1, c2, …), and it obeys nobody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from typing import Any, Final

import orjson

from gotgan.world.scene import chance
from gotgan.world.videos import english, korean

__all__ = ["INSIGHTS", "first_tokens", "said_by_model", "tokens"]

_NAMES: Final = re.compile(r"\bc[0-9]{1,3}\b")
_WORDS: Final = {"ko": re.compile(r"[가-힣]{2,8}"), "en": re.compile(r"[A-Za-z]{4,14}")}
_HANGUL: Final = re.compile(r"[가-힣]")
_KOREAN_FROM: Final = 0.05
_OF_A_TOKEN: Final = 2
"""How many characters a token is; fewer in Korean, and more in English."""
_LONGEST: Final = 400
_COMMONEST: Final = 60
_CITED: Final = 3
_LISTED: Final = 3
_SENTENCES: Final[Mapping[str, Sequence[str]]] = {
    "ko": (
        "시청자들은 {n} 이야기를 가장 많이 합니다",
        "{n}에 대한 반응이 뚜렷하게 나뉩니다",
        "여러 댓글이 {을} 다시 보고 싶어 합니다",
        "{n} 부분은 조금 더 설명이 필요해 보입니다",
    ),
    "en": (
        "Viewers talk about {n} more than about anything else",
        "Opinions on {n} are clearly divided",
        "Several comments would like to see {n} again",
        "The part about {n} could be explained a little more",
    ),
}

INSIGHTS: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "summary": {
            "type": "object",
            "properties": {
                "majorReactions": {"type": "string"},
                "positivePoints": {"type": "string"},
                "weakPoints": {"type": "string"},
            },
        },
        "contentIdeas": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "description": {"type": "string"},
                    "evidence": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "recommendedKeywords": {"type": "array", "items": {"type": "string", "maxLength": 50}},
    },
}
"""What is answered where nobody says which shape it should have."""


def said_by_model(seed: int, prompt: str, schema: Mapping[str, Any] | None) -> str:
    """The whole answer; the same prompt is answered the same way."""
    schema = schema or INSIGHTS
    return orjson.dumps(_Reader(chance(seed, prompt), prompt, schema).made(schema)).decode()


def tokens(text: str) -> int:
    """About how many tokens a text is."""
    return len(text) // _OF_A_TOKEN + 1


def first_tokens(text: str, count: int) -> str:
    """What so many tokens have room for."""
    return text[: count * _OF_A_TOKEN]


@dataclass
class _Reader:
    """Somebody who has read a prompt and fills in a form."""

    dice: Random
    prompt: str
    root: Mapping[str, Any]
    names: list[str] = field(init=False)
    words: Iterator[str] = field(init=False)
    language: str = field(init=False)

    def __post_init__(self) -> None:
        self.names = list(dict.fromkeys(_NAMES.findall(self.prompt)))
        is_korean = len(_HANGUL.findall(self.prompt)) >= _KOREAN_FROM * len(self.prompt)
        self.language = "ko" if is_korean else "en"
        counted = Counter(_WORDS[self.language].findall(self.prompt))
        words = [word for word, _ in counted.most_common(_COMMONEST)] or ["video"]
        self.words = cycle(self.dice.sample(words, len(words)))

    def made(self, schema: Mapping[str, Any], name: str = "") -> Any:
        """A value that fits a schema, for a property of that name."""
        schema = self._resolved(schema)
        choices = [schema["const"]] if "const" in schema else schema.get("enum")
        if choices:
            return choices[0]
        match _kind(schema):
            case "object":
                return self._object(schema)
            case "array":
                return self._array(schema, name)
            case "string":
                return self._text(schema, name)
        return {"boolean": True, "null": None}.get(_kind(schema), schema.get("minimum", 0))

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema itself, where it only points to one, or offers several."""
        if "$ref" in schema:
            return self._resolved(self.root["$defs"][schema["$ref"].rpartition("/")[2]])
        return self._resolved(schema["anyOf"][0]) if "anyOf" in schema else schema

    def _object(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        properties: Mapping[str, Any] = schema.get("properties", {})
        return {name: self.made(each, name) for name, each in properties.items()}

    def _array(self, schema: Mapping[str, Any], name: str) -> list[Any]:
        most = int(schema.get("maxItems", _LISTED))
        if "evidence" in name.lower():
            return self.dice.sample(self.names, min(_CITED, most, len(self.names)))
        count = max(int(schema.get("minItems", 0)), min(_LISTED, most))
        items = [self.made(schema.get("items", {}), name) for _ in range(count)]
        return [] if name == "warnings" else items

    def _text(self, schema: Mapping[str, Any], name: str) -> str:
        word = next(self.words)
        fill = korean.filled if self.language == "ko" else english.filled
        sentence = fill(self.dice.choice(_SENTENCES[self.language]), word)
        text = word if "keyword" in name.lower() else sentence
        return text[: int(schema.get("maxLength", _LONGEST))]


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a value; Gemini writes types in capitals, and some schemas have several."""
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kinds = [kind] if isinstance(kind, str) else [each for each in kind if each != "null"]
    return str(kinds[0]).lower()
