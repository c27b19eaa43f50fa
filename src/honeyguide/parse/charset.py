"""From bytes to text: what a page says its encoding is, and what to do when that is not so.

The order is that of browsers (byte order mark, HTTP header, `<meta>`), with two amendments. Text that is
valid UTF-8 is read as UTF-8 whatever is declared, because other encodings practically never look like it.
And a declaration that the bytes contradict is put to a detector, which decides if it has an opinion.
Names are those of the WHATWG encoding standard, and so are the decoders.
"""

import re
from functools import lru_cache

import turbohtml
import turbohtml.detect  # its import makes the standard's decoders available as "whatwg-..." codecs
from resiliparse.parse.encoding import EncodingDetector

FALLBACK = "windows-1252"

_MARKS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16LE"), (b"\xfe\xff", "UTF-16BE"))
_PRESCANS = (1024, 16_384)
_SAMPLE = 16_384
_ENOUGH = 6
"""So many continuation bytes make valid UTF-8 no accident."""

# The Macintosh's Cyrillic has its small letters where Windows has them, and is a thousand times rarer.
_PYTHON_NAMES = {"cp949": "euc-kr", "iso2022_jp": "iso-2022-jp", "mac-cyrillic": "windows-1251"}

_parameter = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE).search
_xml_declaration = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']").match
_ASCII = bytes(range(0x80))
_foreign_words = re.compile(rb"[\x80-\xff]{4,}").findall


def decode(body: bytes, content_type: str) -> tuple[str, str]:
    """The text of a body and the name of the encoding it was read in; never fails."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _read(body[len(mark) :], name), name
    announced = _in_header(content_type)
    if announced.startswith("UTF-16"):
        return _read(body, announced), announced
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return _read_legacy(body, [name for name in (announced, declared(body)) if name])
    if len(body) - len(text) >= _ENOUGH or (body.isascii() and b"\x1b" not in body):
        return text, "UTF-8"
    name = announced or declared(body) or "UTF-8"
    return _read(body, name), name


def declared(body: bytes) -> str:
    """The encoding that a document declares in itself, or "" when it declares none."""
    for size in _PRESCANS:
        document = turbohtml.parse(body[:size], positions=False)
        name = document.encoding or ""
        if name != "replacement" and (name != FALLBACK or document.encoding_confidence == "certain"):
            return name
        if len(body) <= size:
            break
    found = _xml_declaration(body)
    return _name_of(found[1].decode()) if found else ""


def _in_header(content_type: str) -> str:
    found = _parameter(content_type)
    return _name_of(found[1]) if found else ""


@lru_cache(maxsize=512)
def _name_of(label: str) -> str:
    """The standard's name for one of its many labels; "" when it knows none."""
    try:
        name = turbohtml.parse(b"", encoding=label).encoding or ""
    except (LookupError, ValueError):
        return ""
    return "" if name == "replacement" else name


def _read(body: bytes, name: str) -> str:
    if name == "UTF-8":
        return body.decode("utf-8", "replace")
    return body.decode(f"whatwg-{name.lower()}")


def _read_legacy(body: bytes, claims: list[str]) -> tuple[str, str]:
    """Read what is not valid UTF-8: as declared, unless the bytes plainly contradict that."""
    detected = None
    for name in claims:
        text = _read(body, name)
        if not _contradicts(body, text, name):
            return text, name
        if detected is None:
            detected = _detect(body)
        if detected in ("", name):
            return text, name
    name = (_detect(body) if detected is None else detected) or FALLBACK
    return _read(body, name), name


def _contradicts(body: bytes, text: str, name: str) -> bool:
    """Whether a text is full of errors, or pretends to be Latin where accented letters make up whole words."""
    if text.count("\ufffd") > 1 + len(text) // 500:
        return True
    if name != FALLBACK:
        return False
    return 2 * sum(map(len, _foreign_words(body))) > len(body.translate(None, _ASCII))


def _detect(body: bytes) -> str:
    """What the detector takes a body for; "" when it has no opinion worth having."""
    sample = body[:_SAMPLE]
    if sample.isascii():
        sample = body.translate(None, _ASCII)[:_SAMPLE]
    detector = EncodingDetector()
    detector.update(sample)
    found: str = detector.encoding(html5_compatible=False) or ""
    name = _name_of(_PYTHON_NAMES.get(found, found.replace("_jp", "-jp")))
    return "" if name == "UTF-8" else name
