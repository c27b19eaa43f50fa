"""Takes a picture of every screen of the web application for the documentation, over crawls of the demo web.

A screen is one line of SHOTS: the picture's name, the address, and, where the screen must first be brought
into the state that is worth a picture, a function that does so as a person would.
"""

import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from honeyguide.assemble import create
from honeyguide.demo.server import serving
from honeyguide.display import Quiet
from honeyguide.model import Topic
from honeyguide.running import run_crawl

IMAGES = Path(__file__).parent.parent / "docs" / "images"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CRAWLS = {"dengue": ("best-first", 400), "dengue-breadth": ("breadth-first", 300)}
MOST_BYTES = 150_000


class Shot(NamedTuple):
    """One picture."""

    name: str
    path: str
    act: Callable[[Page], object] = lambda page: None
    scheme: Literal["light", "dark"] = "light"


SHOTS = [
    Shot("crawls", "/"),
    Shot("overview", "/crawls/dengue/", lambda page: page.wait_for_selector("#harvest-chart canvas")),
    Shot(
        "overview-dark",
        "/crawls/dengue/",
        lambda page: page.wait_for_selector("#harvest-chart canvas"),
        "dark",
    ),
    Shot("pages", "/crawls/dengue/pages?relevant=yes&sort=relevance&order=desc"),
    Shot(
        "page",
        "/crawls/dengue/pages?relevant=yes&sort=depth&order=desc",
        lambda page: page.locator("tbody a").nth(2).click(),
    ),
    Shot("map", "/crawls/dengue/map", lambda page: page.wait_for_timeout(2000)),
    Shot("search", "/crawls/dengue/search?q=mosquito", lambda page: page.wait_for_timeout(3000)),
    Shot("label", "/crawls/dengue/label", lambda page: page.wait_for_selector("#yes:enabled")),
    Shot("topic", "/crawls/dengue/topic", lambda page: page.wait_for_timeout(3000)),
    Shot("compare", "/compare?one=dengue&other=dengue-breadth"),
    Shot("reports", "/reports"),
    Shot("report", "/reports/results", lambda page: page.wait_for_timeout(1500)),
    Shot("sign-in", "/sign-in"),
    Shot("api", "/api/docs", lambda page: page.locator("#call-5").scroll_into_view_if_needed()),
]


def make_crawls(root: Path) -> None:
    with serving() as web:
        for name, (strategy, pages) in CRAWLS.items():
            settings: dict[str, dict[str, Any]] = {
                "strategy": {"use": strategy},
                "budget": {"pages": pages},
                "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
                "politeness": {"delay": 0.02, "first_back_off": 0.2},
                "robots": {"retry_after": 1.0},
            }
            create(root / name, Topic("dengue fever", seeds=web.seeds), settings)
            run_crawl(root / name, Quiet())


def make_report(root: Path) -> None:
    web = root.parent / "web"
    contenders = ["--setting", "near", "--strategies", "best-first,breadth-first"]
    for words in (
        ["corpus", "make", str(web), "--pages", "300"],
        ["bench", str(web), *contenders, "--out", str(root / "results")],
    ):
        subprocess.run([sys.executable, "-m", "honeyguide", *words], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def served(root: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "honeyguide", "serve", root.name, "--no-open"],
        cwd=root.parent,  # no picture shows where on a machine it was taken
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "honeyguide serve printed no link"
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=20)


def take(browser: Browser, link: str, shot: Shot) -> Path:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=shot.scheme)
    page = context.new_page()
    page.goto(link)
    page.goto(link.partition("/?")[0] + shot.path)
    shot.act(page)
    page.wait_for_timeout(800)  # charts are drawn and fonts are there
    file = IMAGES / f"dashboard-{shot.name}.png"
    file.write_bytes(reduced(browser, page.screenshot(animations="disabled")))
    context.close()
    return file


PIXELS = """
async (source) => {
  const image = new Image();
  image.src = `data:image/png;base64,${source}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const bytes = context.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  }
  return [image.width, image.height, btoa(text)];
}
"""


def reduced(browser: Browser, png: bytes) -> bytes:
    """The same picture with its 256 most frequent colours, which a screen hardly exceeds."""
    page = browser.new_page()
    width, height, text = page.evaluate(PIXELS, base64.b64encode(png).decode())
    page.close()
    colours = np.frombuffer(base64.b64decode(text), np.uint8).reshape(-1, 4)[:, :3].astype(np.int64)
    packed, places, counts = np.unique(
        colours @ np.array([1 << 16, 1 << 8, 1], np.int64), return_inverse=True, return_counts=True
    )
    every = np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=1)
    palette = every[np.argsort(-counts, kind="stable")[:256]]
    nearest = ((every[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    rows = nearest[places].reshape(height, width)
    lines = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def main() -> None:
    wanted = set(sys.argv[1:]) or {shot.name for shot in SHOTS}
    named = os.environ.get("HONEYGUIDE_CHROMIUM")
    chromium = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    if chromium is None:
        sys.exit("There is no Chromium here; install one, or name it with HONEYGUIDE_CHROMIUM.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "crawls"
        make_crawls(root)
        if wanted & {"reports", "report"}:
            make_report(root)
        with served(root) as link, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            for shot in SHOTS:
                if shot.name in wanted:
                    file = take(browser, link, shot)
                    size = file.stat().st_size
                    print(f"{file}: {size:,} bytes{', which is a lot' if size > MOST_BYTES else ''}")
            browser.close()


if __name__ == "__main__":
    main()
