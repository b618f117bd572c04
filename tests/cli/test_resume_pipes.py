"""Stopped while waiting for a pipe, and going on with one."""

import io
import signal
import subprocess
import unittest

import numpy as np
from _tamis import PATIENCE, STATISTICS, Case, Planted


class Pipes(Case):
    """Ctrl-C while nothing comes."""

    def setUp(self):
        super().setUp()
        self.V = Planted(samples=300).V.astype("f4")
        buffer = io.BytesIO()
        np.save(buffer, self.V)
        self.data = buffer.getvalue()

    def stall(self, length, *flags, ready=None):
        """Gives so many bytes, waits until they are read, and stops the program."""
        process = self.start(
            "fit", "-", "--rank", 4, "--out", "m.h5", "--quiet", *flags, stdin=subprocess.PIPE
        )
        if length > 0:
            process.stdin.write(self.data[:length])
            process.stdin.flush()
        if ready:
            self.wait_for(ready, process)
        else:
            self.wait_until_it_waits(process)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=PATIENCE / 4)  # standard input stays open all the time
        except subprocess.TimeoutExpired:
            self.fail("waits for the pipe instead of ending")
        stderr = process.stderr.read().decode()
        self.assertEqual(process.returncode, 130, stderr)
        self.assert_one_line(stderr)
        self.assertFalse(self.path("m.h5").exists())

    def wait_until_it_waits(self, process):
        """Until the handler of the signal is installed."""
        while True:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                caught = [line for line in file if line.startswith("SigCgt")][0]
            if int(caught.split()[1], 16) & (1 << (signal.SIGINT - 1)):
                return
            self.assertIsNone(process.poll())

    def test_before_anything_came(self):
        for algorithm in ["fast", "bpgd"]:
            for length in [0, 5, 60, 128, 140]:
                with self.subTest(algorithm=algorithm, length=length):
                    self.stall(length, "--algorithm", algorithm)
                    self.assertEqual(self.names(), [])

    def test_while_a_batch_algorithm_still_reads(self):
        # It has learned nothing before it has everything.
        for algorithm in ["bpgd", "badmm"]:
            with self.subTest(algorithm):
                self.stall(128 + 110 * 96, "--algorithm", algorithm)
                self.assertEqual(self.names(), [])

    def test_after_whole_mini_batches(self):
        length = len(self.data) - 100 * 96
        self.stall(length, "--batch-size", 40, "--codes", "H.npy", ready="H.npy.part")
        self.assertIn("m.checkpoint.h5", self.names())

    def test_in_the_middle_of_a_mini_batch_goes_on_to_the_same_bits(self):
        expected = ["fit", "-", "--rank", 4, "--batch-size", 40, "--out", "whole.h5", "--quiet"]
        self.tamis(*expected, stdin=self.data)
        self.stall(
            128 + 110 * 96, "--batch-size", 40, "--checkpoint", "c.h5", "--checkpoint-every", 2,
            ready="c.h5"
        )  # fmt: skip
        self.tamis(
            "fit", "-", "--rank", 4, "--out", "m.h5", "--quiet", "--resume", "c.h5", stdin=self.data
        )
        self.assert_same_model("m.h5", "whole.h5", STATISTICS)

    def test_a_pipe_that_ends_before_the_place_to_go_on_from(self):
        self.stall(
            128 + 200 * 96, "--batch-size", 40, "--checkpoint", "c.h5", "--checkpoint-every", 5,
            ready="c.h5"
        )  # fmt: skip
        buffer = io.BytesIO()
        np.save(buffer, self.V[:60])
        self.refused(
            3, "fit", "-", "--rank", 4, "--out", "m.h5", "--resume", "c.h5",
            says=["standard input"], stdin=buffer.getvalue()
        )  # fmt: skip

    def test_other_features(self):
        self.stall(
            128 + 200 * 96, "--batch-size", 40, "--checkpoint", "c.h5", "--checkpoint-every", 5,
            ready="c.h5"
        )  # fmt: skip
        buffer = io.BytesIO()
        np.save(buffer, np.ascontiguousarray(self.V[:, :20]))
        self.refused(
            3, "fit", "-", "--rank", 4, "--out", "m.h5", "--resume", "c.h5",
            says=["standard input"], stdin=buffer.getvalue()
        )  # fmt: skip


if __name__ == "__main__":
    unittest.main()
