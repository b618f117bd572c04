"""Signals that come more than once: together they are one wish, later they end the program."""

import signal
import time
import unittest

from _tamis import PATIENCE, Case

TOGETHER = 0.9  # seconds, less than the program takes for one wish
LATER = 1.1  # seconds, more than that


class Twice(Case):
    def start_fit(self):
        """A fit in the middle of a mini-batch that takes its time."""
        for name in ["c.h5", "m.checkpoint.h5"]:
            self.path(name).unlink(missing_ok=True)
        process = self.start(
            "fit", "synthetic:samples=1e6", "--rank", 10, "--batch-size", 10000, "--out", "m.h5",
            "--checkpoint", "c.h5", "--checkpoint-every", 1, "--quiet"
        )  # fmt: skip
        self.wait_for("c.h5", process)
        return process

    def pending(self, process, number):
        """Has a signal been sent that the program does not know of yet?"""
        try:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                lines = [line.split() for line in status if line.startswith(("ShdPnd", "SigPnd"))]
        except FileNotFoundError:
            return False
        return any(int(mask, 16) & (1 << (number - 1)) for _, mask in lines)

    def send(self, process, number):
        process.send_signal(number)
        self.wait_until(lambda: process.poll() is not None or not self.pending(process, number))

    def test_together_they_are_one_wish(self):
        # As `timeout` does it: the program, and its group. On a machine that is so busy that they
        # are not together nothing was shown.
        for _ in range(20):
            process = self.start_fit()
            begin = time.monotonic()
            self.send(process, signal.SIGTERM)
            self.send(process, signal.SIGTERM)
            together = time.monotonic() - begin < TOGETHER
            result = self.finish(process)
            if together:
                self.assertEqual(result.code, 130, result)
                self.assert_one_line(result.err, "c.h5", "--resume")
                self.assertEqual(self.names(), ["c.h5"])
                return
        self.skipTest("the machine is too busy")

    def test_a_later_one_ends_the_program_at_once(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(number):
                process = self.start_fit()
                self.send(process, number)
                process.send_signal(signal.SIGSTOP)  # so that it does not end by itself
                time.sleep(LATER)
                process.send_signal(number)
                process.send_signal(signal.SIGCONT)
                self.assertEqual(process.wait(timeout=PATIENCE), -number)


if __name__ == "__main__":
    unittest.main()
