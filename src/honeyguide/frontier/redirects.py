"""Where fetches under way were led on to: such a URL is not handed out before that fetch has ended."""

from honeyguide.frontier.hosts import Host


class Redirects:
    """The targets of redirects that are being followed, and those whose turn came meanwhile."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}
        self._held: dict[str, list[tuple[Host, int]]] = {}

    def __contains__(self, url: str) -> bool:
        return url in self._sources

    def follow(self, source: str, target: str) -> None:
        """What was asked for at `source` is being fetched from `target`."""
        self._sources[target] = source

    def hold(self, target: str, host: Host, row: int) -> None:
        """Put a target aside whose turn has come."""
        self._held.setdefault(self._sources[target], []).append((host, row))

    def end(self, source: str) -> list[tuple[Host, int]]:
        """The fetch of `source` has ended; returns what was put aside for it."""
        for target in [url for url, of in self._sources.items() if of == source]:
            del self._sources[target]
        return self._held.pop(source, [])
