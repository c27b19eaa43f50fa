"""How a crawl is doing, in one word and one sentence."""

from enum import StrEnum


class Health(StrEnum):
    """The state of a crawl."""

    RUNNING = "running"
    EXHAUSTED = "exhausted"
    SATURATED = "saturated"
    BLOCKED = "blocked"
    REFUSED = "refused by robots"
    SPENT = "budget spent"
    INTERRUPTED = "interrupted"
    PAUSED = "paused"


SENTENCES = {
    Health.RUNNING: "The crawl is going on.",
    Health.EXHAUSTED: "Every link that could be followed was followed.",
    Health.SATURATED: "The last pages brought nothing on topic: more of the same would not pay.",
    Health.BLOCKED: (
        "Links are waiting, but every host they lead to has stopped answering, reached its cap or was blocked."
    ),
    Health.REFUSED: "robots.txt refused every page that was tried.",
    Health.SPENT: "The budget is spent; links are still waiting.",
    Health.INTERRUPTED: "The crawl was stopped before its end; it can be resumed.",
    Health.PAUSED: "The crawl waits for disk space or memory.",
}
