"""The program as a person runs it."""

import subprocess
import sys
from typing import Any


def honeyguide(*arguments: object, code: int = 0, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end; it leaves with this code, and never with a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "honeyguide", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )
    assert done.returncode == code, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    return done
