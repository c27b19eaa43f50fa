"""A crawl of the demo web, for tests that need a finished one."""

from pathlib import Path
from typing import Any

from honeyguide.assemble import create
from honeyguide.config import merge
from honeyguide.demo.server import ServedWeb
from honeyguide.display import Quiet
from honeyguide.loop import Crawl
from honeyguide.model import Topic
from honeyguide.running import run_crawl


def demo_settings(web: ServedWeb, *, strategy: str, pages: int, delay: float) -> dict[str, dict[str, Any]]:
    """Settings that reach the demo web and nothing else."""
    return {
        "strategy": {"use": strategy},
        "budget": {"pages": pages},
        "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
        "politeness": {"delay": delay, "first_back_off": 0.2},
        "robots": {"retry_after": 1.0},
        "fetch": {"timeout": 10.0, "connect_timeout": 2.0},
    }


def crawl_demo(
    web: ServedWeb,
    folder: Path,
    *,
    strategy: str = "best-first",
    pages: int = 100,
    delay: float = 0.02,
    **tables: Any,
) -> Crawl:
    """Crawl the demo web into a folder."""
    settings = merge(demo_settings(web, strategy=strategy, pages=pages, delay=delay), tables)
    create(folder, Topic("dengue fever", seeds=web.seeds), settings)
    return run_crawl(folder, Quiet())
