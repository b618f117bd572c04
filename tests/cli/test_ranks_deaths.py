"""Ranks that are killed at any moment: the job ends, the death is told once, and the last checkpoint
is whole and can be gone on from."""

import os
import random
import re
import signal
import time
import unittest

from _ranks import HOST, StoppedFit, flags
from _tamis import PATIENCE

SECONDS = PATIENCE / 4  # within which a job ends: a few, if the machine has nothing else to do


class Deaths(StoppedFit):
    REPEAT = {"fast": 100}

    def test_at_twenty_moments(self):
        """Early or late, in the middle of whatever a rank does, with and without --async."""
        choice = random.Random(1)
        for turn in range(20):
            late = ["--async"] if turn % 2 else []
            checkpoints = choice.randrange(-1, 4)  # before: none, or so many
            with self.subTest(turn=turn, checkpoints=checkpoints, late=late):
                ranks = choice.choice([2, 3])
                self.ranks(ranks)
                job = self.start(*self.flags("--force", "--codes", "H.npy", *late))
                victims = sorted(self.processes(job))
                self.wait_for_checkpoints(checkpoints, job)
                time.sleep(choice.uniform(0, 0.02))
                who = choice.randrange(len(victims))
                os.kill(victims[who], signal.SIGKILL)
                before = time.monotonic()
                result = self.finish(job)
                self.assertLess(time.monotonic() - before, SECONDS)
                self.assert_death_is_told(result, at_work=checkpoints >= 0)
                self.assertFalse(self.path("m.h5").exists())
                if checkpoints >= 0:
                    self.go_on(choice.choice([n for n in (1, 2, 4) if n != ranks]), *late)
                for left in [*self.folder.glob("H.npy*"), *self.folder.glob("c.h5*")]:
                    left.unlink()

    def wait_for_checkpoints(self, number, job):
        """Until the first has been followed by so many; negative: not even for the first"""
        if number < 0:
            return
        self.wait_for("c.h5", job)
        for _ in range(number):
            before = self.path("c.h5").stat().st_mtime_ns
            self.wait_until(lambda: job.poll() is not None
                            or self.path("c.h5").stat().st_mtime_ns != before)

    def assert_death_is_told(self, result, at_work):
        """By the launcher, once; the dead cannot, and the others have nothing to add. Of ranks that
        have not begun yet Open MPI may say no more than that one of them is gone."""
        self.assertNotEqual(result.code, 0)
        self.assertEqual(self.messages(result), [])
        if flags():  # Open MPI's words
            told = re.findall(rf"process rank ([0-9]) with PID \d+ on node {HOST} exited on signal 9",
                              result.err)
            self.assertIn(len(told), [1] if at_work else [0, 1], result.err)
            self.assertTrue(result.err)


if __name__ == "__main__":
    unittest.main()
