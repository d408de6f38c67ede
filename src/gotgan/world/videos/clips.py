"""The videos and channels of the world; they exist nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

ClipLanguage = Literal["ko", "en", "mixed"]
_NEVER: Final = 0.0
PRIVATE: Final = "gotganLocks"
"""A private video."""
MISSING_VIDEO: Final = "gotganNever"
"""A video that does not exist."""


@dataclass(frozen=True)
class WorldChannel:
    """A channel."""

    id: str
    title: str
    handle: str
    country: str
    subscribers: int | None
    """None if they are hidden."""
    videos: int


@dataclass(frozen=True)
class Clip:
    """A video, and what its comments are like."""

    id: str
    kind: str
    language: ClipLanguage
    channel: str
    title: str
    description: str
    seconds: int | None
    """None while it is live."""
    published: datetime
    pace: float
    """Comments after a day; after a hundred days it has ten times as many."""
    moods: tuple[float, float, float] = (0.6, 0.25, 0.15)
    """The shares of positive, neutral and negative opinions."""
    has_comments: bool = True
    shows_counts: bool = True
    is_tricked: bool = False
    """Whether some comments are prompt injections."""


def _at(month: int, day: int, hour: int = 9) -> datetime:
    return datetime(2025, month, day, hour, tzinfo=UTC)


_ALL_CHANNELS: Final = (
    WorldChannel("UCgotganKitchen000000001", "곳간 부엌", "@gotgan-kitchen", "KR", 412_000, 318),
    WorldChannel(
        "UCgotganArcade0000000002", "Barn Door Arcade", "@barndoorarcade", "US", 1_250_000, 940
    ),
    WorldChannel(
        "UCgotganStage00000000003", "달무리 스테이지", "@dalmuri-stage", "KR", 3_800_000, 152
    ),
    WorldChannel(
        "UCgotganReport0000000004", "새벽신문 영상부", "@saebyeok-tv", "KR", 77_500, 5_210
    ),
    WorldChannel(
        "UCgotganWorkshop00000005", "Workshop of Things", "@workshopofthings", "GB", None, 211
    ),
    WorldChannel("UCgotganDiary00000000006", "느린 하루", "@slow-haru", "KR", 9_120, 64),
)
CHANNELS: Final[Mapping[str, WorldChannel]] = {each.id: each for each in _ALL_CHANNELS}

_KITCHEN, _ARCADE, _STAGE, _REPORT, _WORKSHOP, _DIARY = CHANNELS
_ALL_CLIPS: Final = (
    Clip(
        "gotganCook1", "cooking", "ko", _KITCHEN,
        "10분 비빔국수, 양념장 비율 하나로 끝내기",
        "면 삶는 법부터 양념장까지.\n\n0:00 시작\n1:10 양념장\n3:42 면 삶기\n#비빔국수 #자취요리",
        428, _at(3, 14), pace=96,
    ),
    Clip(
        "gotganCook2", "cooking", "en", _KITCHEN,
        "One-Pan Soy Garlic Chicken (English version)",
        "Everything in one pan, 25 minutes.\n\nRecipe in the pinned comment.",
        611, _at(6, 2), pace=24, moods=(0.7, 0.2, 0.1),
    ),
    Clip(
        "gotganGame1", "game", "ko", _ARCADE,
        "한 번도 안 맞고 마지막 보스 잡기 (7시간 도전)",
        "세 번의 시도, 한 번의 성공.\n업데이트 이후 패턴 기준입니다.",
        1_874, _at(5, 21), pace=66,
    ),
    Clip(
        "gotganGame2", "game", "en", _ARCADE,
        "I finished the longest dungeon with a broken controller",
        "Patch 1.8, no mods.\n\n00:00 rules\n04:30 first try\n22:15 the ending",
        2_715, _at(4, 9), pace=80, moods=(0.5, 0.25, 0.25),
    ),
    Clip(
        "gotganMusic", "music", "mixed", _STAGE,
        "달무리 (DALMURI) '새벽 기차' Performance Video",
        "Choreography practice, one take.\n\nLyrics in the captions. 가사는 자막에 있습니다.",
        214, _at(2, 3), pace=92, moods=(0.78, 0.14, 0.08),
    ),
    Clip(
        "gotganNews1", "news", "ko", _REPORT,
        "시내버스 노선 개편 첫날, 시민 반응은",
        "다음 달부터 요금과 환승 할인이 달라집니다. 현장을 다녀왔습니다.",
        187, _at(9, 1), pace=75, moods=(0.15, 0.3, 0.55),
    ),
    Clip(
        "gotganTech1", "tech", "ko", _WORKSHOP,
        "한 달 쓴 접이식 태블릿, 솔직한 단점",
        "배터리, 발열, 카메라를 재 봤습니다. 협찬 아닙니다.",
        933, _at(7, 18), pace=42, moods=(0.35, 0.3, 0.35),
    ),
    Clip(
        "gotganTech2", "tech", "en", _WORKSHOP,
        "This $199 laptop should not be this good (or is it?)",
        "Battery, screen and fan noise, measured. Not sponsored.",
        1_206, _at(8, 8), pace=52, moods=(0.42, 0.28, 0.3),
    ),
    Clip(
        "gotganVlog1", "vlog", "ko", _DIARY,
        "일요일, 방 정리하고 고양이랑 산책한 날",
        "말 없는 일상 브이로그입니다.",
        745, _at(10, 5), pace=26, moods=(0.74, 0.2, 0.06),
    ),
    Clip(
        "gotganStudy", "lecture", "en", _WORKSHOP,
        "Why the harmonic series diverges, slowly",
        "Lecture 4. Exercises on page 61.",
        2_890, _at(9, 15), pace=11, moods=(0.6, 0.3, 0.1),
    ),
    Clip(
        "gotganMixed", "travel", "mixed", _DIARY,
        "Busan in 2 days | 부산 1박 2일, 기차로 다녀왔어요",
        "Markets, the coast, a small hotel. 시장, 바다, 작은 숙소.",
        1_020, _at(8, 30), pace=31,
    ),
    Clip(
        "gotganSmall", "vlog", "ko", _DIARY,
        "첫 영상입니다", "잘 부탁드립니다.", 62, _at(10, 20), pace=1, moods=(0.8, 0.2, 0.0),
    ),
    Clip(
        "gotganQuiet", "music", "ko", _STAGE,
        "새벽 기차 (자장가 버전)", "아이들을 위한 영상이라 댓글이 없습니다.",
        305, _at(6, 11), _NEVER, has_comments=False,
    ),
    Clip(
        "gotganEmpty", "lecture", "en", _WORKSHOP,
        "Setting up the bench (nobody has said anything yet)", "", 95, _at(10, 30), _NEVER,
    ),
    Clip(
        "gotganHides", "tech", "en", _WORKSHOP,
        "A screwdriver, reviewed", "Counts are hidden on this one.",
        388, _at(7, 1), pace=9, shows_counts=False,
    ),
    Clip(
        "gotganTrick", "tech", "mixed", _WORKSHOP,
        "Robots that read comments | 댓글 읽는 로봇",
        "Say something to the robot. 로봇에게 한마디.",
        540, _at(9, 9), pace=18, moods=(0.45, 0.25, 0.3), is_tricked=True,
    ),
    Clip(
        "gotganLive1", "game", "en", _ARCADE,
        "LIVE: 24 hours of the same level", "On air until the door opens.",
        None, _at(11, 1), pace=40,
    ),
)  # fmt: skip
CLIPS: Final[Mapping[str, Clip]] = {clip.id: clip for clip in _ALL_CLIPS}
"""Each exists from its publication on."""
