"""Simulates a good language model: its answers are varied, and true to the evidence in the prompt.

It speaks of the topics and the figures that it is given, cites comments that mention them, says so
where there are few, and does nothing that a comment asks of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal

import orjson

from gotgan.world.videos.vocabulary import read_phrases

_PARTS: Final = frozenset({"answerIn", "video", "counted", "comments"})
_FEW: Final = 30
_MAX_CITED: Final = 8
_MAX_IDEAS: Final = 5
_MAX_KEYWORDS: Final = 9
_ASKING: Final = ("주세요", "부탁", "please", "can you", "could you", "would love", "?")
_Language = Literal["ko", "en"]

_SENTENCES: Final[Mapping[_Language, Mapping[str, Sequence[str]]]] = {
    "ko": {
        "shares": (
            "댓글 #n개 가운데 #p%가 긍정적이고 #g%가 부정적입니다.",
            "전체 #n개 댓글을 보면 긍정이 #p%, 부정이 #g%입니다.",
        ),
        "topic": (
            "{이} 가장 자주 언급되며, 관련 댓글은 #c개입니다.",
            "시청자들은 특히 {을} 두고 많이 이야기합니다(#c개).",
            "대화의 중심에는 {이} 있고, 댓글 #c개가 이를 다룹니다.",
        ),
        "also": ("그다음으로 {이} 화제에 오릅니다.", "{n} 이야기도 꾸준히 나옵니다."),
        "liked": (
            "{n} 쪽의 반응이 눈에 띄게 좋습니다.",
            "{은} 다른 주제보다 호의적인 반응을 얻습니다.",
        ),
        "praised": (
            "{을} 칭찬하는 댓글이 여럿 있습니다.",
            "{n} 덕분에 만족했다는 의견이 보입니다.",
        ),
        "disliked": (
            "{은} 다른 주제보다 불만이 많습니다.",
            "아쉽다는 의견은 {n} 쪽에 몰려 있습니다.",
        ),
        "criticised": ("{을} 아쉬워하는 댓글이 일부 있습니다.", "{n} 관련 지적도 보입니다."),
        "no_praise": ("칭찬이 한 주제에 몰려 있지는 않습니다.",),
        "no_blame": ("뚜렷하게 반복되는 불만은 보이지 않습니다.",),
        "silent": ("댓글이 없어 시청자의 반응은 판단할 수 없습니다.",),
        "idea": (
            "{n}, 처음부터 차근차근",
            "{을} 둘러싼 궁금증에 답하기",
            "{n} 전과 후 비교하기",
            "시청자와 함께 고른 {n}",
            "{n}에서 흔히 하는 실수 다섯 가지",
        ),
        "why": (
            "{을} 언급한 댓글이 #c개입니다. 실제 과정을 보여 주고 이유를 설명하면 좋겠습니다.",
            "댓글 #c개가 {n} 이야기를 합니다. 질문으로 시작해 화면으로 답하는 구성이 어울립니다.",
            "{n} 반응(긍정 #p, 부정 #g)을 먼저 짚고, 달라진 점을 나란히 보여 주세요.",
        ),
        "asked": ("시청자 요청 모아 답하기",),
        "asked_why": (
            "부탁하거나 묻는 댓글이 #c개 보입니다. 좋아요가 많은 것부터 차례로 다뤄 주세요.",
        ),
        "title": ("#t, {n}까지 한 번에", "{n} 때문에 다시 보게 되는 #t", "#t: {n} 편"),
        "languages": ("한국어 #k개, 영어 #e개, 그 밖의 언어 #o개입니다.",),
        "few": ("댓글이 #n개뿐이라 결론이 달라질 수 있습니다.",),
    },
    "en": {
        "shares": (
            "Of #n comments, #p% sound positive and #g% negative.",
            "Across #n comments the mood is #p% positive against #g% negative.",
        ),
        "topic": (
            "Most of the talk is about {n}, in #c comments.",
            "Viewers return to {n} again and again (#c comments).",
            "At the centre of the discussion: {n}, in #c comments.",
        ),
        "also": ("After that they discuss {n}.", "Another recurring subject is {n}."),
        "liked": ("Reactions to {n} are clearly warmer than to the rest.",),
        "praised": ("Several comments praise {n}.", "Quite a few viewers enjoyed {n}."),
        "disliked": ("Criticism gathers around {n} more than anywhere else.",),
        "criticised": ("Some viewers are unhappy about {n}.", "There are complaints about {n}."),
        "no_praise": ("The praise is spread over many subjects.",),
        "no_blame": ("No complaint comes up often enough to stand out.",),
        "silent": ("There are no comments, so viewers' reactions cannot be judged.",),
        "idea": (
            "A closer look at {n}",
            "Answering your questions: {n}",
            "Before and after: {n}",
            "Five common mistakes, with an eye on {n}",
            "You decide: {n}",
        ),
        "why": (
            "#c comments mention {n}. Show how it is done, and say why it was done so.",
            "#c comments are about {n}: open with their question, and answer it on screen.",
            "Start from the reactions to {n} (#p positive, #g negative), and show what changes.",
        ),
        "asked": ("Your requests, one by one",),
        "asked_why": ("#c comments ask for something. Begin with those that have the most likes.",),
        "title": ("#t, with a closer look at {n}", "#t: why everyone mentions {n}", "#t ({n})"),
        "languages": ("Korean #k, English #e, other languages #o.",),
        "few": ("There are only #n comments, so this may change.",),
    },
}


def find_evidence(prompt: str) -> dict[str, Any] | None:
    """The document in a prompt that has figures and comments of a video."""
    for line in prompt.splitlines():
        if line.startswith("{"):
            try:
                document = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(document, dict) and document.keys() >= _PARTS:
                return document
    return None


@dataclass(frozen=True)
class Commentator:
    """Speaks about a video from the evidence alone."""

    dice: Random
    evidence: Mapping[str, Any]

    @property
    def language(self) -> _Language:
        """The language that the evidence asks for."""
        return "ko" if self.evidence["answerIn"] == "Korean" else "en"

    def insights(self) -> dict[str, Any]:
        """The whole answer about a video."""
        counted, language = self.evidence["counted"], self.evidence["counted"]["languages"]
        return {
            "summary": self._summary(),
            "contentIdeas": self._ideas(),
            "recommendedKeywords": self._keywords(),
            "titleSuggestions": self._titles(),
            "languageSummary": self._say(
                "languages",
                k=language.get("ko", 0),
                e=language.get("en", 0),
                o=language.get("other", 0),
            ),
            "warnings": [self._say("few", n=counted["comments"])]
            if 0 < counted["comments"] < _FEW
            else [],
        }

    @property
    def _topics(self) -> list[dict[str, Any]]:
        """The topics, or the best keywords where there are none."""
        counted = self.evidence["counted"]
        words = [
            {"topic": each["word"], "words": [each["word"]], "positive": 0, "negative": 0, **each}
            for each in counted["keywords"]
        ]
        return list(counted["topics"]) or words

    def _summary(self) -> dict[str, str]:
        counted, topics = self.evidence["counted"], self._topics
        total = counted["comments"]
        if not total:
            silent = self._say("silent")
            return dict.fromkeys(("majorReactions", "positivePoints", "weakPoints"), silent)
        said = [
            self._say("shares", n=total, p=self._percent("positive"), g=self._percent("negative"))
        ]
        said += [self._about("topic", each, c=each["comments"]) for each in topics[:1]]
        said += [self._about("also", each) for each in topics[1:3]]
        return {
            "majorReactions": " ".join(said),
            "positivePoints": self._points("positive", "liked", "praised", "no_praise"),
            "weakPoints": self._points("negative", "disliked", "criticised", "no_blame"),
        }

    def _points(self, label: str, surely: str, perhaps: str, none: str) -> str:
        """What is said of the topics with most comments of a label."""
        topics = sorted(self._topics, key=lambda topic: -int(topic[label]))[:2]
        said = [
            self._about(surely if label in topic.get("standsOut", ()) else perhaps, topic)
            for topic in topics
            if topic[label]
        ]
        return " ".join(dict.fromkeys(said)) or self._say(none)

    def _ideas(self) -> list[dict[str, Any]]:
        asking = [
            comment["id"]
            for comment in self.evidence["comments"]
            if any(word in comment["text"].lower() for word in _ASKING)
        ]
        ideas = []
        if asking:
            title, why = self._say("asked"), self._say("asked_why", c=len(asking))
            ideas.append({"title": title, "description": why, "evidence": asking[:_MAX_CITED]})
        titles = self.dice.sample(self._texts("idea"), len(self._texts("idea")))
        for topic, text in zip(self._topics, titles, strict=False):
            if cited := self._citations(topic):
                why = self._about(
                    "why", topic, c=topic["comments"], p=topic["positive"], g=topic["negative"]
                )
                title = self._fill(text, topic["topic"])
                ideas.append({"title": title, "description": why, "evidence": cited})
        return ideas[:_MAX_IDEAS]

    def _keywords(self) -> list[str]:
        words = [each["word"] for each in self.evidence["counted"]["keywords"]]
        labels = [topic["topic"] for topic in self._topics]
        least = 2 if self.language == "ko" else 4
        found = list(dict.fromkeys([*labels[:3], *words, *self._title().split()]))
        return [word for word in found if len(word) >= least][:_MAX_KEYWORDS]

    def _titles(self) -> list[dict[str, Any]]:
        found = []
        for topic, text in zip(self._topics, self._texts("title"), strict=False):
            if cited := self._citations(topic):
                title = self._fill(text.replace("#t", self._title()), topic["topic"])
                found.append({"title": title, "evidence": cited})
        return found[:2]

    def _title(self) -> str:
        """The first part of the video's title, as a new one would keep it."""
        title: str = self.evidence["video"]["title"]
        for mark in ("|", ",", "(", ":"):
            title = title.partition(mark)[0].strip() or title
        return title.replace("{", "").replace("}", "")

    def _citations(self, topic: Mapping[str, Any]) -> list[str]:
        """The comments that mention a topic."""
        words = [word.lower() for word in (*topic["words"], topic["topic"])]
        return [
            comment["id"]
            for comment in self.evidence["comments"]
            if any(word in comment["text"].lower() for word in words)
        ][:_MAX_CITED]

    def _percent(self, label: str) -> int:
        counted = self.evidence["counted"]
        return round(100 * int(counted[label]) / int(counted["comments"]))

    def _texts(self, kind: str) -> Sequence[str]:
        return _SENTENCES[self.language][kind]

    def _say(self, kind: str, **numbers: int) -> str:
        text = self.dice.choice(self._texts(kind))
        for name, number in numbers.items():
            text = text.replace(f"#{name}", f"{number:,}")
        return text

    def _about(self, kind: str, topic: Mapping[str, Any], **numbers: int) -> str:
        return self._fill(self._say(kind, **numbers), topic["topic"])

    def _fill(self, text: str, noun: str) -> str:
        return read_phrases(self.language).fill(text, noun)
