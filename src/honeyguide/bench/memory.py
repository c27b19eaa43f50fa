"""How much memory a process takes."""

import sys
from contextlib import suppress
from pathlib import Path


def peak_mb() -> float:
    """The most memory that this process has taken so far; 0 where the system does not say."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
