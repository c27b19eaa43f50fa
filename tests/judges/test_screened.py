from dataclasses import replace

import pytest

from honeyguide.judges.cosine import Cosine
from honeyguide.judges.screened import Screened
from honeyguide.model import Page, Topic

TOPIC = Topic("dengue fever", keywords=("mosquito",))
PAGE = Page("https://example.org/", "Dengue", "Dengue fever is carried by a mosquito.", "en")


@pytest.mark.parametrize(
    ("wanted", "language", "judged"),
    [
        ((), "en", True),
        ((), "", True),
        ((), "en-GB", True),
        ((), "ru", False),
        (("en",), "de", False),
        (("de", "en"), "de", True),
        (("de",), "en", False),
        (("de",), "", True),
    ],
)
def test_only_pages_in_a_wanted_or_unknown_language_are_judged(
    wanted: tuple[str, ...], language: str, judged: bool
) -> None:
    verdict = (
        Screened(Cosine()).fit(replace(TOPIC, languages=wanted)).assess(replace(PAGE, language=language))
    )
    assert (verdict.score > 0) is judged
    assert verdict.relevant is judged
    assert (verdict.label == "language") is not judged


def test_a_page_in_another_language_is_told_why() -> None:
    verdict = Screened(Cosine()).fit(TOPIC).assess(replace(PAGE, language="ru"))
    assert [tuple(reason) for reason in verdict.reasons] == [("page is in Russian; wanted: English", 0.0)]
