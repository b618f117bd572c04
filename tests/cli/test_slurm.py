"""The job script for Slurm, with mpirun in the place of srun."""

import os
import subprocess
import unittest
from pathlib import Path

from _ranks import MPIRUN, RanksCase, flags
from _tamis import PATIENCE, Planted

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "slurm.sh"


class Slurm(RanksCase):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=90).V, "f4")
        tools = self.folder / "tools"
        tools.mkdir()
        program = Path(os.environ["TAMIS_BINARY"]).resolve()
        (tools / "tamis").symlink_to(program)
        srun = tools / "srun"
        srun.write_text(f'#!/bin/sh\nexec {MPIRUN} {" ".join(flags())} -n 2 "$@"\n')
        srun.chmod(0o755)
        self.environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "RANK": "4"}

    def submit(self):
        return subprocess.run([SCRIPT, "v.npy", "m.h5"], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE)

    def test_learns_and_goes_on(self):
        job = self.submit()
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertEqual(self.model()["W"].shape, (4, 24))
        # As if it had been stopped: a state, but no model
        self.tamis("fit", "v.npy", "--rank", "4", "--out", "m2.h5", "--checkpoint", "m.state.h5",
                   "--checkpoint-every", "1")
        self.path("m.h5").unlink()
        job = self.submit()
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertEqual(self.model()["samples"], 90)


if __name__ == "__main__":
    unittest.main()
