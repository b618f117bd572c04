"""Killed at any moment, a fit goes on from its checkpoint and ends with the same bits."""

import random
import unittest

from _figures import keep_figure
from _kills import RUNS, SMALL_EFFORT, Killed

KILLS = 30 if SMALL_EFFORT else 200


class AtRandomMoments(Killed):
    def killed_again_and_again(self, run, chance):
        """Until it comes to its end; returns how often."""
        expected, changes, seconds = self.undisturbed(run)
        kills = 0
        while not self.path("m.h5").exists():
            kind = chance.choice(["kill", "half", "half", "time"])
            if kind == "time":
                code = self.leg(run, seconds=chance.uniform(0, seconds))
            else:
                code = self.leg(run, f"{kind}:write:{chance.randint(1, len(changes) // 3)}")
            kills += code != 0
            self.check_between(run, expected)
        self.check_end(run, expected)
        self.clear()
        return kills

    def test_at_random_moments(self):
        chance = random.Random(20)
        kills = 0
        while kills < KILLS:
            for run in RUNS:
                kills += self.killed_again_and_again(run, chance)
        print(f"{kills} kills at random moments", flush=True)
        keep_figure("kills", "times that `fit` was killed at a random moment, also in half-written files;"
                    " it went on to the same bits", f"{kills}")  # fmt: skip


if __name__ == "__main__":
    unittest.main()
