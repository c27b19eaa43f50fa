"""Whom a webmaster may write to: asked for once and remembered."""

import os
import sys
import tomllib
from pathlib import Path

import typer

WARNING = (
    "No contact is set: a webmaster who is unhappy with this crawl cannot tell you. "
    "Set one with --contact MAIL-OR-URL; it is remembered."
)


def known_contact(given: str | None, *, public: bool) -> str:
    """The contact to name in the user agent; asked for when a person is there and the crawl leaves this machine."""
    file = _file()
    if given is not None:
        _remember(file, given)
        return given
    if "HONEYGUIDE_CONTACT" in os.environ:
        return os.environ["HONEYGUIDE_CONTACT"]
    remembered = _recall(file)
    if remembered or not public:
        return remembered or ""
    asked_before = remembered is not None
    if not asked_before and sys.stdin.isatty() and sys.stderr.isatty():
        answer: str = typer.prompt(
            "A mail address or web page that webmasters can reach you at (asked once; empty for none)",
            default="",
            show_default=False,
            err=True,
        ).strip()
        _remember(file, answer)
        if answer:
            return answer
    typer.echo(f"honeyguide: {WARNING}", err=True)
    return ""


def _file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "honeyguide" / "contact.toml"


def _recall(file: Path) -> str | None:
    """The contact of earlier crawls, "" for none wanted; None when nobody was asked yet."""
    try:
        return str(tomllib.loads(file.read_text(encoding="utf-8")).get("contact", ""))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


def _remember(file: Path, contact: str) -> None:
    from honeyguide.config import quoted

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"contact = {quoted(contact)}\n", encoding="utf-8")
    except OSError as error:
        typer.echo(f"honeyguide: the contact could not be remembered ({error}).", err=True)
