"""What comments are about: the topics of each kind of video, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["SUBJECTS", "Topic"]


@dataclass(frozen=True)
class Topic:
    """Something that people talk about, and what they call it."""

    name: str
    korean: tuple[str, ...]
    english: tuple[str, ...]


_EDITING: Final = Topic("editing", ("편집", "자막", "화면 전환"), ("editing", "subtitles", "cuts"))
_SOUND: Final = Topic("sound", ("음질", "마이크 소리", "배경음악"), ("audio", "mic", "music"))
_LENGTH: Final = Topic("length", ("영상 길이", "분량"), ("length", "pacing"))

SUBJECTS: Final[Mapping[str, tuple[Topic, ...]]] = {
    "cooking": (
        Topic("sauce", ("양념장", "소스", "간장 비율"), ("sauce", "marinade", "seasoning")),
        Topic("noodles", ("면발", "국수", "반죽"), ("noodles", "dough")),
        Topic("heat", ("불 조절", "굽는 시간"), ("heat control", "cooking time")),
        Topic("ingredients", ("재료", "재료값", "대파"), ("ingredients", "grocery list")),
        _EDITING,
        _SOUND,
    ),
    "game": (
        Topic("boss", ("보스전", "마지막 보스", "패턴"), ("boss fight", "final boss")),
        Topic("graphics", ("그래픽", "최적화", "프레임"), ("graphics", "frame rate")),
        Topic("story", ("스토리", "엔딩", "대사"), ("story", "ending", "dialogue")),
        Topic("controls", ("조작감", "키 설정"), ("controls", "key bindings")),
        _LENGTH,
        _SOUND,
    ),
    "music": (
        Topic("vocals", ("보컬", "고음", "음색"), ("vocals", "high note", "voice")),
        Topic("choreography", ("안무", "춤선", "군무"), ("choreography", "dance break")),
        Topic("lyrics", ("가사", "후렴"), ("lyrics", "chorus")),
        Topic("styling", ("의상", "스타일링"), ("outfits", "styling")),
        Topic("camera", ("카메라 워크", "색감"), ("camera work", "colours")),
    ),
    "news": (
        Topic("fares", ("버스 요금", "환승 할인"), ("bus fares", "transfer discount")),
        Topic("routes", ("노선 개편", "막차 시간"), ("new routes", "last bus")),
        Topic("reporting", ("기사 내용", "인터뷰"), ("reporting", "interview")),
        Topic("budget", ("예산", "세금"), ("budget", "taxes")),
    ),
    "tech": (
        Topic("battery", ("배터리", "충전 속도"), ("battery life", "charging speed")),
        Topic("camera", ("카메라", "야간 사진"), ("camera", "night photos")),
        Topic("price", ("가격", "가성비"), ("price", "value")),
        Topic("screen", ("화면", "밝기"), ("screen", "brightness")),
        Topic("heat", ("발열", "소음"), ("heat", "fan noise")),
        _EDITING,
    ),
    "vlog": (
        Topic("room", ("방 꾸미기", "책상 정리"), ("room tour", "desk setup")),
        Topic("cat", ("고양이", "산책 장면"), ("cat", "walk")),
        Topic("mood", ("영상 분위기", "색감"), ("atmosphere", "colours")),
        _EDITING,
        _SOUND,
    ),
    "lecture": (
        Topic("proof", ("증명", "풀이 과정"), ("proof", "derivation")),
        Topic("examples", ("예제", "연습 문제"), ("examples", "exercises")),
        Topic("slides", ("슬라이드", "필기"), ("slides", "handwriting")),
        Topic("pace", ("설명 속도", "말투"), ("pace", "explanation")),
        _SOUND,
    ),
    "travel": (
        Topic("food", ("시장 음식", "길거리 음식"), ("street food", "market")),
        Topic("hotel", ("숙소", "호텔 조식"), ("hotel", "breakfast")),
        Topic("views", ("야경", "바다 풍경"), ("night view", "coast")),
        Topic("route", ("여행 코스", "기차 이동"), ("itinerary", "train ride")),
        _EDITING,
    ),
}
