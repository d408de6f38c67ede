"""The sentences of the built-in analyser, in Korean and in English; only figures are filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class LanguageWording:
    """One language's sentences; ``{comments}`` is a number of comments in words."""

    one: str
    many: str
    or_more: str
    languages: str
    counted: str
    spam: str
    topics: str
    keywords: str
    moments: str
    asking: str
    positive: str
    positive_topic: str
    no_positive: str
    negative: str
    negative_topic: str
    no_negative: str
    scattered: str
    title_only: str
    title_and_description: str
    unheard: str
    unheard_positive: str
    unheard_negative: str
    own_words: str
    few: str
    template: str
    together: str
    words_in: str
    topic_idea: tuple[str, str]
    weak_idea: tuple[str, str]
    request_idea: tuple[str, str]
    question_idea: tuple[str, str]
    moment_idea: tuple[str, str]
    topic_title: str
    moment_title: str

    def comments(self, count: int) -> str:
        """A number of comments in words."""
        return (self.one if count == 1 else self.many).format(count=count)

    def at_least(self, count: int, most: int) -> str:
        """The same where nothing beyond ``most`` was counted."""
        comments = self.comments(count)
        return self.or_more.format(comments=comments) if count >= most else comments


KOREAN: Final = LanguageWording(
    one="댓글 {count:,}개",
    many="댓글 {count:,}개",
    or_more="{comments} 이상",
    languages="한국어 {ko:,}개, 영어 {en:,}개, 그 밖의 언어 {other:,}개",
    counted="{comments}를 세어 보니 긍정 {positive}%, 중립 {neutral}%, 부정 {negative}%입니다.",
    spam="광고로 보이는 {comments}는 뺐습니다.",
    topics="많이 이야기한 주제: {items}.",
    keywords="눈에 띄는 단어: {items}.",
    moments="많이 언급한 장면: {items}.",
    asking="부탁하는 글: {requests}, 묻는 글: {questions}.",
    positive="{total} 가운데 긍정적인 것은 {comments}({share}%)입니다.",
    positive_topic="'{label}' 주제는 {comments} 중 {share}%가 긍정적입니다.",
    no_positive="{total} 가운데 긍정적인 것은 찾지 못했습니다.",
    negative="{total} 가운데 부정적인 것은 {comments}({share}%)입니다.",
    negative_topic="'{label}' 주제는 {comments} 중 {share}%가 부정적입니다.",
    no_negative="{total} 가운데 부정적인 것은 찾지 못했습니다.",
    scattered="어느 한 주제에 몰려 있지는 않습니다.",
    title_only="제목",
    title_and_description="제목과 설명",
    unheard="살펴볼 댓글이 없어 {basis}만 보았습니다. 시청자의 반응은 알 수 없습니다.",
    unheard_positive="살펴볼 댓글이 없어 좋았던 점은 알 수 없습니다.",
    unheard_negative="살펴볼 댓글이 없어 아쉬웠던 점은 알 수 없습니다.",
    own_words="{basis}에서 눈에 띄는 단어: {items}.",
    few="{comments}뿐이라 비율이 크게 달라질 수 있습니다.",
    template="정해진 틀로 만든 제안입니다. 근거: {comments}.",
    together="함께 나온 단어: {items}.",
    words_in="그 댓글에 나온 단어: {items}.",
    topic_idea=(
        "{comments}의 주제 '{label}': 더 깊이 다루기",
        "긍정 {positive:,}개, 중립 {neutral:,}개, 부정 {negative:,}개입니다.",
    ),
    weak_idea=(
        "부정적인 {comments}의 주제 '{label}': 아쉬운 점에 답하기",
        "이 주제의 댓글은 {share}%, 나머지는 {others}%가 부정적입니다. 우연이 아닌 차이입니다.",
    ),
    request_idea=(
        "부탁하는 {comments}: 시청자가 바라는 것 해 보기",
        "좋아요를 많이 받은 부탁부터 골라 보세요.",
    ),
    question_idea=(
        "묻는 {comments}: 질문에 답하는 영상",
        "좋아요를 많이 받은 질문부터 답해 보세요.",
    ),
    moment_idea=(
        "{comments}의 장면 {place}: 그 장면의 뒷이야기",
        "시청자가 가장 많이 짚은 곳입니다.",
    ),
    topic_title="{title} | '{label}' 이야기",
    moment_title="{title} | {place} 화제의 장면",
)

ENGLISH: Final = LanguageWording(
    one="{count:,} comment",
    many="{count:,} comments",
    or_more="{comments} or more",
    languages="Korean: {ko:,}; English: {en:,}; other languages: {other:,}",
    counted="Of {comments}, {positive}% are positive, {neutral}% neutral and {negative}% negative.",
    spam="Left out as advertisements: {comments}.",
    topics="Most talked about: {items}.",
    keywords="Words that stand out: {items}.",
    moments="Moments named most: {items}.",
    asking="Asking for something: {requests}; asking a question: {questions}.",
    positive="Of {total}, {comments} ({share}%) sounded positive.",
    positive_topic='On "{label}", {share}% of {comments} sounded positive.',
    no_positive="Of {total}, none sounded positive.",
    negative="Of {total}, {comments} ({share}%) sounded negative.",
    negative_topic='On "{label}", {share}% of {comments} sounded negative.',
    no_negative="Of {total}, none sounded negative.",
    scattered="No single topic stands out among them.",
    title_only="the title",
    title_and_description="the title and the description",
    unheard="There are no comments to go by, only {basis}; what viewers think is not known.",
    unheard_positive="There are no comments to go by, so what viewers liked is not known.",
    unheard_negative="There are no comments to go by, so what viewers missed is not known.",
    own_words="Words that stand out in {basis}: {items}.",
    few="The shares rest on no more than {comments} and may well change.",
    template="A suggestion from a template. It rests on {comments}.",
    together="Met together with it: {items}.",
    words_in="Words in them: {items}.",
    topic_idea=(
        'A topic of {comments}, "{label}": go deeper',
        "Positive: {positive:,}; neutral: {neutral:,}; negative: {negative:,}.",
    ),
    weak_idea=(
        'A topic of {comments} that sounded negative, "{label}": answer the criticism',
        "{share}% of its comments sounded negative, {others}% of all others: more than by chance.",
    ),
    request_idea=(
        "Requests in {comments}: do what viewers ask for",
        "Begin with those that have the most likes.",
    ),
    question_idea=(
        "Questions in {comments}: a video of answers",
        "Begin with those that have the most likes.",
    ),
    moment_idea=(
        "A moment named in {comments}, {place}: the story behind it",
        "Viewers point to this place more than to any other.",
    ),
    topic_title='{title} | on "{label}"',
    moment_title="{title} | the moment at {place}",
)
