"""The program with a look at the memory that it needed."""

import json
import os
import sys
from pathlib import Path

from _tamis import PATIENCE, Case

LAUNCH = Path(__file__).resolve().parents[2] / "bench" / "harness" / "launch.py"


class Measured(Case):
    """A small program starts it: the peak of a process is at least that of the one that started it."""

    started = 0

    def start_measured(self, *arguments, **streams):
        """The process, and a function that gives its exit code and peak in MB once it has ended."""
        self.started += 1
        report = self.folder.with_name(f"{self.folder.name}.{self.started}.json")
        self.addCleanup(lambda: report.unlink(missing_ok=True))
        self.launcher = [sys.executable, "-B", "-S", LAUNCH, report, PATIENCE, 1 << 40]
        self.launcher = list(map(str, self.launcher))
        process = self.start(*arguments, **streams)
        self.launcher = ()

        def used():
            process.wait(timeout=PATIENCE)
            found = json.loads(report.read_text())
            return found["code"], found["peak_mb"]

        return process, used

    def peak(self, *arguments):
        """Of a run that succeeds, in MB."""
        process, used = self.start_measured(*arguments)
        result = self.finish(process)
        code, peak = used()
        self.assertEqual(code, 0, result)
        return peak


def small_effort():
    return os.environ.get("TAMIS_TEST_EFFORT") == "small"
