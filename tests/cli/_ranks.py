"""Running the program as several ranks, by mpirun."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np

from _tamis import PATIENCE, Case

MPIRUN = shutil.which("mpirun")


def why_not():
    """What is missing to run several ranks, if anything is."""
    if MPIRUN is None:
        return "there is no mpirun"
    libraries = subprocess.run(["ldd", os.environ["TAMIS_BINARY"]], capture_output=True, text=True)
    return "" if "libmpi" in libraries.stdout else "the program was built without MPI"


def flags():
    version = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout
    return ["--allow-run-as-root", "--oversubscribe"] if "Open MPI" in version else []


class RanksCase(Case):
    def setUp(self):
        super().setUp()
        if why_not():
            self.skipTest(why_not())

    def ranks(self, number):
        """From now on the program is started as so many ranks; 0: alone."""
        self.launcher = [MPIRUN, *flags(), "-n", str(number)] if number > 0 else ()

    def messages(self, result):
        """The program's own lines on standard error; launchers add theirs."""
        return [line for line in result.err.splitlines() if line.startswith("tamis: ")]

    def assert_failed(self, result, code, *words):
        """One message, with these words in it"""
        self.assertEqual(result.code, code, result)
        found = self.messages(result)
        self.assertEqual(len(found), 1, result)
        for word in words:
            self.assertRegex(found[0], word)

    def processes(self, launcher):
        """The ranks that a launcher has started, when all of them are there."""
        wanted = int(self.launcher[-1])
        deadline = time.monotonic() + PATIENCE
        name = Path(os.environ["TAMIS_BINARY"]).name
        while time.monotonic() < deadline:
            found = [pid for pid in descendants(launcher.pid) if command(pid) == name]
            if len(found) == wanted:
                return found
            self.assertIsNone(launcher.poll(), "ended before its ranks were there")
            time.sleep(0.01)
        raise TimeoutError("the ranks are not there")

    def assert_close(self, first, second, tolerance=1e-10, names=("W", "A", "B", "c", "sigma")):
        one, other = self.model(first), self.model(second)
        for name in names:
            self.assert_near(one[name], other[name], tolerance, name)
        for name in ("samples", "batches", "epoch", "position"):
            self.assertEqual(one[name], other[name], name)

    def assert_near(self, one, other, tolerance=1e-10, name=""):
        one, other = np.asarray(one, "f8"), np.asarray(other, "f8")
        self.assertEqual(one.shape, other.shape, name)
        self.assertLessEqual(
            np.linalg.norm(one - other), tolerance * max(np.linalg.norm(other), 1e-300), name
        )


def command(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def descendants(pid):
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    found = []
    for child in map(int, children):
        found += [child, *descendants(child)]
    return found




HOST = re.escape(os.uname().nodename)
