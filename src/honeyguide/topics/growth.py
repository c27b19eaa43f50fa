"""A topic grown: what a judge needs and nobody wrote down, worked out from what somebody did."""

from collections.abc import Iterable

from honeyguide.model import Topic


def grown(topic: Topic, needs: Iterable[str]) -> Topic:
    """The topic with the parts that are needed and missing filled in, as far as the others allow."""
    return topic
