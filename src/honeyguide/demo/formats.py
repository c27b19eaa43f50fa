"""Bodies of every sort: languages, charsets, content codings, files, hostile markup."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace

from honeyguide.demo.draft import Draft
from honeyguide.demo.markup import Reference, document, listing, paragraph
from honeyguide.demo.prose import TOPIC
from honeyguide.demo.resource import Resource
from honeyguide.demo.sites import MIRRORS

VOICES = "world-voices.test"
BENCH = "lab-bench.test"

# Language, matter, charset of the bytes, charset of the header and of the meta element ("" says none).
_TEXTS = (
    ("es", "dengue", "utf-8", "utf-8", ""),
    ("es", "other", "iso-8859-1", "iso-8859-1", ""),
    ("fr", "dengue", "iso-8859-1", "", "iso-8859-1"),
    ("fr", "other", "utf-8", "", "utf-8"),
    ("de", "dengue", "iso-8859-1", "", ""),
    ("de", "other", "utf-8", "iso-8859-1", ""),
    ("pt", "dengue", "iso-8859-1", "utf-8", "utf-8"),
    ("pt", "other", "utf-8", "utf-8", "utf-8"),
    ("ru", "dengue", "koi8-r", "koi8-r", ""),
    ("ru", "other", "windows-1251", "", ""),
    ("el", "dengue", "iso-8859-7", "", "iso-8859-7"),
    ("el", "other", "utf-8", "utf-8", "utf-8"),
    ("ja", "dengue", "shift_jis", "", "shift_jis"),
    ("ja", "other", "euc-jp", "", ""),
    ("zh", "dengue", "gb2312", "", "gb2312"),
    ("zh", "other", "utf-8", "", "gb2312"),
    ("tw", "dengue", "big5", "big5", ""),
    ("ar", "dengue", "windows-1256", "windows-1256", ""),
    ("ar", "other", "utf-8", "utf8mb4", ""),
)


def languages(draft: Draft) -> None:
    """A site of short texts in other languages, its front page among them."""
    contents = []
    for language, matter, charset, header, meta in _TEXTS:
        voice = draft.prose.voices[language, matter]
        title = voice.titles[0]
        target = f"/{language}/{'dengue' if matter == 'dengue' else 'vida'}"
        contents.append(Reference(target, title))
        code = "zh" if language == "tw" else language
        said = header or meta
        if not said:
            kind = "charset-missing"
        elif charset not in (header or charset, meta or charset):
            kind = "charset-lying"
        else:
            kind = (
                "charset-lying"
                if said != charset
                else "language"
                if charset == "utf-8"
                else "charset-declared"
            )
        text = "\n".join(map(paragraph, voice.sentences))
        html = document(draft.sites[VOICES], title, text, language=code if said else "", charset=meta)
        content_type = "text/html" + (f"; charset={header}" if header else "")
        draft.put(VOICES, target, Resource(html.encode(charset), content_type=content_type))
        topics = {TOPIC} if matter == "dengue" else {"city"}
        draft.enter(VOICES, target, kind, topics=topics, language=code)
        if matter == "dengue" and language in ("es", "fr", "pt", "ru", "zh"):
            draft.refer(draft.some("dengue-watch.test", TOPIC), VOICES, target, title)
    site = draft.sites[VOICES]
    draft.put(VOICES, "/", draft.page(VOICES, site.title, paragraph(site.intro) + listing(contents)))
    draft.enter(VOICES, "/", "home", topics={"city"}, language="mul")
    draft.refer(draft.some("city-notes.test"), VOICES, "/", site.title)
    draft.refer(draft.some("travel-far.test"), VOICES, "/", site.title)
    draft.notices["campus-library.test"].append(
        Reference(draft.href(VOICES, "/", source=""), site.title, site.tagline)
    )


def codings(draft: Draft) -> None:
    """Articles sent compressed, and one that only says so."""
    for kind, topic, served in (
        ("encoded-gzip", TOPIC, Resource(coding="gzip")),
        ("encoded-br", TOPIC, Resource(coding="br")),
        ("encoded-deflate", TOPIC, Resource(coding="deflate")),
        ("encoded-deflate-raw", "mosquitoes", Resource(coding="deflate-raw")),
        ("encoded-lying", "mosquitoes", Resource(claims="gzip")),
    ):
        page = draft.write(BENCH, topic, folder="packed", kind=kind, served=served)
        draft.link(draft.some(BENCH), page)
    filler = b"<p>" + b"The same line again and again. " * 650_000
    served = Resource(draft.page(BENCH, "Raw counts", "").body + filler, coding="gzip")
    _shelve(draft, "/data/raw-counts", "the raw counts", served, kind="bomb", fetchable=True)
    for article in draft.articles:
        if article.host in ("city-notes.test", "asthma-clinic.test") and article.listed:
            article.served = replace(article.served, coding="gzip")


def files(draft: Draft) -> None:
    """Plain text, and files that are no pages, honest and not."""
    rng = draft.random("files")
    noise = rng.randbytes(6000)
    sentences = [
        draft.prose.fill(each, draft.prose.setting(rng), rng)
        for aspect in draft.prose.topics[TOPIC][:4]
        for each in rng.sample(aspect.sentences, 4)
    ]
    text = "FIELD NOTES ON DENGUE\n\n" + "\n\n".join(sentences) + "\n"
    plain = Resource(text.encode(), content_type="text/plain; charset=utf-8")
    _shelve(
        draft,
        "/notes/dengue.txt",
        "field notes on dengue",
        plain,
        kind="text-plain",
        fetchable=True,
        topics={TOPIC},
    )
    pdf, jpeg, packed = (
        _pdf("Dengue: annual report"),
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01" + noise,
        _zip(text),
    )
    for target, words, body, content_type, kind in (
        ("/files/report.pdf", "annual report on dengue (PDF)", pdf, "application/pdf", "pdf"),
        ("/files/annual-report", "annual report on dengue", pdf, "application/pdf", "pdf"),
        ("/files/ward.jpg", "a picture of the ward", jpeg, "image/jpeg", "image"),
        ("/files/picture", "the picture of the month", jpeg, "image/jpeg", "image"),
        ("/files/tables.zip", "all tables", packed, "application/zip", "archive"),
        ("/files/1", "the dengue report", pdf, "text/html", "binary-as-html"),
        ("/files/2", "a mosquito, enlarged", jpeg, "text/html; charset=utf-8", "binary-as-html"),
        ("/files/3", "tables, packed", packed, "text/html", "binary-as-html"),
        ("/files/4", "the unreadable file", noise, "text/html", "binary-as-html"),
    ):
        _shelve(draft, target, words, Resource(body, content_type=content_type), kind=kind, fetchable=False)
    photo = Resource(_png(), content_type="image/png")
    for host in draft.sites.keys() - MIRRORS.keys():
        draft.put(host, "/images/photo.png", photo)


def hostile(draft: Draft) -> None:
    """Markup that was never meant to be read, around text that was."""
    for kind, html in _hostile_pages(draft):
        topics = {TOPIC} if kind == "hostile-unclosed" else {"mosquitoes"}
        served = Resource(html.encode())
        _shelve(
            draft,
            f"/odd/{kind.removeprefix('hostile-')}",
            f"page with {kind[8:]}",
            served,
            kind=kind,
            fetchable=True,
            topics=topics,
        )


def _hostile_pages(draft: Draft) -> Iterator[tuple[str, str]]:
    rng = draft.random("hostile")

    def text(topic: str, aspect: str) -> list[str]:
        setting = draft.prose.setting(rng)
        return [each for _, part in draft.prose.paragraphs(topic, aspect, setting, rng) for each in part]

    lines = text(TOPIC, "symptoms")
    unclosed = "".join(f"<div><p><b><i><font color=red>{line}<ul><li><a href=/>home" for line in lines)
    yield (
        "hostile-unclosed",
        f"<html><title>Dengue, unclosed</title><body><h1>Dengue, unclosed{unclosed}<table><tr><td",
    )
    first, *rest = text("mosquitoes", "biology")
    deep = "<div>" * 3000 + "<b><i>" * 300
    yield (
        "hostile-nesting",
        f"<title>Deep</title><p>{first}</p>{deep}<p>{' '.join(rest)} <a href='/'>home</a>",
    )
    many = " ".join(f'data-{n}="{n}"' for n in range(3000))
    first, *rest = text("mosquitoes", "repellent")
    long = "x" * 200_000
    yield (
        "hostile-attributes",
        f'<title>Attributes</title><p {many}>{first}</p><p title="{long}">{" ".join(rest)} <a {many} href="/">home</a>',
    )
    first, *rest = text("mosquitoes", "monitoring")
    half = f"<!-- half <p a='<a href=\"/no\">'>{rest[0]}</p><!--><script>if (a</b) '<a href=/no>'</script>"
    tail = "<a href='/'>home</a></p><svg><style><a></style></svg></body></html><p>"
    yield "hostile-debris", f"<title>De\0bris</title><p>{first}\0\ufffe{half}<p>{' '.join(rest)} {tail}"


def _shelve(
    draft: Draft,
    target: str,
    words: str,
    served: Resource,
    *,
    kind: str,
    fetchable: bool,
    topics: set[str] | None = None,
) -> None:
    draft.put(BENCH, target, served)
    draft.enter(BENCH, target, kind, topics=topics or {"mosquitoes"}, fetchable=fetchable)
    draft.refer(draft.some(BENCH), BENCH, target, words)


def _pdf(title: str) -> bytes:
    """A one-page PDF with a line of text."""
    stream = f"BT /F1 24 Tf 72 720 Td ({title}) Tj ET".encode()
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    body, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj%s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


def _zip(text: str) -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(zipfile.ZipInfo("notes.txt"), text)
        return file.getvalue()


def _png() -> bytes:
    """A small grey square."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    side = 60
    rows = (b"\0" + b"\x99" * side) * side
    header = side.to_bytes(4, "big") * 2 + b"\x08\0\0\0\0"
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
