"""A password, kept as a hash, and the patience that whoever guesses at it needs."""

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Callable

FREE_TRIES = 5
LONGEST_WAIT = 300.0
MOST_ADDRESSES = 4096


class Password:
    """A password that can be checked and not read."""

    def __init__(self, password: str, *, salt: bytes | None = None) -> None:
        self._salt = salt or secrets.token_bytes(16)
        self._hash = self._hashed(password)

    def matches(self, given: str) -> bool:
        """Whether this is the password; takes its time on purpose, so never call it in the event loop."""
        return hmac.compare_digest(self._hashed(given), self._hash)

    def _hashed(self, password: str) -> bytes:
        return hashlib.scrypt(
            password.encode("utf-8", "surrogatepass"), salt=self._salt, n=2**14, r=8, p=1, maxmem=2**26
        )


class Attempts:
    """Counts wrong guesses by address: after a few, each makes the next one wait twice as long."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: dict[str, tuple[int, float]] = {}

    def wait(self, address: str) -> float:
        """Seconds until this address may guess again; 0 when it may now, and then the guess is counted."""
        key, now = _network(address), self._clock()
        count, until = self._wrong.pop(key, (0, 0.0))
        if now < until:
            self._wrong[key] = count, until
            return until - now
        count += 1
        pause = min(LONGEST_WAIT, 2.0 ** (count - FREE_TRIES)) if count >= FREE_TRIES else 0.0
        # Whoever guessed longest ago is forgotten first, so that many addresses cannot fill the memory.
        while len(self._wrong) >= MOST_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        self._wrong[key] = count, now + pause
        return 0.0

    def forget(self, address: str) -> None:
        """This address guessed right."""
        self._wrong.pop(_network(address), None)


def _network(address: str) -> str:
    """One holder of many IPv6 addresses counts as one."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
