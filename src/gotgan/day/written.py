"""Days as people write them, in English and Korean: 어제, 11/17, 17 Nov, 11월 17일, Monday."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

_RELATIVE: Final = {
    **dict.fromkeys(("today", "오늘"), 0),
    **dict.fromkeys(("yesterday", "어제"), 1),
    **dict.fromkeys(("day before yesterday", "the day before yesterday", "그제", "그저께"), 2),
}
_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KOREAN_WEEKDAYS: Final = "월화수목금토일"
_LAST: Final = re.compile(r"(?:last|지난주?)\s+")
_MONTH: Final = "(?P<name>" + "|".join(_MONTHS) + r")[a-z]*\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"(?P<year>\d{4})\s*[-./]\s*(?P<month>\d{1,2})\s*[-./]\s*(?P<day>\d{1,2})\.?",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        r"(?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        r"(?:(?P<year>\d{4})년\s*)?(?P<month>\d{1,2})월\s*(?P<day>\d{1,2})일",
        rf"{_DAY}\s*{_MONTH}(?:,?\s+(?P<year>\d{{4}}))?",
        rf"{_MONTH}\s*{_DAY}(?:,?\s+(?P<year>\d{{4}}))?",
    )
)


def written_day(text: str, today: date) -> date | None:
    """The day that a text means; without a year it is the last one that has come."""
    words = " ".join(text.split()).casefold()
    if words in _RELATIVE:
        return today - timedelta(days=_RELATIVE[words])
    weekday = _weekday(_LAST.sub("", words))
    if weekday is not None:
        return today - timedelta(days=(today.weekday() - weekday) % 7)
    found = next((match for form in _FORMS if (match := form.fullmatch(words))), None)
    return None if found is None else _date(found.groupdict(), today)


def _weekday(words: str) -> int | None:
    """The number of a weekday, from Monday on; English ones may be cut short."""
    if len(words) == len("월요일") and words.endswith("요일"):
        number = _KOREAN_WEEKDAYS.find(words[0])
        return None if number < 0 else number
    names = [number for number, name in enumerate(_WEEKDAYS) if name.startswith(words)]
    return names[0] if len(names) == 1 and len(words) >= len("mon") else None


def _date(parts: dict[str, str | None], today: date) -> date | None:
    name, year = parts.get("name"), parts.get("year")
    month = _MONTHS.index(name) + 1 if name else int(parts["month"] or 0)
    day = int(parts["day"] or 0)
    if month > len(_MONTHS) >= day and name is None and year is None:
        month, day = day, month  # 17/11
    years = [int(year)] if year else [today.year, today.year - 1]
    for each in years:
        try:
            wanted = date(each, month, day)
        except ValueError:
            continue
        if year or wanted <= today:
            return wanted
    return None
