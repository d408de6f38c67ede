"""The built-in analyser: no network and no model, only sentences around the figures.

It says nothing that was not counted, and never repeats a comment. Its suggestions are made from
templates, and say so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from gotgan.domains.videos.analysers.builtin_templates import ENGLISH, KOREAN, LanguageWording
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.metrics import measurements
from gotgan.domains.videos.metrics.nouns import noun_stems
from gotgan.domains.videos.metrics.questions import MAX_FOUND
from gotgan.domains.videos.metrics.words import MAX_EVIDENCE, known_nouns, plain_text, tokenize
from gotgan.domains.videos.models import Material, Video
from gotgan.domains.videos.schemas import Idea, Insights, Summary, TitleSuggestion

_MAX_TEXT_CHARS: Final = 1_000
_MAX_NOTE_CHARS: Final = 300
_MAX_TITLE_CHARS: Final = 200
_MAX_VIDEO_TITLE_CHARS: Final = 120
_MAX_KEYWORD_CHARS: Final = 50
_MAX_KEYWORDS: Final = 12
_MAX_OWN_WORDS: Final = 12
_MAX_IDEAS: Final = 10
_MAX_TITLES: Final = 5
_MAX_NAMED: Final = 5
_MAX_OF_A_KIND: Final = 3
_FEW_COMMENTS: Final = 30
"""Shares of fewer comments than this are called unsure."""
_UNPRINTABLE: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Controls, marks of the writing direction, and lone surrogates."""
_HANGUL: Final = re.compile("[가-힣]")

_Part = Literal["positive", "negative"]


class Builtin:
    """Says what the figures say; it costs nothing, and it cannot fail."""

    name = "builtin"
    model = "gotgan-builtin"
    prompt_version: str | None = "t2"
    """The version of its templates."""

    def try_model(self) -> None:
        """It can always be used."""

    def say(self, material: Material, measured: measurements.Measurements) -> AnalyserResponse:
        """Insights in the language of most comments, or of the title if there are none."""
        video = material.video
        wording = _wording(video, measured)
        has_description = bool(video.description.strip())
        subject = _Subject(
            measured,
            wording,
            title=_fit(video.title, _MAX_VIDEO_TITLE_CHARS),
            basis=wording.title_and_description if has_description else wording.title_only,
            own_words=_own_words(video),
        )
        insights = Insights(
            summary=_summary(subject),
            contentIdeas=_content_ideas(subject),
            recommendedKeywords=_keywords(subject),
            titleSuggestions=_title_suggestions(subject),
            languageSummary=_languages(subject),
            warnings=_warnings(subject),
        )
        return AnalyserResponse(insights.model_dump_json())


@dataclass(frozen=True)
class _Subject:
    """What is written about."""

    measured: measurements.Measurements
    wording: LanguageWording
    title: str
    """Printable; it may be empty."""
    basis: str
    """What there is beside comments, in words."""
    own_words: tuple[str, ...]
    """Words that stand out in the title and the description."""

    @property
    def count(self) -> int:
        """The number of comments that were counted."""
        return self.measured.sentiment.n


def _wording(video: Video, measured: measurements.Measurements) -> LanguageWording:
    """Korean if most comments are Korean, or if there are none and the title is."""
    if not measured.sentiment.n:
        return KOREAN if _HANGUL.search(video.title) else ENGLISH
    korean = measured.languages.get("ko", 0)
    return KOREAN if korean >= max(measured.languages.values(), default=0) else ENGLISH


def _own_words(video: Video) -> tuple[str, ...]:
    """The words of the title, and those that the description repeats."""
    title, description = (tokenize(plain_text(text)) for text in (video.title, video.description))
    counts = Counter([*title, *title, *description])
    stems = noun_stems(counts, 2, known_nouns())
    words = [stems[word] for word in counts if word in stems and counts[word] > 1]
    return tuple(dict.fromkeys(words))[:_MAX_OWN_WORDS]


def _keywords(subject: _Subject) -> list[str]:
    """Words of the comments, and then those of the title and the description."""
    words = [keyword.word for keyword in subject.measured.keywords] + list(subject.own_words)
    unique = dict.fromkeys(_fit(word, _MAX_KEYWORD_CHARS) for word in words)
    return [word for word in unique if word][:_MAX_KEYWORDS]


def _languages(subject: _Subject) -> str | None:
    if not subject.count:
        return None
    counts = {name: subject.measured.languages.get(name, 0) for name in ("ko", "en", "other")}
    return _fit(subject.wording.languages.format(**counts), _MAX_NOTE_CHARS)


def _warnings(subject: _Subject) -> list[str]:
    if not 0 < subject.count < _FEW_COMMENTS:
        return []
    return [subject.wording.few.format(comments=subject.wording.comments(subject.count))]


def _fit(text: str, most: int) -> str:
    """A printable text of one line, cut if it is too long."""
    text = " ".join(_UNPRINTABLE.sub("", text).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _timestamp(moment: measurements.VideoTimestamp) -> str:
    """A moment as comments write it."""
    hours, rest = divmod(moment.seconds, 3_600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _summary(subject: _Subject) -> Summary:
    wording, sentiment = subject.wording, subject.measured.sentiment
    positive = (
        _points(subject, "positive", wording.positive, wording.positive_topic)
        if sentiment.positive
        else _no_points(subject, wording.no_positive, wording.unheard_positive)
    )
    negative = (
        _points(subject, "negative", wording.negative, wording.negative_topic)
        if sentiment.negative
        else _no_points(subject, wording.no_negative, wording.unheard_negative)
    )
    return Summary(
        majorReactions=_fit(" ".join(_reactions(subject)), _MAX_TEXT_CHARS),
        positivePoints=_fit(" ".join(positive), _MAX_TEXT_CHARS),
        weakPoints=_fit(" ".join(negative), _MAX_TEXT_CHARS),
    )


def _reactions(subject: _Subject) -> Iterator[str]:
    wording, sentiment, spam = subject.wording, subject.measured.sentiment, subject.measured.spam
    if subject.count:
        yield wording.counted.format(comments=wording.comments(sentiment.n), **sentiment.percents)
    else:
        yield wording.unheard.format(basis=subject.basis)
    if spam:
        yield wording.spam.format(comments=wording.comments(spam))
    if subject.count:
        yield from _comment_sentences(subject)
    elif subject.own_words:
        items = ", ".join(subject.own_words[:_MAX_NAMED])
        yield wording.own_words.format(basis=subject.basis, items=items)


def _comment_sentences(subject: _Subject) -> Iterator[str]:
    """Topics, words, moments, requests and questions, as far as there are any."""
    wording, measured = subject.wording, subject.measured
    figures = (
        (wording.topics, [(topic.label, topic.count) for topic in measured.topics]),
        (wording.keywords, [(keyword.word, keyword.count) for keyword in measured.keywords]),
        (wording.moments, [(_timestamp(each), each.count) for each in subject.measured.moments]),
    )
    for sentence, counts in figures:
        if counts:
            named = (f"{name} ({wording.comments(count)})" for name, count in counts[:_MAX_NAMED])
            yield sentence.format(items=", ".join(named))
    if measured.requests or measured.questions:
        yield wording.asking.format(
            requests=wording.at_least(len(measured.requests), MAX_FOUND),
            questions=wording.at_least(len(measured.questions), MAX_FOUND),
        )


def _points(subject: _Subject, part: _Part, sentence: str, on_topic: str) -> Iterator[str]:
    """The number of comments of a part, and the topics that surely have more of it than others."""
    whole, wording = subject.measured.sentiment, subject.wording
    yield sentence.format(
        total=wording.comments(whole.n),
        comments=wording.comments(getattr(whole, part)),
        share=whole.percents[part],
    )
    topics = _leaning_topics(subject, part)[:_MAX_OF_A_KIND]
    for topic in topics:
        share = topic.sentiment.percents[part]
        comments = wording.comments(topic.count)
        yield on_topic.format(label=topic.label, comments=comments, share=share)
    if not topics:
        yield wording.scattered


def _no_points(subject: _Subject, none_of_comments: str, no_comments: str) -> Iterator[str]:
    if subject.count:
        yield none_of_comments.format(total=subject.wording.comments(subject.count))
    else:
        yield no_comments


def _leaning_topics(subject: _Subject, part: _Part) -> list[measurements.TopicCluster]:
    """The topics in which a part is larger than chance explains, the largest first."""
    whole = subject.measured.sentiment
    leaning = [
        topic
        for topic in subject.measured.topics
        if measurements.stands_out(topic.sentiment, whole, part)
    ]
    return sorted(leaning, key=lambda topic: -getattr(topic.sentiment, part))


def _content_ideas(subject: _Subject) -> list[Idea]:
    """Suggestions for other videos; there are none without comments that they rest on."""
    ideas = _ideas_from_comments(subject) if subject.count else ()
    return [idea for idea in ideas if idea.evidence][:_MAX_IDEAS]


def _ideas_from_comments(subject: _Subject) -> Iterator[Idea]:
    """What comments suggest, the surest first."""
    wording, measured = subject.wording, subject.measured
    if measured.requests:
        yield _asking_idea(subject, wording.request_idea, measured.requests)
    for topic in list(filter(_is_more_than_a_word, measured.topics))[:_MAX_OF_A_KIND]:
        yield _topic_idea(subject, topic)
    for topic in _leaning_topics(subject, "negative")[:1]:
        yield _weak_idea(subject, topic)
    if measured.questions:
        yield _asking_idea(subject, wording.question_idea, measured.questions)
    for moment in subject.measured.moments[:1]:
        title, text = wording.moment_idea
        comments = wording.comments(moment.count)
        title = title.format(comments=comments, place=_timestamp(moment))
        yield _idea(title, _basis(subject, comments), text, evidence=moment.evidence)


def _asking_idea(
    subject: _Subject, words: tuple[str, str], found: Sequence[measurements.NotableComment]
) -> Idea:
    """An idea from requests or questions, with the keywords in them."""
    comments = subject.wording.at_least(len(found), MAX_FOUND)
    evidence = [each.comment_id for each in found]
    met = [
        keyword.word
        for keyword in subject.measured.keywords
        if not set(evidence).isdisjoint(keyword.evidence)
    ]
    texts = words[1], *_list_sentence(subject.wording.words_in, met[:_MAX_OF_A_KIND])
    title = words[0].format(comments=comments)
    return _idea(title, _basis(subject, comments), *texts, evidence=evidence)


def _is_more_than_a_word(topic: measurements.TopicCluster) -> bool:
    """Whether an idea about a topic says more than a keyword does."""
    return len(topic.words) > 1 or " " in topic.label


def _topic_idea(subject: _Subject, topic: measurements.TopicCluster) -> Idea:
    wording, sentiment = subject.wording, topic.sentiment
    comments = wording.comments(topic.count)
    title = wording.topic_idea[0].format(comments=comments, label=topic.label)
    figures = wording.topic_idea[1].format(
        positive=sentiment.positive, neutral=sentiment.neutral, negative=sentiment.negative
    )
    texts = figures, *_list_sentence(wording.together, topic.words[1:])
    return _idea(title, _basis(subject, comments), *texts, evidence=topic.evidence)


def _weak_idea(subject: _Subject, topic: measurements.TopicCluster) -> Idea:
    title, text = subject.wording.weak_idea
    whole, mine = subject.measured.sentiment, topic.sentiment
    negative = whole.negative - mine.negative
    others = {"negative": negative, "rest": whole.n - mine.n - negative}
    comments = subject.wording.comments(mine.negative)
    labels = subject.measured.labels
    evidence = [each for each in topic.evidence if labels.get(each) == "negative"]
    title = title.format(comments=comments, label=topic.label)
    text = text.format(
        share=mine.percents["negative"],
        others=measurements.whole_percents(others)["negative"],
    )
    return _idea(title, _basis(subject, comments), text, evidence=evidence or topic.evidence)


def _list_sentence(sentence: str, words: Sequence[str]) -> list[str]:
    return [sentence.format(items=", ".join(words))] if words else []


def _basis(subject: _Subject, comments: str) -> str:
    return subject.wording.template.format(comments=comments)


def _idea(title: str, *sentences: str, evidence: Sequence[str] = ()) -> Idea:
    return Idea(
        title=_fit(title, _MAX_TITLE_CHARS),
        description=_fit(" ".join(sentences), _MAX_TEXT_CHARS),
        evidence=list(evidence[:MAX_EVIDENCE]),
    )


def _title_suggestions(subject: _Subject) -> list[TitleSuggestion]:
    """Other titles for the same video; a keyword before the title is none."""
    titles: dict[str, TitleSuggestion] = {}
    for text, evidence in _titles(subject) if subject.title else ():
        title, ids = _fit(text, _MAX_TITLE_CHARS), list(evidence[:MAX_EVIDENCE])
        titles.setdefault(title, TitleSuggestion(title=title, evidence=ids))
    return list(titles.values())[:_MAX_TITLES]


def _titles(subject: _Subject) -> Iterator[tuple[str, Sequence[str]]]:
    wording, measured, title = subject.wording, subject.measured, subject.title
    title_words = frozenset(tokenize(plain_text(title)))
    topics = (topic for topic in measured.topics if _is_more_than_a_word(topic))
    new = (topic for topic in topics if not title_words.issuperset(tokenize(topic.label)))
    for topic in islice(new, _MAX_OF_A_KIND):
        yield wording.topic_title.format(label=topic.label, title=title), topic.evidence
    for moment in measured.moments[:1]:
        place = _timestamp(moment)
        yield wording.moment_title.format(place=place, title=title), moment.evidence
