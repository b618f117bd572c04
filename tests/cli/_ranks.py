"""Running the program as several ranks, by mpirun."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from _tamis import PATIENCE, Case, LongFit

MPIRUN = shutil.which("mpirun")
# Open MPI cannot start while another job of the same user, here another test, removes their common folder.
SESSIONS = tempfile.TemporaryDirectory(prefix="tamis-mpi-")
os.environ["OMPI_MCA_orte_tmpdir_base"] = SESSIONS.name


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
            if launcher.poll() is not None:
                self.fail(f"ended before its ranks were there: {self.finish(launcher)}")
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


class StoppedFit(RanksCase, LongFit):
    """A long fit that is ended too early, and gone on with."""

    REPEAT = {"fast": 150}

    def flags(self, *more):
        return super().flags("fast", "m.h5", "--checkpoint", "c.h5", "--checkpoint-every", 3,
                             *more)

    def go_on(self, ranks, *more):
        """The last checkpoint is whole, and another number of ranks can go on from it."""
        self.ranks(0)
        info = self.tamis_json("info", "c.h5")
        total = 300 * self.REPEAT["fast"]
        self.assertLess(info["samples"], total)
        self.ranks(ranks)
        self.tamis(*self.flags("--resume", "c.h5", "--checkpoint-every", 1000, *more))
        self.ranks(0)
        self.assertEqual(self.tamis_json("info", "m.h5")["samples"], total)
        for name in ["m.h5", "c.h5"]:
            os.remove(self.path(name))


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
