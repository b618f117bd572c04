"""Streams whose reader is slow: the writer is held up, nothing is lost, the memory stays small."""

import signal
import subprocess
import unittest
from pathlib import Path

import numpy as np
from _memory import Measured, small_effort
from _stream import SlowReader, Writer, endless_header
from _tamis import PATIENCE, Planted

FEATURES = 64
BLOCK = 1024  # samples
BLOCKS = 40 if small_effort() else 160  # 256 kB each
# What pipes, the samples read ahead and a block may hold of the stream
IN_FLIGHT = 12 << 20


class SlowReaders(Measured):
    def setUp(self):
        super().setUp()
        V = Planted(samples=4 * BLOCK, features=FEATURES).V.astype("f4")
        self.blocks = [np.ascontiguousarray(V[i * BLOCK : (i + 1) * BLOCK]) for i in range(4)]

    def stream(self, count):
        return [self.blocks[i % 4] for i in range(count)]

    def through(self, blocks, *arguments, burst):
        """What came out, the program's peak in MB, and the most that was on its way."""
        process, used = self.start_measured(
            *arguments, "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        writer = Writer(process.stdin, endless_header(FEATURES), blocks)
        writer.start()
        reader = SlowReader(process.stdout, writer, burst)
        arrays, on_the_way, rows = [], 0, 0
        for array in reader.arrays():
            on_the_way = max(on_the_way, writer.written - rows * FEATURES * 4)
            arrays.append(array)
            rows += len(array)
        writer.join(PATIENCE)
        code, peak = used()
        self.assertEqual(code, 0, process.stderr.read())
        self.assertIsNone(writer.problem)
        return np.concatenate(arrays), peak, on_the_way

    def check(self, expected, *arguments, burst):
        found, peak, on_the_way = self.through(self.stream(BLOCKS), *arguments, burst=burst)
        self.assertEqual(found.shape, expected.shape, "rows were lost or invented")
        np.testing.assert_array_equal(found, expected)
        self.assertLess(on_the_way, IN_FLIGHT, "the writer was not held up")
        _, small, _ = self.through(self.stream(8), *arguments[:-1], "--force", burst=1 << 30)
        self.assertLess(peak, small * 1.05 + IN_FLIGHT / 2**20, f"{small} MB for a short stream")
        print(f"{arguments[0]}: {on_the_way >> 10} kB on the way at most, peak {peak:.1f} MB "
              f"({small:.1f} MB for a short stream)", flush=True)  # fmt: skip

    def test_fit(self):
        self.save("v.npy", np.concatenate(self.stream(BLOCKS)))
        flags = ["--rank", 4, "--out"]
        self.tamis("fit", "v.npy", *flags, "whole.h5", "--codes", "H.npy")
        self.check(self.load("H.npy"), "fit", "-", "--codes", "-", *flags, "m.h5", "--force",
                   burst=1 << 18)  # fmt: skip
        self.tamis("fit", "-", *flags, "again.h5", stdin=self.path("v.npy").read_bytes())
        self.assert_same_model("again.h5", "whole.h5")

    def test_encode(self):
        self.save("v.npy", np.concatenate(self.stream(BLOCKS)))
        self.tamis("fit", "v.npy", "--rank", 4, "--limit", 2000, "--out", "m.h5")
        self.tamis("encode", "m.h5", "v.npy", "--outliers", "R.npy")
        self.check(self.load("R.npy"), "encode", "m.h5", "-", "--outliers", "-", "--force",
                   burst=1 << 21)  # fmt: skip

    def test_a_chain_of_programs(self):
        """generate → encode → fit, each as fast as the next one."""
        source = ["synthetic", "--features", FEATURES, "--samples", 20000, "--seed", 3]
        self.tamis("generate", *source, "--out", "v.npy")
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5")
        self.tamis("encode", "m.h5", "v.npy", "--outliers", "R.npy")
        self.tamis("fit", "R.npy", "--rank", 2, "--allow-negative", "--out", "whole.h5")
        one = self.start("generate", *source, "--out", "-", "--quiet")
        two = self.start("encode", "m.h5", "-", "--outliers", "-", "--quiet", stdin=one.stdout)
        three = self.start("fit", "-", "--rank", 2, "--allow-negative", "--out", "r.h5", "--quiet",
                           stdin=two.stdout)  # fmt: skip
        for process in [three, two, one]:
            self.assertEqual(process.wait(timeout=PATIENCE), 0, process.stderr.read())
        self.assert_same_model("r.h5", "whole.h5")


class Stopped(Measured):
    """Ctrl-C while nobody reads."""

    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=3000).V, "f4")
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")

    def stop_when_stuck(self, *arguments):
        process = self.start(*arguments, "--repeat", 100000, "--quiet")
        process.stdout.read(1)  # begun: nothing more is read from now on
        self.wait_until(lambda: self.sleeps(process))
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=PATIENCE / 4)
        except subprocess.TimeoutExpired:
            self.fail("waits for its reader instead of ending")
        stderr = process.stderr.read().decode()
        self.assertEqual(process.returncode, 130, stderr)
        self.assert_one_line(stderr)

    def test_while_nobody_writes(self):
        before = self.listing()
        for arguments in [["encode", "m.h5", "-", "--codes", "H.npy"],
                          ["encode", "m.h5", "-", "--outliers", "-"],
                          ["denoise", "m.h5", "-", "--out", "c.npy"]]:  # fmt: skip
            with self.subTest(arguments):
                process = self.start(*arguments, "--quiet", stdin=subprocess.PIPE)
                self.wait_until(lambda: self.catches_ctrl_c(process) and self.sleeps(process))
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(timeout=PATIENCE / 4), 130)
                self.assert_one_line(process.stderr.read().decode())
                self.assertEqual(self.listing(), before)

    def catches_ctrl_c(self, process):
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
        return int(caught.split()[1], 16) & (1 << (signal.SIGINT - 1)) != 0

    def sleeps(self, process):
        """Has none of its threads anything to do?"""
        states = []
        for task in sorted(self.tasks(process.pid)):
            states.append(task.read_text().rpartition(")")[2].split()[0])
        return all(state == "S" for state in states)

    def tasks(self, pid):
        return Path(f"/proc/{pid}/task").glob("*/stat")

    def test_encode(self):
        before = self.listing()
        self.stop_when_stuck("encode", "m.h5", "v.npy", "--outliers", "-")
        self.stop_when_stuck("encode", "m.h5", "v.npy", "--codes", "-", "--outliers", "R.npy")
        self.stop_when_stuck("denoise", "m.h5", "v.npy", "--out", "-")
        self.assertEqual(self.listing(), before)

    def test_fit(self):
        fit = ["fit", "v.npy", "--rank", 4, "--out", "n.h5", "--outliers", "R.npy"]
        self.stop_when_stuck(*fit, "--codes", "-")
        self.assertFalse(self.path("n.h5").exists())
        # The outliers of every sample that the state counts are there.
        samples = int(self.model("n.checkpoint.h5")["samples"])
        written = self.path("R.npy.part").stat().st_size - 128
        self.assertEqual(written, samples * 24 * 4)


if __name__ == "__main__":
    unittest.main()
