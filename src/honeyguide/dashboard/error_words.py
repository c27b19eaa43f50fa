"""What the kinds of errors mean, for people who have never seen their names."""

from honeyguide.errors import ErrorKind

WORDS = {
    ErrorKind.DNS: "no such host, or its address could not be found",
    ErrorKind.CONNECT: "the host does not answer",
    ErrorKind.TLS: "no secure connection could be made",
    ErrorKind.TIMEOUT: "it took too long",
    ErrorKind.STALLED: "the answer stopped coming",
    ErrorKind.PROTOCOL: "the server does not keep to HTTP",
    ErrorKind.HEADERS: "the headers were too long or too many",
    ErrorKind.REDIRECTS: "redirects in a circle, or too many",
    ErrorKind.STATUS: "the server's answer",
    ErrorKind.ENCODING: "the content could not be decompressed",
    ErrorKind.TYPE: "not a page: a picture, an archive and so on",
    ErrorKind.ROBOTS: "robots.txt says no",
    ErrorKind.ROBOTS_UNREACHABLE: "robots.txt could not be had",
    ErrorKind.PRIVATE: "leads into a private network",
    ErrorKind.SCOPE: "leads out of what may be crawled",
    ErrorKind.KNOWN: "redirects to a page that was fetched already",
    ErrorKind.TRAP: "one of endlessly many pages",
    ErrorKind.CAP: "the host has had its share of pages",
    ErrorKind.PARKED: "the host is not asked any more",
    ErrorKind.PARSE: "the page could not be read",
    ErrorKind.PARSE_TIMEOUT: "reading the page took too long",
    ErrorKind.WORKER: "the page ended the process that read it",
    ErrorKind.MISS: "not in the recorded web",
}


def words_for(kind: str) -> str:
    """What a kind of error means, such as "robots" or "status 404"; empty if nobody knows."""
    name = kind.partition(" ")[0]
    return WORDS[ErrorKind(name)] if name in set(ErrorKind) else ""
