"""What comments are about: the topics of each kind of video, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["SUBJECTS", "WorldTopic"]


@dataclass(frozen=True)
class WorldTopic:
    """Something that people talk about, and what they call it."""

    name: str
    korean: tuple[str, ...]
    english: tuple[str, ...]


_EDITING: Final = WorldTopic(
    "editing", ("편집", "자막", "화면 전환"), ("editing", "subtitles", "cuts")
)
_SOUND: Final = WorldTopic("sound", ("음질", "마이크 소리", "배경음악"), ("audio", "mic", "music"))
_LENGTH: Final = WorldTopic("length", ("영상 길이", "분량"), ("length", "pacing"))

SUBJECTS: Final[Mapping[str, tuple[WorldTopic, ...]]] = {
    "cooking": (
        WorldTopic("sauce", ("양념장", "소스", "간장 비율"), ("sauce", "marinade", "seasoning")),
        WorldTopic("noodles", ("면발", "국수", "반죽"), ("noodles", "dough")),
        WorldTopic("heat", ("불 조절", "굽는 시간"), ("heat control", "cooking time")),
        WorldTopic("ingredients", ("재료", "재료값", "대파"), ("ingredients", "grocery list")),
        _EDITING,
        _SOUND,
    ),
    "game": (
        WorldTopic("boss", ("보스전", "마지막 보스", "패턴"), ("boss fight", "final boss")),
        WorldTopic("graphics", ("그래픽", "최적화", "프레임"), ("graphics", "frame rate")),
        WorldTopic("story", ("스토리", "엔딩", "대사"), ("story", "ending", "dialogue")),
        WorldTopic("controls", ("조작감", "키 설정"), ("controls", "key bindings")),
        _LENGTH,
        _SOUND,
    ),
    "music": (
        WorldTopic("vocals", ("보컬", "고음", "음색"), ("vocals", "high note", "voice")),
        WorldTopic("choreography", ("안무", "춤선", "군무"), ("choreography", "dance break")),
        WorldTopic("lyrics", ("가사", "후렴"), ("lyrics", "chorus")),
        WorldTopic("styling", ("의상", "스타일링"), ("outfits", "styling")),
        WorldTopic("camera", ("카메라 워크", "색감"), ("camera work", "colours")),
    ),
    "news": (
        WorldTopic("fares", ("버스 요금", "환승 할인"), ("bus fares", "transfer discount")),
        WorldTopic("routes", ("노선 개편", "막차 시간"), ("new routes", "last bus")),
        WorldTopic("reporting", ("기사 내용", "인터뷰"), ("reporting", "interview")),
        WorldTopic("budget", ("예산", "세금"), ("budget", "taxes")),
    ),
    "tech": (
        WorldTopic("battery", ("배터리", "충전 속도"), ("battery life", "charging speed")),
        WorldTopic("camera", ("카메라", "야간 사진"), ("camera", "night photos")),
        WorldTopic("price", ("가격", "가성비"), ("price", "value")),
        WorldTopic("screen", ("화면", "밝기"), ("screen", "brightness")),
        WorldTopic("heat", ("발열", "소음"), ("heat", "fan noise")),
        _EDITING,
    ),
    "vlog": (
        WorldTopic("room", ("방 꾸미기", "책상 정리"), ("room tour", "desk setup")),
        WorldTopic("cat", ("고양이", "산책 장면"), ("cat", "walk")),
        WorldTopic("mood", ("영상 분위기", "색감"), ("atmosphere", "colours")),
        _EDITING,
        _SOUND,
    ),
    "lecture": (
        WorldTopic("proof", ("증명", "풀이 과정"), ("proof", "derivation")),
        WorldTopic("examples", ("예제", "연습 문제"), ("examples", "exercises")),
        WorldTopic("slides", ("슬라이드", "필기"), ("slides", "handwriting")),
        WorldTopic("pace", ("설명 속도", "말투"), ("pace", "explanation")),
        _SOUND,
    ),
    "travel": (
        WorldTopic("food", ("시장 음식", "길거리 음식"), ("street food", "market")),
        WorldTopic("hotel", ("숙소", "호텔 조식"), ("hotel", "breakfast")),
        WorldTopic("views", ("야경", "바다 풍경"), ("night view", "coast")),
        WorldTopic("route", ("여행 코스", "기차 이동"), ("itinerary", "train ride")),
        _EDITING,
    ),
}
