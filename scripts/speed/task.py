"""What both crawlers are asked for."""

from honeyguide.model import Topic
from speed.web import KEYWORDS, TOPIC, Web


def topic(port: int) -> Topic:
    """What they look for on the web behind a port, and where they start."""
    return Topic(TOPIC, keywords=KEYWORDS, seeds=tuple(Web(port).seeds()))
