"""How pages of hosts and folders have been, and how much that tells of their other pages."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]

STRENGTH = 3.0
"""Pages that the wider mean counts as before anything is known of how places differ."""

DOUBT = 10.0
"""Pages after which what was seen of the differences counts as much as what was presumed of them."""


_SHARED = -1
"""The host of a folder whose number pages of several hosts have."""


class Places:
    """Means over folders, drawn towards those of their hosts, and these towards that of the crawl.

    A mean is drawn as if the wider one had been seen s times. How large s should be the pages themselves tell, by an
    analysis of variance: with n pages in groups of n_g, means m_g drawn towards m and a variance v within groups, the
    variance between them is e / d, where e = sum n_g (m_g - m)^2 - v * (groups - 1) and d = n - sum n_g^2 / n, and s is
    v over that. So folders named by first letters, which differ by chance alone, come to say nothing of their pages,
    and departments of a university soon say much. Before `DOUBT` pages s is near `STRENGTH`. Folders are compared with
    others of their host; what several hosts share by chance, because numbers of folders are few, is left out.
    """

    def __init__(self, *, places: int) -> None:
        self._hosts = np.zeros((places, 2))
        self._folders = np.zeros((places, 3))
        self._host_of = np.zeros(places, np.int32)
        self._used_hosts: list[int] = []
        self._used_folders: list[int] = []
        self._strengths = np.full(2, STRENGTH)

    def add(self, host: int, folder: int, relevance: float) -> None:
        """Take in a page."""
        if not self._hosts[host, 1]:
            self._used_hosts.append(host)
        if not self._folders[folder, 1]:
            self._used_folders.append(folder)
            self._host_of[folder] = host
        elif self._host_of[folder] != host:
            self._host_of[folder] = _SHARED
        self._hosts[host] += relevance, 1.0
        self._folders[folder] += relevance, 1.0, relevance**2

    def change(self, host: int, folder: int, before: float, after: float) -> None:
        """A page is as relevant as this after all."""
        self._hosts[host, 0] += after - before
        self._folders[folder] += after - before, 0.0, after**2 - before**2

    def settle(self) -> None:
        """Work out how much hosts and folders tell of their pages."""
        folders = np.array(self._used_folders, np.int64)
        of_hosts, of_folders = self._hosts[self._used_hosts], self._folders.take(folders, 0)
        whole = np.broadcast_to(of_hosts.sum(axis=0), of_hosts.shape)
        squares = of_folders[:, 2]
        hosts = self._host_of.take(folders)
        is_own = hosts != _SHARED
        own = hosts[is_own]
        self._strengths[:] = (
            _strength(of_hosts, whole, 1, float(squares.sum())),
            _strength(
                of_folders[is_own, :2],
                self._hosts.take(own, 0),
                len(np.unique(own)),
                float(squares[is_own].sum()),
            ),
        )

    def of(self, hosts: Numbers, folders: Numbers, usual: float) -> Floats:
        """How pages of these folders and hosts have been; `usual` is how those of the crawl were."""
        hosts_draw, folders_draw = self._strengths.tolist()
        of_hosts, of_folders = self._hosts.take(hosts, 0), self._folders.take(folders, 0)
        wider = (of_hosts[:, 0] + hosts_draw * usual) / (of_hosts[:, 1] + hosts_draw)
        return np.asarray((of_folders[:, 0] + folders_draw * wider) / (of_folders[:, 1] + folders_draw))

    def pages_of(self, hosts: Numbers) -> Floats:
        """How many pages have come of some hosts."""
        return np.asarray(self._hosts[hosts, 1])

    def state(self) -> Mapping[str, Any]:
        """All of it as arrays."""
        hosts, folders = (np.array(used, np.int64) for used in (self._used_hosts, self._used_folders))
        return {
            "hosts": hosts,
            "of_hosts": self._hosts[hosts],
            "folders": folders,
            "of_folders": self._folders[folders],
            "host_of": self._host_of[folders],
            "strengths": self._strengths.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._hosts[:] = self._folders[:] = self._host_of[:] = 0
        self._hosts[state["hosts"]] = state["of_hosts"]
        self._folders[state["folders"]] = state["of_folders"]
        self._host_of[state["folders"]] = state["host_of"]
        self._used_hosts, self._used_folders = state["hosts"].tolist(), state["folders"].tolist()
        self._strengths = state["strengths"].astype(np.float64)


def _strength(groups: Floats, wider: Floats, above: int, squares: float) -> float:
    """How strongly the means of groups are drawn; sums and numbers of each, those of the wider group that it is in,
    how many wider ones there are, and the sum of all squares.
    """
    sums, numbers = groups.T
    means = sums / numbers
    pages, inside = numbers.sum(), squares - (sums * means).sum()
    if pages <= len(groups) or inside <= 0:
        return STRENGTH
    variance = inside / (pages - len(groups))
    excess = (numbers * np.square(means - wider[:, 0] / wider[:, 1])).sum() - variance * (len(groups) - above)
    weight = pages - (np.square(numbers) / wider[:, 1]).sum()
    return float((weight + DOUBT) / max(excess / variance + DOUBT / STRENGTH, 1.0))
