"""Which language a comment is taken to be in."""

from __future__ import annotations

import pytest

from gotgan.domains.videos.metrics.sentiment import Language, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("오늘도 잘 봤습니다", "ko"),
        ("ㅋㅋㅋㅋ", "ko"),
        ("BTS의 Dynamite는 진짜 good", "ko"),
        ("I love this song so much", "en"),
        ("first", "en"),
        ("the word 한글 means the Korean alphabet, if anybody wondered", "en"),
        ("café was nice, the naïve one too, and all of the other places", "en"),
        ("I've seen it and I've read it, and it could've been so much better", "en"),
        ("we heard que sera, sera on the way there, and then the old man sang all of it", "en"),
        ("muchas gracias!! que hermosa.", "other"),
        ("la mejor cancion que he escuchado, muy hermosa", "other"),
        ("lagu ini bagus banget, aku suka", "other"),
        ("この曲が大好きです", "other"),
        ("это прекрасно", "other"),
        ("❤️❤️", "other"),
        ("2:14", "other"),
        ("", "other"),
    ],
)
def test_a_language_is_known_by_its_letters_and_its_commonest_words(
    text: str, language: Language
) -> None:
    assert detect_language(text) == language
