import os
from pathlib import Path

import pytest

from honeyguide.parse.charset import FALLBACK, declared, decode

RUSSIAN = "Пчёлы собирают нектар и делают из него мёд, а зимой живут в улье. "
JAPANESE = "ミツバチは花の蜜を集めて巣に運びます。これは日本語のページです。"
CHINESE = "蜜蜂采集花蜜酿造蜂蜜，这是一个中文网页。"
TAIWANESE = "蜜蜂採集花蜜釀造蜂蜜，這是一個中文網頁。"
GREEK = "Οι μέλισσες συλλέγουν νέκταρ και φτιάχνουν μέλι στην κυψέλη τους. "
ARABIC = "النحل يجمع الرحيق من الأزهار ويصنع منه العسل في الخلية. "
KOREAN = "꿀벌은 꽃에서 꿀을 모아 벌집으로 가져갑니다. "

LEGACY = [
    (RUSSIAN, "koi8-r", "KOI8-R"),
    (RUSSIAN, "cp1251", "windows-1251"),
    (JAPANESE, "shift_jis", "Shift_JIS"),
    (JAPANESE, "euc_jp", "EUC-JP"),
    (CHINESE, "gb2312", "gb18030"),
    (TAIWANESE, "big5", "Big5"),
    (GREEK, "iso8859_7", "ISO-8859-7"),
    (ARABIC, "cp1256", "windows-1256"),
    (KOREAN, "euc_kr", "EUC-KR"),
]


@pytest.mark.parametrize(("text", "codec", "name"), LEGACY)
def test_an_undeclared_encoding_is_found_out(text: str, codec: str, name: str) -> None:
    page = "<p>" + text * 8
    assert decode(page.encode(codec), "text/html") == (page, name)


@pytest.mark.parametrize(("text", "codec", "_"), LEGACY)
def test_a_declaration_in_the_header_is_followed(text: str, codec: str, _: str) -> None:
    page = "<p>" + text
    assert decode(page.encode(codec), f"text/html; charset={codec.replace('_', '-')}")[0] == page


@pytest.mark.parametrize(("text", "codec", "_"), LEGACY)
def test_a_declaration_in_the_page_is_followed(text: str, codec: str, _: str) -> None:
    label = {"cp1251": "windows-1251", "cp1256": "windows-1256"}.get(codec, codec.replace("_jp", "-jp"))
    page = f"<meta charset={label.replace('euc_kr', 'euc-kr').replace('iso8859_7', 'iso-8859-7')}><p>{text}"
    assert decode(page.encode(codec), "text/html")[0] == page


def test_a_byte_order_mark_beats_every_declaration() -> None:
    body = "\ufeff<meta charset=koi8-r>größer".encode()
    assert decode(body, "text/html; charset=shift_jis") == ("<meta charset=koi8-r>größer", "UTF-8")
    assert decode("\ufeffgrößer".encode("utf-16-le"), "text/html") == ("größer", "UTF-16LE")
    assert decode("\ufeffgrößer".encode("utf-16-be"), "text/html") == ("größer", "UTF-16BE")


def test_the_header_beats_the_page() -> None:
    body = f"<meta charset=windows-1252>{RUSSIAN}".encode("koi8-r")
    assert decode(body, "text/html; charset=koi8-r")[1] == "KOI8-R"


def test_latin_one_means_windows_1252_as_the_standard_has_it() -> None:
    body = b"<p>\x93caf\xe9\x94"
    assert decode(body, "text/html; charset=ISO-8859-1") == ("<p>“café”", "windows-1252")


def test_valid_utf8_is_utf8_whatever_is_declared() -> None:
    body = f"<meta charset=iso-8859-1><p>{RUSSIAN}".encode()
    assert decode(body, "text/html; charset=iso-8859-1")[1] == "UTF-8"


def test_utf8_that_is_cut_in_the_middle_of_a_letter_stays_utf8() -> None:
    body = RUSSIAN.encode() * 50
    text, name = decode(body[:-2], "text/html; charset=utf-8")
    assert name == "UTF-8"
    assert text.startswith(RUSSIAN)


def test_a_declared_utf8_that_is_something_else_is_found_out() -> None:
    page = "<p>" + RUSSIAN * 8
    assert decode(page.encode("cp1251"), "text/html; charset=utf-8") == (page, "windows-1251")


def test_a_header_that_says_latin_by_default_yields_to_the_page() -> None:
    page = f"<html><head><meta charset=windows-1251></head><body><p>{RUSSIAN * 3}"
    body = page.encode("cp1251")
    assert decode(body, "text/html; charset=ISO-8859-1") == (page, "windows-1251")


def test_real_latin_text_is_not_taken_for_something_else() -> None:
    page = "<p>Les abeilles récoltent le nectar là où fleurissent les châtaigniers, même l'été. " * 5
    assert decode(page.encode("cp1252"), "text/html; charset=ISO-8859-1") == (page, "windows-1252")


def test_a_charset_nobody_knows_is_no_declaration() -> None:
    assert decode("<p>größer als".encode(), "text/html; charset=klingon")[1] == "UTF-8"


def test_seven_bit_japanese_is_read_as_declared() -> None:
    page = f"<meta charset=iso-2022-jp><p>{JAPANESE}"
    assert decode(page.encode("iso2022_jp"), "text/html") == (page, "ISO-2022-JP")


def test_an_xml_declaration_counts() -> None:
    page = f'<?xml version="1.0" encoding="koi8-r"?><rss><title>{RUSSIAN}</title></rss>'
    assert decode(page.encode("koi8-r"), "application/xml") == (page, "KOI8-R")


def test_any_bytes_can_be_decoded() -> None:
    for body in (b"", b"\xff", bytes(range(256)) * 4, b"\x80" * 5000, b"\x1b$B\xff", b"\xfe\xff\xd8"):
        text, name = decode(body, "text/html; charset=big5")
        assert isinstance(text, str)
        assert name
        text.encode("utf-8")


def conformance_cases() -> list[tuple[bytes, str]]:
    folder = os.environ.get("HONEYGUIDE_CONFORMANCE")
    if not folder:
        return []
    cases = []
    for file in sorted(Path(folder, "html5lib-encoding").glob("*.dat")):
        for case in file.read_bytes().split(b"#data\n")[1:]:
            data, _, encoding = case.partition(b"\n#encoding\n")
            cases.append((data, encoding.strip().decode().lower()))
    return cases


@pytest.mark.skipif(
    "HONEYGUIDE_CONFORMANCE" not in os.environ,
    reason="HONEYGUIDE_CONFORMANCE names no folder of published cases",
)
def test_declared_encodings_are_those_of_the_html5lib_cases() -> None:
    cases = conformance_cases()
    assert len(cases) >= 81
    wrong = [data[:100] for data, name in cases if (declared(data) or FALLBACK).lower() != name]
    assert wrong == []
