"""Where a crawl is put together: the one place that knows what every role of it needs.

A crawl is made in two steps. `create` writes topic and settings into a new folder; `assembled` opens any
folder, new or old, puts the roles together as its settings say and takes them up where they stopped.
"""

import asyncio
import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from honeyguide.budget import Budget
from honeyguide.config import Tables, checked, construct, merge, pick, resolved, settable, to_toml
from honeyguide.errors import ConfigError, CrawlError, ErrorKind, Refusal, UserError
from honeyguide.fetch.agent import PRODUCT, user_agent
from honeyguide.fetch.archives import find_archives
from honeyguide.fetch.client import Client
from honeyguide.fetch.dns import Resolver
from honeyguide.fetch.http import HttpFetcher
from honeyguide.fetch.offline import OfflineWeb
from honeyguide.fetch.robots import Robots
from honeyguide.frontier.politeness import Politeness
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.frontier.traps import Traps
from honeyguide.health import Health
from honeyguide.learning import Learner
from honeyguide.loop import SEED_SCORE, Crawl, Progress
from honeyguide.model import Topic, Visit
from honeyguide.naming import (
    DEFAULTS,
    JUDGES,
    STRATEGIES,
    find,
    fitted_strategy,
    make_judge,
    make_strategy,
    unfitted_judge,
    with_preset,
)
from honeyguide.opening import open_collection, open_index, reads_archived, settings_of, update_index
from honeyguide.parse.pages import PageParser
from honeyguide.reading import InlineReader, ReaderProcesses
from honeyguide.rejudging import Retrospect
from honeyguide.resources import Room
from honeyguide.roles import Judge, Parser, Strategy, VisitLog
from honeyguide.scope import Scope
from honeyguide.search.ranking import Ranking
from honeyguide.search.upkeep import Upkeep
from honeyguide.self_training import SelfTraining
from honeyguide.steering import Steering
from honeyguide.store.cdxj import write_indexes
from honeyguide.store.duplicates import Duplicates
from honeyguide.store.folder import (
    CONFIG,
    DATABASE,
    LOG,
    WriterLock,
    create_folder,
    must_be_free,
)
from honeyguide.store.labelled import LabelledPages
from honeyguide.store.log import SqliteLog
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import SqliteStore, out_of_room, read_state
from honeyguide.store.status import SECONDS, STANDING
from honeyguide.store.warc import Archive
from honeyguide.strategies.promises import weights_in
from honeyguide.taking_up import is_another, take_up_strategy
from honeyguide.topics.examples import untold
from honeyguide.topics.folder import read_topic, revisions, write_revision
from honeyguide.topics.seeds import valid_seed
from honeyguide.training import JudgedLog, RecordedCrawl, Training
from honeyguide.urls import host_of
from honeyguide.version import __version__

MANNERS_EVERY = 1.0
"""Seconds between two savings of Crawl-delays and pending Retry-Afters."""

LOG_EVERY = 100
"""Visits between two lines of progress in the log; failures and refusals are all in it."""

TABLES: dict[str, tuple[Callable[..., Any], ...]] = {
    "budget": (Budget,),
    "crawl": (Crawl,),
    "reading": (ReaderProcesses,),
    "fetch": (Client, HttpFetcher, user_agent),
    "dns": (Resolver,),
    "robots": (Robots,),
    "politeness": (Politeness,),
    "frontier": (SqliteFrontier,),
    "scope": (Scope,),
    "traps": (Traps,),
    "parse": (PageParser,),
    "store": (SqliteStore, Archive),
    "room": (Room,),
    "learning": (SelfTraining,),
    "training": (Training,),
    "search": (Ranking, Upkeep),
}
"""Every table of settings but the two that name what they use, and the constructors it calls."""


def trained_strategy(
    settings: Tables, topic: Topic, warn: Callable[[str], None] = lambda sentence: None
) -> Strategy:
    """The strategy of a crawl, fitted to its topic and its training material, if it has any."""
    use, training = settings["strategy"], _make(settings, Training, "training")
    if training.path is None:
        return fitted_strategy(use, topic)
    training.check()
    try:
        with _training_log(settings, training.path) as log:
            judged = JudgedLog(log, make_judge(settings["judge"], topic))
            strategy = fitted_strategy(use, topic, judged)
    except OSError as error:
        raise CrawlError(f"{training.path} cannot be read to train with: {error.strerror}.") from error
    if not judged.was_read:
        warn(f"The strategy {use['use']} learns nothing before a crawl; --train makes no difference to it.")
    return strategy


@contextmanager
def _training_log(settings: Tables, path: Path) -> Iterator[VisitLog]:
    if (path / DATABASE).is_file():
        with open_collection(path) as collection:
            yield collection.log()
    else:
        yield RecordedCrawl(OfflineWeb.open(find_archives(path)), _make(settings, PageParser, "parse"))


def resolve_settings(tables: Mapping[str, Mapping[str, Any]], topic: Topic) -> Tables:
    """Check every table and key, and fill in the defaults; what cannot work is said before anything is made."""
    whole = resolve_tables(tables)
    if path := construct(Training, whole["training"], name="training").path:
        whole["training"]["path"] = str(path.absolute())
    whole["strategy"] = _with_weights(whole["strategy"])
    judge = make_judge(whole["judge"], topic)
    parser = construct(PageParser, whole["parse"], name="parse")
    construct(ReaderProcesses, whole["reading"], parser, judge, name="reading")
    return whole


def _with_weights(strategy: Mapping[str, Any]) -> dict[str, Any]:
    """A strategy's table with the whole path of the file of weights that it names, which must be there to read."""
    if strategy["use"] != "guide" or not strategy["weights"]:
        return dict(strategy)
    weights_in(strategy["weights"])
    return {**strategy, "weights": str(Path(strategy["weights"]).expanduser().absolute())}


def resolve_tables(tables: Mapping[str, Mapping[str, Any]]) -> Tables:
    """The same as far as it can be done without a topic, and so without fitting the judge."""
    settings = merge(DEFAULTS, with_preset(tables))
    valid = [*TABLES, "strategy", "judge"]
    unknown = sorted(set(settings) - set(valid))
    if unknown:
        raise ConfigError(f"There is no table [{unknown[0]}]; the tables are: topic, {', '.join(valid)}.")
    whole: Tables = {}
    for name, constructors in TABLES.items():
        table = settings.get(name, {})
        parts = [settable(make) for make in constructors]
        keys = {key: parameter for part in parts for key, parameter in part.items()}
        if strange := sorted(set(table) - set(keys)):
            raise ConfigError(f"[{name}] has no key {', '.join(strange)}; the keys are: {', '.join(keys)}.")
        whole[name] = {}
        for make in constructors:
            whole[name] |= resolved(make, checked(make, pick(make, table), name=name))
    for name, group, builtin in (("strategy", "strategies", STRATEGIES), ("judge", "judges", JUDGES)):
        whole[name] = resolved(find(builtin, group, settings[name]["use"]), settings[name])
    make_strategy(whole["strategy"])
    unfitted_judge(whole["judge"])
    for name, make in (
        ("scope", Scope),
        ("politeness", Politeness),
        ("traps", Traps),
        ("budget", Budget),
        ("learning", SelfTraining),
        ("search", Ranking),
        ("search", Upkeep),
    ):
        construct(make, pick(make, whole[name]), name=name)
    construct(Duplicates, {"distance": whole["store"]["near_duplicates"]}, name="store")
    if whole["crawl"]["workers"] < 1:
        raise ConfigError("crawl.workers must be at least 1.")
    if not whole["fetch"]["contact"].isascii():
        raise ConfigError("fetch.contact must be a mail address or a web address in plain ASCII.")
    return whole


def create(folder: Path, topic: Topic, tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Make a crawl folder with its topic and its settings; no page is fetched yet."""
    topic = startable(folder, topic, tables)
    if example := next(untold(topic), None):
        raise ConfigError(f"The example {example.url!r} has no text yet; honeyguide.material.gather gets it.")
    settings = resolve_settings(tables, topic)
    create_folder(folder)
    try:
        write_revision(folder, topic)
        _write_settings(folder, settings)
        connect(folder / DATABASE).close()
    except ConfigError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except (OSError, CrawlError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise CrawlError(f"The crawl's folder {folder} cannot be written: {error}") from error


def startable(folder: Path, topic: Topic, tables: Mapping[str, Mapping[str, Any]]) -> Topic:
    """The topic with its seeds in canonical form, if a crawl on it can be made here; raises if not."""
    seeds = tuple(dict.fromkeys(map(valid_seed, topic.seeds)))
    if not seeds:
        raise ConfigError(
            "A crawl needs at least one page to start from; give it with --seed URL or in the topic's seeds."
        )
    settings = resolve_tables(tables)
    construct(Training, settings["training"], name="training").check()
    _with_weights(settings["strategy"])
    scope = construct(Scope, settings["scope"], name="scope")
    for seed in seeds:
        if reason := scope.refuses(seed, 0):
            raise ConfigError(f"The seed {seed} is out of scope: {reason}.")
    must_be_free(folder)
    return replace(topic, seeds=seeds)


def load(folder: Path) -> tuple[Topic, Tables]:
    """The topic and the settings a crawl was made with, checked."""
    settings = settings_of(folder)
    return read_topic(folder), resolve_tables(settings)


@asynccontextmanager
async def assembled(
    folder: Path,
    *,
    changes: Mapping[str, Mapping[str, Any]] | None = None,
    refresh: bool = False,
    on_visit: Callable[[Visit], None] = lambda visit: None,
    on_pause: Callable[[str], None] = lambda sentence: None,
    warn: Callable[[str], None] = lambda sentence: None,
) -> AsyncIterator[Crawl]:
    """A crawl, ready to run, put together from its folder; closed and made sound when done with."""
    started, topic_revision = time.time(), max(revisions(folder), default=1)
    topic, settings = load(folder)
    with _writing(folder), _logging(folder) as log:
        if changes:
            settings = resolve_settings(merge(settings, changes), topic)
            _write_settings(folder, settings)
        make = partial(_make, settings)
        connection = connect(folder / DATABASE)
        politeness = make(Politeness, "politeness")
        use = _used(settings)
        is_untrained = "training" in use and not _has_learned(connection, use)
        strategy = (
            trained_strategy(settings, topic, warn)
            if is_untrained
            else fitted_strategy(settings["strategy"], topic)
        )
        frontier = make(
            SqliteFrontier,
            "frontier",
            connection,
            politeness=politeness,
            combine=strategy.combine,
            revise=strategy.revise,
            refill=strategy.refill,
            refused=strategy.refused,
            parked=strategy.parked,
        )
        archive = make(Archive, "store", folder)
        store = make(SqliteStore, "store", connection, archive, frontier.id_of)
        parser = make(PageParser, "parse")
        learner = Learner(
            topic,
            settings=settings["judge"],
            fit=partial(make_judge, settings["judge"]),
            unfitted=partial(unfitted_judge, settings["judge"]),
            pages=LabelledPages(connection, folder, reads_archived(make(PageParser, "parse")), log=log),
            states=store,
            training=make(SelfTraining, "learning"),
            log=log,
            retrospect=Retrospect(
                connection,
                SqliteLog(connection, folder, reads_archived(make(PageParser, "parse"))),
                top=frontier.top,
                id_of=frontier.id_of,
            ),
        )
        reader = make_reader(settings, parser, learner.judge)
        learner.publish = reader.publish
        manners = _Manners(politeness, store)
        traps = make(Traps, "traps")
        scope = make(Scope, "scope")
        fetcher, robots = make_fetcher(
            settings, politeness=politeness, check_hop=partial(_check_hop, scope, frontier)
        )

        def refuses(url: str, depth: int) -> str:
            reason: str = scope.refuses(url, depth) or traps.refuses(url)
            return reason

        def noticed(visit: Visit) -> None:
            if visit.error:
                log.info("%d %s %s %s", visit.number, visit.error, visit.detail, visit.url)
            elif visit.number % LOG_EVERY == 0:
                progress = crawl.progress
                log.info(
                    "%d pages, %d on topic, %d links wait, topic revision %d",
                    progress.pages,
                    progress.relevant,
                    len(frontier),
                    learner.revision,
                )
            on_visit(visit)
            learner.look()

        def save_with_visits() -> None:
            manners()
            learner.save()

        def paused(sentence: str) -> None:
            log.warning(sentence or "The crawl goes on.")
            on_pause(sentence)
            _note_outcome(connection, store, run, Health.PAUSED if sentence else Health.RUNNING)

        def remember(more: Mapping[str, Mapping[str, Any]]) -> None:
            nonlocal settings
            settings = merge(settings, more)
            _write_settings(folder, settings)

        def look() -> None:
            steering.look()
            learner.look(0)

        roles = {"strategy": strategy, "traps": traps, "politeness": politeness}
        visits = SqliteLog(connection, folder, reads_archived(parser))
        _take_up(roles, use, store, frontier, visits, connection, warn)
        budget = make(Budget, "budget")
        store.begin()
        frontier.forgive()
        if refresh:
            frontier.requeue_visited(SEED_SCORE)
            budget = Budget(pages=0)
        run = connection.execute("INSERT INTO runs (started) VALUES (?)", (time.time(),)).lastrowid
        if is_untrained:  # what it has learned from must not be needed again
            _save_states(roles, use, store)
        store.commit()
        crawl = make(
            Crawl,
            "crawl",
            fetcher=fetcher,
            reader=reader,
            frontier=frontier,
            store=store,
            strategy=strategy,
            refuses=refuses,
            traps=traps,
            room=make(Room, "room", folder),
            progress=Progress() if refresh else _progress(connection),
            budget=budget,
            sitemaps_of=robots.sitemaps,
            conditions=store.conditions,
            back_off=lambda host: politeness.back_off(host, None),
            on_visit=noticed,
            on_pause=paused,
            save_states=lambda: _save_states(roles, use, store),
            before_commit=save_with_visits,
            look=look,
        )
        crawl.refreshing = refresh
        crawl.sow(topic.seeds)
        steering = Steering(
            folder=folder,
            store=store,
            crawl=crawl,
            frontier=frontier,
            learner=learner,
            topic_revision=topic_revision,
            started=started,
            given=(changes or {}).get("budget", {}),
            remember=remember,
            say=warn,
            log=log,
        )
        log.info("honeyguide/%s starts on %r; %d links wait", __version__, topic.name, len(frontier))
        try:
            await learner.catch_up()
            yield crawl
        except (OSError, sqlite3.OperationalError) as error:
            raise out_of_room(error, folder) from error
        finally:
            await learner.close()
            await reader.close()
            await fetcher.close()
            outcome = Health.INTERRUPTED if crawl.outcome is Health.RUNNING else crawl.outcome
            log.info("ended: %s", outcome)
            with suppress(UserError, OSError, sqlite3.Error):
                _save_end(connection, store, roles, use, run, outcome)
            store.close()
            with suppress(OSError):
                write_indexes(folder)
        if outcome is not Health.INTERRUPTED:  # whoever stopped it wants it to end now
            await _index_for_search(folder, make(Upkeep, "search").seconds_at_end, log)


async def _index_for_search(folder: Path, seconds: float, log: logging.Logger) -> None:
    """Index the pages of a crawl that has ended, for so long; the first search does what is left."""
    if not seconds:
        return
    ends = time.monotonic() + seconds
    stopped = threading.Event()

    def work() -> None:
        try:
            index = open_index(folder, log=log)
            update_index(index, folder, stop=lambda: stopped.is_set() or time.monotonic() > ends)
        except (UserError, OSError, ValueError, sqlite3.Error) as error:
            log.warning("The pages could not be indexed for search: %s", error)

    try:
        await asyncio.to_thread(work)
    finally:
        stopped.set()


def _make(settings: Tables, make: Callable[..., Any], table: str, *given: Any, **injected: Any) -> Any:
    return construct(make, pick(make, settings[table]), *given, name=table, **injected)


def make_fetcher(
    settings: Tables, *, politeness: Politeness, check_hop: Callable[[str, str], None] | None = None
) -> tuple[HttpFetcher, Robots]:
    """What gets pages from the web, and the robots.txt files that it asks before."""
    make = partial(_make, settings)
    agent = make(user_agent, "fetch")
    client = make(Client, "fetch", resolver=make(Resolver, "dns"), gate=politeness, user_agent=agent)
    robots = make(Robots, "robots", get=client.get, gate=politeness, product=PRODUCT)
    return make(HttpFetcher, "fetch", client=client, robots=robots, check_hop=check_hop), robots


def make_reader(settings: Tables, parser: Parser, judge: Judge) -> InlineReader | ReaderProcesses:
    """What parses and judges pages, in other processes unless the settings say otherwise."""
    if not settings["reading"]["processes"]:
        return InlineReader(parser, judge)
    processes: ReaderProcesses = _make(settings, ReaderProcesses, "reading", parser, judge)
    return processes


def _check_hop(scope: Scope, frontier: SqliteFrontier, source: str, target: str) -> None:
    """A redirect may not lead out of scope, and need not lead where we are or have been."""
    if reason := scope.refuses(target, 0):
        raise Refusal(ErrorKind.SCOPE, f"redirected to {target}: {reason}")
    if frontier.is_blocked(host_of(target)):
        raise Refusal(ErrorKind.SCOPE, f"redirected to {target}: its host is blocked")
    if frontier.visited(target) or frontier.under_way(target):
        raise Refusal(ErrorKind.KNOWN, target)
    frontier.redirected(source, target)


def _write_settings(folder: Path, settings: Tables) -> None:
    """Keep settings with a crawl so that they are there whole, whatever happens."""
    new = folder / f"{CONFIG}.new"
    new.write_text(to_toml(settings), encoding="utf-8")
    new.replace(folder / CONFIG)


def _take_up(
    roles: Mapping[str, Any],
    use: Mapping[str, Any],
    store: SqliteStore,
    frontier: SqliteFrontier,
    log: SqliteLog,
    connection: sqlite3.Connection,
    warn: Callable[[str], None],
) -> None:
    """Give every role what it had learned, and let it see again the visits that came after."""
    after = dict.fromkeys(roles, 0)
    for name in roles.keys() - {"strategy"}:
        if saved := store.load_state(name):
            after[name], state = saved
            roles[name].restore(state)
    take_up_strategy(roles["strategy"], use, store, frontier, log, connection, warn)
    rows = connection.execute(
        "SELECT u.url, v.relevant FROM visits v JOIN urls u ON u.id = v.url "
        "WHERE v.id > ? AND v.error IS NULL AND v.unchanged = 0 ORDER BY v.id",
        (after["traps"],),
    )
    for url, relevant in rows:
        roles["traps"].learn(url, bool(relevant))


def _used(settings: Tables) -> Mapping[str, Any]:
    """What makes a strategy another one: its name, its parameters, and what it was trained with."""
    training = {key: value for key, value in settings["training"].items() if value}
    return settings["strategy"] | ({"training": training} if training else {})


def _has_learned(connection: sqlite3.Connection, use: Mapping[str, Any]) -> bool:
    """Whether what this strategy has learned was saved, so that it need not be trained again."""
    _, state = read_state(connection, "strategy") or (0, {})
    return "learned" in state and not is_another(state, use)


def _save_states(roles: Mapping[str, Any], use: Mapping[str, Any], store: SqliteStore) -> None:
    for name, role in roles.items():
        state = role.state()
        if name == "strategy":
            store.save_state(name, {"use": dict(use), "learned": state})
        elif state:
            store.save_state(name, state)


class _Manners:
    """Saves what hosts have asked for with the visits, so that a killed crawl still knows it."""

    def __init__(self, politeness: Politeness, store: SqliteStore) -> None:
        self._politeness = politeness
        self._store = store
        self._saved = 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._saved >= MANNERS_EVERY:
            self._saved = now
            self._store.save_state("politeness", self._politeness.state())


def _note_outcome(
    connection: sqlite3.Connection, store: SqliteStore, run: int | None, outcome: Health
) -> None:
    store.begin()
    connection.execute("UPDATE runs SET outcome = ? WHERE id = ?", (outcome, run))
    store.commit()


def _save_end(
    connection: sqlite3.Connection,
    store: SqliteStore,
    roles: Mapping[str, Any],
    use: Mapping[str, Any],
    run: int | None,
    outcome: Health,
) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    store.begin()
    _save_states(roles, use, store)
    connection.execute("UPDATE runs SET ended = ?, outcome = ? WHERE id = ?", (time.time(), outcome, run))
    store.commit()


def _progress(connection: sqlite3.Connection) -> Progress:
    """What earlier runs of the crawl have done."""
    visits, pages, relevant, size = connection.execute(
        "SELECT (SELECT COUNT(*) FROM visits), COALESCE(SUM(status > 0), 0), COALESCE(SUM(relevant), 0), "
        f"(SELECT COALESCE(SUM(wire), 0) FROM visits) FROM visits WHERE {STANDING}"
    ).fetchone()
    (seconds,) = connection.execute(SECONDS).fetchone()
    progress = Progress(visits=visits, pages=pages, relevant=relevant, bytes=size, seconds=seconds)
    progress.errors.update(
        dict(connection.execute("SELECT error, COUNT(*) FROM visits WHERE error IS NOT NULL GROUP BY error"))
    )
    recent = connection.execute(
        "SELECT relevant FROM visits WHERE status > 0 AND unchanged = 0 ORDER BY id DESC LIMIT ?",
        (progress.recent.maxlen,),
    )
    progress.recent.extend(bool(row[0]) for row in reversed(recent.fetchall()))
    return progress


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    lock = WriterLock(folder)
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


class _LogFile(RotatingFileHandler):
    """A log that a full disk silences; the crawl itself will say what is wrong."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the line."""


@contextmanager
def _logging(folder: Path) -> Iterator[logging.Logger]:
    """A log file in the crawl's folder, rotated, seen by nobody else's handlers."""
    log = logging.Logger("honeyguide.crawl", logging.INFO)
    handler = _LogFile(folder / LOG, maxBytes=20_000_000, backupCount=3, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    try:
        yield log
    finally:
        with suppress(OSError):
            handler.close()


def iterate_seeds(paths: Iterable[Path]) -> Iterator[str]:
    """Seeds from files: a list of URLs, a WARC, or another crawl's relevant pages."""
    from honeyguide.topics.seeds import read_seeds

    for path in paths:
        if path.is_dir():
            with open_collection(path) as collection:
                yield from (row["url"] for row in collection.rows(only_relevant=True, text=False))
        else:
            yield from read_seeds(path)
