import pytest

from honeyguide.text.languages import complaint, name, primary


@pytest.mark.parametrize("language", ["en", "EN", "en-GB", "en_US", " en ", "English"])
def test_a_language_is_known_by_its_code_or_name_whatever_its_region(language: str) -> None:
    assert primary(language) == "en"
    assert name(language) == "English"
    assert complaint(language, ("en",)) == ""
    assert complaint("en", (language,)) == ""


@pytest.mark.parametrize("language", ["", "  ", "und"])
def test_an_unknown_language_is_no_reason_to_complain(language: str) -> None:
    assert complaint(language, ("en",)) == ""


def test_a_complaint_names_the_language_and_those_wanted() -> None:
    assert complaint("ru", ("en", "de-AT")) == "page is in Russian; wanted: English, German"
    assert complaint("xx", ("en",)) == "page is in xx; wanted: English"
