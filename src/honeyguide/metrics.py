"""Counters for Prometheus, served on loopback while a crawl runs."""

import asyncio
from collections.abc import Callable

Sample = tuple[str, dict[str, str], float]
"""A metric's name, its labels and its value."""

HELP = {
    "honeyguide_visits_total": ("counter", "Turns of the loop, failures included."),
    "honeyguide_pages_total": ("counter", "Pages that a server answered."),
    "honeyguide_relevant_pages_total": ("counter", "Pages judged on topic."),
    "honeyguide_bytes_total": ("counter", "Bytes of bodies as they came over the wire."),
    "honeyguide_errors_total": ("counter", "Visits that failed, by kind."),
    "honeyguide_queue_length": ("gauge", "Links waiting to be followed."),
    "honeyguide_harvest_rate": ("gauge", "Share of pages that are on topic."),
}


def render(samples: list[Sample]) -> str:
    """The text exposition format of Prometheus."""
    lines = []
    seen = set()
    for name, labels, value in samples:
        if name not in seen:
            seen.add(name)
            kind, text = HELP[name]
            lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
        inner = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        lines.append(f"{name}{{{inner}}} {value:g}" if inner else f"{name} {value:g}")
    return "\n".join(lines) + "\n"


async def serve_metrics(port: int, read: Callable[[], list[Sample]]) -> asyncio.Server:
    """Answer every request on loopback with the counters of the moment."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5.0)
            body = render(read()).encode()
            head = (
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + body)
            await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        finally:
            writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", port)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
