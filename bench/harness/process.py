"""Programs that are run, and what they needed."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launch.py")
GIGABYTE = 10**9
MEMORY_GB = 8  # that a run may take


class Failed(Exception):
    """A program that was run did not succeed; says why in one line."""


@dataclass(frozen=True)
class Outcome:
    seconds: float  # from start to end, as seen from outside
    peak_mb: float
    output: str


def measured(command, *, env=None, stdin=None, timeout=600):
    """Runs a command to its end; raises Failed when it fails, takes too long or too much memory."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        limits = [str(timeout), str(MEMORY_GB * GIGABYTE)]
        # -S, -I: nothing is imported that is not needed, so that the launcher stays small.
        launch = [sys.executable, "-S", "-I", str(LAUNCHER), report.name, *limits]
        done = subprocess.run(
            [*launch, *map(str, command)],
            env=os.environ | (env or {}),
            stdin=stdin or subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise Failed(last_line(done.stderr))
        found = json.load(report)
    if found["code"] != 0:
        raise Failed(reason(found, done.stderr, timeout))
    return Outcome(found["seconds"], found["peak_mb"], done.stdout)


def reason(found, stderr, timeout):
    if found["seconds"] >= timeout:
        return f"not done in {timeout:.0f} s"
    if "MemoryError" in stderr or "bad_alloc" in stderr:
        return f"needs more than {MEMORY_GB} GB"
    return last_line(stderr) or f"ended with {found['code']}"


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""
