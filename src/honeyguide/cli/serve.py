"""honeyguide serve."""

import os
from pathlib import Path
from typing import Annotated

import typer

from honeyguide.errors import ConfigError, CrawlError

PASSWORD = "HONEYGUIDE_PASSWORD"
SHORTEST = 8


def serve(
    folder: Annotated[
        Path, typer.Argument(help="A crawl's folder, or a folder of crawls.", metavar="DIR")
    ] = Path("crawls"),
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to serve on; 0 for any that is free.")
    ] = 0,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to serve on; any but this machine's own needs a password."),
    ] = "127.0.0.1",
    password_file: Annotated[
        Path | None,
        typer.Option(
            "--password-file",
            help=f"A file that holds the password; default: what {PASSWORD} says.",
            metavar="FILE",
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the link in a browser.")] = True,
) -> None:
    """Open a web application over a crawl or a folder of crawls, running or finished.

    The link that it prints lets in whoever has it; Ctrl-C ends the application and nothing else.
    """
    from honeyguide.dashboard.serving import serve as serve_dashboard

    if not folder.is_dir():
        raise CrawlError(f"{folder} is no folder; name a crawl's folder or one that holds crawls.")

    def ready(link: str) -> None:
        import webbrowser

        typer.echo(f"Honeyguide is at {link}")
        if open_ and _has_browser():
            webbrowser.open(link)

    serve_dashboard(folder, host=host, port=port, password=_password(password_file), on_ready=ready)


def _password(file: Path | None) -> str:
    if file is None:
        password = os.environ.get(PASSWORD, "")
    else:
        try:
            password = file.read_text(encoding="utf-8").strip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file} cannot be read as a password: {error}.") from error
    if (file is not None or password) and len(password) < SHORTEST:
        raise ConfigError(f"The password is too short: it needs {SHORTEST} characters.")
    return password


def _has_browser() -> bool:
    """Whether a window can open: a browser in a terminal would take the terminal."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or os.name == "nt"
