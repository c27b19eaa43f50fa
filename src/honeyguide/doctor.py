"""Whether everything a crawl needs is there and works."""

import importlib
import shutil
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    ok: bool
    detail: str
    severity: str = "MISSING"


def examine() -> list[Finding]:
    """Look at the interpreter, the libraries, the data shipped with the package, and the machine."""
    return [
        Finding("python", sys.version_info >= (3, 11), sys.version.split()[0]),
        _try(
            "sqlite",
            lambda: f"{sqlite3.sqlite_version}, write-ahead log",
            sqlite3.sqlite_version_info >= (3, 35),
        ),
        _try("http", _http),
        _try("html", lambda: _imported("turbohtml")),
        _try("language", _language),
        _try("archive", lambda: f"{_imported('fastwarc')}; {_imported('isal')}"),
        _try("background", _background),
        _try("event loop", lambda: _imported("uvloop"), severity="slower"),
        _try(
            "parquet",
            lambda: _imported("pyarrow"),
            severity="extra",
            hint="pip install 'honeyguide[parquet]'",
        ),
        _disk(),
    ]


def _try(
    what: str, look: Callable[[], str], condition: bool = True, *, severity: str = "MISSING", hint: str = ""
) -> Finding:
    try:
        return Finding(what, condition, look(), severity)
    except Exception as error:
        return Finding(what, False, f"{error}{f' (install with: {hint})' if hint else ''}", severity)


def _imported(name: str) -> str:
    module = importlib.import_module(name)
    version = getattr(module, "__version__", "")
    return f"{name} {version}".strip()


def _http() -> str:
    import pycurl

    known = pycurl.version_info()
    http2 = "with HTTP/2" if known[4] & pycurl.VERSION_HTTP2 else "without HTTP/2"
    return f"libcurl {known[1]} {http2}, {known[5]}"


def _language() -> str:
    from honeyguide.parse.language import language_of

    found = language_of("This sentence is written in English, as anyone who reads it can tell.", "")
    if found != "en":
        raise RuntimeError(f"English was taken for {found!r}")
    return "model loads and tells English"


def _background() -> str:
    from honeyguide.text.background import Background

    background = Background.load()
    if not background.idf("dengu") > background.idf("hous") > 0:
        raise RuntimeError("the word table shipped with the package is damaged")
    return "word table loads"


def _disk() -> Finding:
    free = shutil.disk_usage(Path.cwd()).free
    return Finding("disk", free > 1_000_000_000, f"{free / 1e9:.1f} GB free here", "low")
