"""The text of articles: paragraphs by chance, long enough to be told from a page's furniture."""

from __future__ import annotations

from typing import Final

from gotgan.world.news.headlines import COMPANIES
from gotgan.world.news.stories import WorldStory
from gotgan.world.scene import chance

__all__ = ["author_of", "paragraphs_of"]

_ENGLISH: Final = (
    "The company said on {day} that sales rose {n}% from a year earlier.",
    "Orders that had been put off in the spring came back sooner than it had planned.",
    "{other} reported a similar pattern last week, and kept its outlook for the year.",
    "Costs remain the open question, after freight and wages took {n}% of revenue.",
    "Analysts had expected less: their average estimate was {n} cents a share.",
    "“We would rather be early than large,” said the letter to holders, all {n} pages of it.",
    "The shares opened higher, gave back the gain before noon and ended {n} cents up.",
    "Regulators in Brussels & Washington have asked for more time to decide.",
    "The next report on inventories is due in {n} days, and has moved prices twice this year.",
    "For households the effect is small: less than {n} dollars a month on a typical bill.",
    "A spokesperson for {other} declined to add to what had been published.",
)
_GERMAN: Final = (
    "Der Umsatz stieg nach Angaben des Unternehmens um {n} Prozent.",
    "Aufträge, die im Frühjahr verschoben worden waren, kamen früher zurück als erwartet.",
    "Auch {other} hatte zuletzt berichtet, die Prognose für das laufende Jahr zu bestätigen.",
    "Offen bleiben die Kosten: Fracht, Löhne und Energie machten {n} Prozent der Erlöse aus.",
    "Die Aktie gab bis zum Mittag einen Teil ab und schloss dennoch über dem Vortag.",
)
_KOREAN: Final = (
    "회사는 이번 분기 매출이 지난해 같은 기간보다 {n}% 늘었다고 밝혔다.",
    "봄에 미뤄진 주문이 예상보다 빨리 다시 들어온 영향이 컸다.",
    "지난주 {other}도 비슷한 흐름을 전하며 연간 전망을 유지했다.",
    "물류비와 인건비, 에너지 비용이 매출의 {n}%를 차지해 부담은 여전하다.",
    "주가는 장 초반 오른 뒤 상승분을 내줬으나 전날보다 높게 마감했다.",
)
_SENTENCES: Final = {"en-US": _ENGLISH, "de-DE": _GERMAN, "ko-KR": _KOREAN}
_REFRAIN: Final = {
    "en-US": "Trading volume was above the average of the past month.",
    "de-DE": "Der Handel war lebhafter als im Durchschnitt des Monats.",
    "ko-KR": "거래량은 최근 한 달 평균을 웃돌았다.",
}
"""A paragraph that stands twice in every article."""
_DESKS: Final = ("Markets desk", "Technology desk", "Energy desk", "Staff of the evening edition")


def paragraphs_of(story: WorldStory) -> list[str]:
    """The article's paragraphs in their order."""
    dice = chance(story.uuid, "prose")
    sentences, refrain = _SENTENCES[story.language], _REFRAIN[story.language]
    texts = [
        " ".join(dice.sample(sentences, 3)).format(
            day=f"{story.at:%A}", n=dice.randint(2, 60), other=dice.choice(COMPANIES).name
        )
        for _ in range(dice.randint(6, 10))
    ]
    return [*texts[:2], refrain, *texts[2:-1], refrain, texts[-1]]


def author_of(story: WorldStory) -> str:
    """Who signed the article."""
    return chance(story.uuid, "author").choice(_DESKS)
