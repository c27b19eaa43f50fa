"""Takes stock of a crawl: works out the figures that the overview shows."""

import sqlite3
import time
from dataclasses import asdict

import numpy as np

from honeyguide.budget import Budget
from honeyguide.dashboard.columns import host_names
from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.error_words import words_for
from honeyguide.dashboard.figures import (
    BudgetPart,
    Count,
    CurvePoints,
    HostFigures,
    LessonFigures,
    Overview,
    QueueFigures,
    RequestFigures,
)
from honeyguide.dashboard.queue_scan import Queue, QueueScan
from honeyguide.dashboard.visit_columns import Columns
from honeyguide.health import Health
from honeyguide.opening import settings_of
from honeyguide.store.folder import is_being_written
from honeyguide.store.lessons import read_lessons
from honeyguide.store.requests import Kind, Request, read_requests
from honeyguide.store.status import read_health

WIDEST_WINDOW = 500
NARROWEST_WINDOW = 50
TOP_HOSTS = 20
MOST_REQUESTS = 20
MOST_LESSONS = 10
SPEED_OVER = 60.0
ENOUGH = 0.9
"""The share of visits that must be read before they are believed more than the sums of the hosts."""

STEERING = (Kind.PAUSE, Kind.RESUME, Kind.STOP)


def read_overview(crawl: CrawlAtHand, scan: QueueScan, *, now: float | None = None) -> Overview:
    """The figures of a crawl as they stand."""
    now = time.time() if now is None else now
    columns = crawl.columns()
    with crawl.open() as collection:
        connection = collection.connection
        version = _version(connection)
        queue = scan.queue(version)
        running = is_being_written(crawl.folder)
        sums = columns.sums
        pages, relevant = sums.pages, sums.relevant
        if columns.read < ENOUGH * columns.total:
            pages, relevant = connection.execute(
                "SELECT COALESCE(SUM(visits - failures), 0), COALESCE(SUM(relevant), 0) FROM hosts"
            ).fetchone()
        window = window_of(pages)
        health, sentence = read_health(connection, crawl.folder, pages)
        requests = read_requests(connection)
        paused, pausing = _steering(requests, running)
        started, seconds = _time_of_runs(connection, columns, now if running else None)
        speed = _speed(columns, running, now, started, seconds)
        used = {"pages": pages, "relevant": relevant, "seconds": seconds, "bytes": sums.bytes}
        budget = _budget(crawl, used)
        left = next((part.left for part in budget if part.part == "pages"), None)
        host_count = connection.execute("SELECT COUNT(*) FROM hosts WHERE visits > 0").fetchone()[0]
        return Overview(
            at=now,
            name=crawl.name,
            health="paused" if paused else health,
            sentence=_sentence(health, sentence, paused),
            running=running,
            paused=paused,
            pausing=pausing,
            read=columns.read,
            total=columns.total,
            settled=columns.last >= (version[0] or 0) and queue is not None and queue.version == version,
            visits=columns.total,
            pages=pages,
            relevant=relevant,
            harvest=relevant / pages if pages else 0.0,
            recent_harvest=_recent(connection, window),
            window=window,
            duplicates=sums.duplicates,
            failures=sums.failures,
            host_count=host_count,
            bytes=sums.bytes,
            seconds=seconds,
            speed=speed,
            seconds_left=left / speed if left is not None and speed and running and not paused else None,
            budget=budget,
            curve=_curve(columns, window),
            queue=_queue(queue),
            hosts=_hosts(connection, columns, queue),
            errors=[Count(kind=kind, count=n, words=words_for(kind)) for kind, n in columns.errors],
            requests=[RequestFigures(**asdict(request)) for request in requests[-MOST_REQUESTS:]],
            lessons=[
                LessonFigures(**lesson._asdict()) for lesson in read_lessons(connection, limit=MOST_LESSONS)
            ],
        )


def _version(connection: sqlite3.Connection) -> tuple[float | None, ...]:
    """The number of the last visit, and what else changes whenever the crawl has written a visit or run."""
    version: tuple[float | None, ...] = connection.execute(
        "SELECT (SELECT MAX(id) FROM visits), (SELECT MAX(id) FROM urls), (SELECT MAX(id) FROM runs), "
        "(SELECT MAX(ended) FROM runs)"
    ).fetchone()
    return version


def window_of(pages: int) -> int:
    """How many pages count as the last ones: an eighth of them, within bounds."""
    return min(WIDEST_WINDOW, max(NARROWEST_WINDOW, pages // 8))


def _recent(connection: sqlite3.Connection, window: int) -> float:
    """The harvest of the last pages, which needs nothing but these."""
    share = connection.execute(
        "SELECT AVG(relevant) FROM "
        "(SELECT relevant FROM visits WHERE status > 0 AND unchanged = 0 ORDER BY id DESC LIMIT ?)",
        (window,),
    ).fetchone()[0]
    return share or 0.0


def _steering(requests: list[Request], running: bool) -> tuple[bool, str]:
    """Whether somebody paused the crawl, and what it was asked to do and has not done yet."""
    if not running:
        return False, ""
    asked = [request for request in requests if request.kind in STEERING and not request.refused]
    done = [request for request in asked if request.answered is not None]
    waiting = [request for request in asked if request.answered is None]
    paused = bool(done) and done[-1].kind == Kind.PAUSE
    return paused, waiting[-1].kind if waiting else ""


def _sentence(health: Health, sentence: str, paused: bool) -> str:
    return "The crawl is paused; resume it to go on." if paused and health is Health.RUNNING else sentence


def _time_of_runs(connection: sqlite3.Connection, columns: Columns, now: float | None) -> tuple[float, float]:
    """When the newest run began, and how long all took; one that was killed lasted until its last visit."""
    runs = connection.execute("SELECT started, ended FROM runs ORDER BY id").fetchall()
    total = 0.0
    for number, (started, ended) in enumerate(runs):
        if ended is None and number == len(runs) - 1 and now is not None:
            ended = now
        elif ended is None:
            following = runs[number + 1][0] if number + 1 < len(runs) else np.inf
            within = columns.at[columns.at.searchsorted(started) : columns.at.searchsorted(following)]
            ended = float(within[-1]) if len(within) else started
        total += max(0.0, ended - started)
    return (runs[-1][0] if runs else 0.0), total


def _speed(columns: Columns, running: bool, now: float, started: float, seconds: float) -> float:
    if running:
        return columns.speed(now, seconds=min(SPEED_OVER, max(1.0, now - started)))
    return columns.sums.pages / seconds if seconds else 0.0


def _budget(crawl: CrawlAtHand, used: dict[str, float]) -> list[BudgetPart]:
    limits = asdict(Budget()) | settings_of(crawl.folder).get("budget", {})
    return [
        BudgetPart(part=part, limit=limits[part], used=amount, left=max(0.0, limits[part] - amount))
        for part, amount in used.items()
        if limits[part]
    ]


def _curve(columns: Columns, window: int) -> CurvePoints:
    curve = columns.curve(points=400, window=window)
    return CurvePoints(
        pages=curve.pages.tolist(),
        overall=curve.overall.round(4).tolist(),
        recent=curve.recent.round(4).tolist(),
    )


def _queue(queue: Queue | None) -> QueueFigures | None:
    if queue is None:
        return None
    return QueueFigures(
        counted=queue.at,
        waiting=queue.waiting,
        first=queue.first,
        refused=queue.refused,
        low=queue.low,
        high=queue.high,
        bars=list(queue.bars),
        refusals=[Count(kind=kind, count=count) for kind, count in queue.reasons],
    )


def _hosts(connection: sqlite3.Connection, columns: Columns, queue: Queue | None) -> list[HostFigures]:
    best = columns.best_hosts(TOP_HOSTS)
    names = host_names(connection, [host.host for host in best])
    parked = dict(
        connection.execute(
            "SELECT id, parked FROM hosts WHERE parked != '' ORDER BY relevant DESC LIMIT 1000"
        )
    )
    return [
        HostFigures(
            name=names.get(host.host, ""),
            pages=host.pages,
            relevant=host.relevant,
            failures=host.failures,
            waiting=queue.hosts[host.host] if queue else 0,
            parked=parked.get(host.host, ""),
        )
        for host in best
    ]
