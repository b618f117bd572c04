"""Killed while its files get their names, a fit goes on to give them to the rest."""

import shutil
import signal
import unittest
from pathlib import Path

from _figures import keep_figure
from _kills import Killed

# Those that differ in how outputs are made whole and named
NAMING = ["npy", "text", "hdf5 and images", "two hdf5", "all at once", "until converged"]


class Naming(Killed):
    def moments(self, changes):
        """A checkpoint that gets its name, and all but writing that happens after the last of them."""
        ends = [i for i, c in enumerate(changes) if c[0] == "rename" and c[-1] == "c.h5"]
        telling = [i for i, c in enumerate(changes) if c[0] != "write" and i > ends[-1]]
        return sorted({ends[0] - 1, ends[0], ends[-1] - 1, ends[-1], *telling})

    def test_while_files_get_their_names(self):
        kills = 0
        for run in NAMING:
            expected, changes, _ = self.undisturbed(run)
            for i in self.moments(changes):
                with self.subTest(run=run, after=changes[i]):
                    kills += self.leg(run, f"half:write:{i + 1}") != 0
                    self.check_between(run, expected)
                    if not self.path("m.h5").exists():
                        self.assertEqual(self.leg(run), 0)
                    self.check_end(run, expected)
                self.clear()
        self.assertGreaterEqual(kills, 90)
        print(f"{kills} kills while files got their names", flush=True)
        keep_figure("kills-naming", "times that `fit` was killed while its files got their names; it went on"
                    " to the same bits", f"{kills}")  # fmt: skip

    def test_going_on_without_a_named_checkpoint(self):
        """After Ctrl-C the state has a default name, and no checkpoint was asked for."""
        fit = ["fit", "v.npy", "--repeat", 400, "--rank", 4, "--out", "m.h5", "--threads", 1,
               "--codes", "H.npy", "--outliers", "R.npy", "--quiet"]  # fmt: skip
        self.tamis(*fit)
        expected = self.outputs()
        self.clear()
        process = self.start(*fit)
        self.wait_for("R.npy.part", process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        stopped = Path(shutil.copytree(self.folder, f"{self.folder}.stopped"))
        self.addCleanup(shutil.rmtree, stopped)
        fit += ["--resume", "m.checkpoint.h5"]
        changes = self.changes(*fit)
        self.assertEqual(self.names(), ["H.npy", "R.npy", "m.h5", *self.inputs])
        moments = [i for i, change in enumerate(changes) if change[0] != "write"]
        for i in moments[-8:]:
            with self.subTest(changes[i]):
                self.clear()
                shutil.copytree(stopped, self.folder, dirs_exist_ok=True)
                self.run_faulty(f"half:write:{i + 1}", *fit)
                if not self.path("m.h5").exists():
                    self.tamis(*fit)
                found = self.outputs()
                found.pop("m.checkpoint.h5", None)
                self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
