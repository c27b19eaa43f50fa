"""A small recorded web with labels, written as any tool would write it, for tests that replay one."""

from collections.abc import Iterable, Mapping
from pathlib import Path

SITE = "http://zoo.test"
LICENCE = f"{SITE}/licence"
BIRDS = [f"{SITE}/bird/{number}" for number in range(24)]
FISH = [f"{SITE}/fish/{number}" for number in range(22)]
OTHERS = [f"{SITE}/page/{number}" for number in range(40)]
STRAYS = [f"{SITE}/stray/{number}" for number in range(6)]
GONE = f"{SITE}/gone"


def html(title: str, words: str, links: Iterable[str]) -> str:
    anchors = " ".join(f'<a href="{link}">{link.split("/")[-2]} number {link[-2:]}</a>' for link in links)
    paragraphs = f"<p>{words} {words}.</p>" * 3
    return (
        f"<html lang=en><head><title>{title}</title></head><body><h1>{title}</h1>{paragraphs}<p>{anchors}</p>"
    )


def zoo() -> dict[str, str]:
    """Birds lead to birds, fish to fish; every fourth other page leads to a bird; strays lead nowhere else.

    Every page links to the licence and to a page that nobody recorded.
    """
    always = (LICENCE, GONE)
    pages = {LICENCE: html("Licence", "You may copy this text under the terms of the licence", OTHERS[:1])}
    for n, url in enumerate(BIRDS):
        near = (BIRDS[(n + 1) % 24], BIRDS[(n + 5) % 24], OTHERS[n])
        pages[url] = html(
            f"Bird {n}", "Birds have feathers and wings and every bird lays eggs", (*near, *always)
        )
    for n, url in enumerate(FISH):
        near = (FISH[(n + 1) % 22], OTHERS[n + 7])
        pages[url] = html(f"Fish {n}", "Fish have gills and fins and live under water", (*near, *always))
    for n, url in enumerate(OTHERS):
        near = (OTHERS[(n + 1) % 40], OTHERS[(3 * n + 2) % 40], *((BIRDS[n // 2],) if n % 4 == 0 else ()))
        words = "Trains run on rails and stop at stations where passengers wait"
        pages[url] = html(f"Page {n}", words, (*near, FISH[n % 22], *always))
    for n, url in enumerate(STRAYS):
        pages[url] = html(
            f"Stray {n}", "Nothing to see here but stones and dust", (STRAYS[(n + 1) % 6], *always[1:])
        )
    return pages


ZOO_LABELS = [
    *((url, "Animals/Birds") for url in BIRDS),
    (LICENCE, "Animals/Birds"),
    *((url, "Animals/Fish") for url in FISH),
    *((url, "Animals") for url in OTHERS[:6]),
    *((url, "Stones") for url in STRAYS),
]


def record(url: str, status: str, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    http = "\r\n".join(lines).encode() + body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
        f"WARC-Date: 2007-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def write_corpus(
    folder: Path,
    pages: Mapping[str, str],
    labels: Iterable[tuple[str, ...]],
    *,
    header: str = "url\ttopic",
    redirects: Mapping[str, str] | None = None,
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "web.warc").open("wb") as warc:
        for url, text in pages.items():
            warc.write(record(url, "200 OK", {"Content-Type": "text/html"}, text.encode()))
        for url, target in (redirects or {}).items():
            warc.write(record(url, "301 Moved", {"Location": target}, b""))
    lines = [header, *("\t".join(row) for row in labels)]
    (folder / "labels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def write_zoo(folder: Path) -> Path:
    return write_corpus(folder, zoo(), ZOO_LABELS)


def write_universities(folder: Path) -> Path:
    """Four small universities and misc, whose pages also link to each other's."""
    pages: dict[str, str] = {}
    labels: list[tuple[str, ...]] = []
    redirects: dict[str, str] = {}
    for n, name in enumerate(("cornell", "texas", "washington", "wisconsin", "misc")):
        site = f"http://www.cs.{name}.test"
        root, people = f"{site}/", f"{site}/people/"
        students = [f"{people}student{k}" for k in range(6 + n)]
        lost = f"{people}lost"
        others = [f"{site}/other/{k}" for k in range(5)]
        rest = {kind: f"{site}/{kind}/one" for kind in ("course", "faculty", "project")}
        abroad = "http://www.cs.texas.test/people/student0"
        alias = f"{site}/~student0"
        redirects[alias] = students[0]
        words = "The department of computer science"
        pages[root] = html("Department", words, (people, *others, *rest.values(), abroad))
        pages[people] = html("People", "People of the department", (alias, *students))
        for url in (*students, lost):
            pages[url] = html("Home", "I am a graduate student and these are my interests", (root, abroad))
        for url in others:
            pages[url] = html("Other", "Rooms and floors of the building", (people,))
        for kind, url in rest.items():
            pages[url] = html(kind, f"This is a {kind} of the university", (root,))
        labels += [(root, "department", name), (people, "other", name)]
        labels += [(url, "student", name) for url in (*students, lost)]
        labels += [(url, "other", name) for url in others]
        labels += [(url, kind, name) for kind, url in rest.items()]
    return write_corpus(folder, pages, labels, header="url\tcategory\tuniversity", redirects=redirects)
