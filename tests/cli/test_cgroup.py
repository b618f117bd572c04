"""In a group that may not use all processors, as in a container: as many threads as it allows, and
the same bits, also when the kernel stops the program again and again."""

import os
import unittest
from pathlib import Path

import numpy as np
from _tamis import Case, Planted

ROOT = Path("/sys/fs/cgroup")
PERIOD = 10_000  # microseconds


class Group:
    """Processes that together get `share` of one processor; SkipTest if that cannot be had here."""

    def __init__(self, share):
        old = ROOT / "cpu"
        self.path = (old if old.is_dir() else ROOT) / f"tamis-test-{os.getpid()}"
        try:
            self.path.mkdir()
            if old.is_dir():
                self.write("cpu.cfs_period_us", PERIOD)
                self.write("cpu.cfs_quota_us", int(share * PERIOD))
            else:
                self.write("cpu.max", f"{int(share * PERIOD)} {PERIOD}")
        except OSError as problem:
            self.remove()
            raise unittest.SkipTest(f"no group of processes can be limited here: {problem}")

    def write(self, name, value):
        (self.path / name).write_text(str(value))

    def remove(self):
        if self.path.is_dir():
            self.path.rmdir()

    def launcher(self):
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.path / "cgroup.procs")]

    def times_stopped(self):
        lines = (self.path / "cpu.stat").read_text().splitlines()
        return int(dict(line.split() for line in lines)["nr_throttled"])


class Limited(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", np.tile(Planted(samples=2000, features=700).V, (4, 1)), "f4")
        self.flags = ["fit", "v.npy", "--rank", 20, "--batch-size", 64, "--quiet", "--out"]
        self.tamis(*self.flags, "free.h5")

    def limit_to(self, share):
        group = Group(share)
        self.addCleanup(group.remove)
        self.launcher = group.launcher()
        return group

    def test_as_many_threads_as_allowed(self):
        self.limit_to(1)
        # BLAS begins with threads of its own, which have nothing to do here.
        process = self.start(*self.flags, "one.h5", env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
        reading_and_learning = 2
        self.assertLessEqual(self.threads_of(process), reading_and_learning)
        self.finish(process)
        self.assert_same_model("one.h5", "free.h5")

    def test_stopped_again_and_again(self):
        group = self.limit_to(0.3)
        self.tamis(*self.flags, "slow.h5")
        self.assertGreater(group.times_stopped(), 0, "it was never stopped")
        self.assert_same_model("slow.h5", "free.h5")


if __name__ == "__main__":
    unittest.main()
