"""Stopped fits go on as if they had never been stopped."""

import io
import os
import shutil
import signal
import subprocess
import unittest

import numpy as np
from _tamis import PATIENCE, Case, Planted, Terminal

STATISTICS = ("W", "A", "B", "c", "weight", "sigma", "lambda", "samples", "batches", "epoch")


class Long(Case):
    """A fit that takes long enough to be stopped in the middle, but ends."""

    # Repetitions of 300 samples
    REPEAT = {"fast": 700, "opgd": 60, "oadmm": 60, "bpgd": 60, "badmm": 60}
    WHOLE = ("bpgd", "badmm")

    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=300).V, "f4")

    def flags(self, algorithm="fast", out="m.h5", *more):
        found = ["fit", "v.npy", "--rank", 4, "--repeat", self.REPEAT[algorithm]]
        found += ["--out", out]
        if algorithm in self.WHOLE:
            found += ["--algorithm", f"{algorithm}:tolerance=0,iterations=60"]
        else:
            found += ["--algorithm", algorithm, "--batch-size", 16]
        return [*found, *more]

    def stopped(self, *arguments, by=signal.SIGINT, when):
        """Stops the program as soon as a file is there."""
        process = self.start(*arguments)
        self.wait_for(when, process)
        process.send_signal(by)
        result = self.finish(process)
        self.assertNotEqual(result.code, 0, "it was too fast to be stopped")
        return result


class Interrupted(Long):
    def check_stopped(self, result, checkpoint):
        self.assertEqual(result.code, 130, result)
        self.assert_one_line(result.err, checkpoint, "--resume")
        self.assertEqual(result.out, "")
        self.assertTrue(self.path(checkpoint).exists())
        self.assertFalse(self.path("m.h5").exists())
        self.assertFalse(self.path("H.npy").exists())

    def test_by_ctrl_c_and_by_the_system(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            fit = self.flags("fast", "m.h5", "--codes", "H.npy", "--quiet")
            result = self.stopped(*fit, by=number, when="H.npy.part")
            self.check_stopped(result, "m.checkpoint.h5")
            info = self.tamis_json("info", "m.checkpoint.h5")
            self.assertGreater(info["samples"], 0)
            self.assertLess(info["samples"], 300 * self.REPEAT["fast"])
            os.remove(self.path("m.checkpoint.h5"))
            os.remove(self.path("H.npy.part"))

    def test_on_a_terminal_the_bar_is_gone_first(self):
        terminal = Terminal()
        self.addCleanup(terminal.close)
        process = self.start(*self.flags(), stderr=terminal.theirs)
        terminal.close_theirs()
        terminal.read(until="samples")
        process.send_signal(signal.SIGINT)
        text = terminal.read()
        self.assertEqual(self.finish(process).code, 130)
        last = text.split("\r\x1b[K")[-1]
        self.assert_one_line(last.replace("\r\n", "\n"), "m.checkpoint.h5")
        self.assertTrue(self.path("m.checkpoint.h5").exists())

    def test_json_tells_it(self):
        fit = self.flags("fast", "m.h5", "--codes", "H.npy", "--json", "--quiet")
        result = self.stopped(*fit, when="H.npy.part")
        self.assertEqual(result.code, 130)
        self.assertIn('"status": "interrupted"', result.out)

    def test_the_named_checkpoint_is_used(self):
        fit = self.flags("fast", "m.h5", "--checkpoint", "c.h5", "--checkpoint-every", 1)
        self.check_stopped(self.stopped(*fit, when="c.h5"), "c.h5")
        self.assertEqual(self.names(), ["c.h5", "v.npy"])

    def test_a_run_that_was_stopped_is_not_overwritten(self):
        fit = self.flags("fast", "m.h5", "--codes", "H.npy", "--quiet")
        self.stopped(*fit, when="H.npy.part")
        self.refused(3, *fit, says=["m.checkpoint.h5", "--resume", "--force"])
        self.tamis(*fit, "--force", "--limit", 20)
        self.assertTrue(self.path("m.h5").exists())

    def test_checkpoint_is_removed_when_the_run_has_ended(self):
        fit = self.flags("fast", "m.h5", "--outliers", "R.npy", "--quiet")
        self.stopped(*fit, when="R.npy.part")
        self.tamis(*fit, "--resume", "m.checkpoint.h5")
        self.assertEqual(self.names(), ["R.npy", "m.h5", "v.npy"])

    def test_encode_and_denoise_leave_nothing(self):
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        before = self.listing()
        for arguments in [["encode", "m.h5", "v.npy", "--codes", "H.npy"],
                          ["denoise", "m.h5", "v.npy", "--out", "C.npy"]]:  # fmt: skip
            result = self.stopped(
                *arguments, "--repeat", 20000, "--quiet", when=arguments[-1] + ".part"
            )
            self.assertEqual(result.code, 130)
            self.assert_one_line(result.err)
            self.assertEqual(self.listing(), before)

    def test_denoise_while_it_learns(self):
        terminal = Terminal()
        self.addCleanup(terminal.close)
        before = self.listing()
        process = self.start(
            "denoise", "v.npy", "--out", "c.npy", "--repeat", 20000, stderr=terminal.theirs
        )
        terminal.close_theirs()
        terminal.read(until="samples")
        process.send_signal(signal.SIGINT)
        terminal.read()
        self.assertEqual(self.finish(process).code, 130)
        self.assertEqual(self.listing(), before)


class SameBits(Long):
    # Checkpoints take time too, so that less is enough
    REPEAT = Long.REPEAT | {"fast": 200, "opgd": 30, "oadmm": 30}

    def compare(self, algorithm, *flags, by=signal.SIGINT, every=3, when="c.h5"):
        """A run, and the same stopped and resumed."""
        outputs = ["--codes", "H.npy", "--outliers", "R.npy", "--quiet"]
        fit = self.flags(algorithm, "m.h5", *outputs, *flags)
        self.tamis(*fit)
        expected = {name: self.path(name).read_bytes() for name in ["H.npy", "R.npy"]}
        self.path("m.h5").rename(self.path("whole.h5"))
        for name in expected:
            self.path(name).unlink()

        kept = ["--checkpoint", "c.h5", "--checkpoint-every", every]
        self.stopped(*fit, *kept, by=by, when=when)
        self.assertFalse(self.path("m.h5").exists())
        self.tamis(*fit, "--resume", "c.h5")
        self.assert_same_model("m.h5", "whole.h5", STATISTICS)
        for name, content in expected.items():
            self.assertEqual(self.path(name).read_bytes(), content, f"{name} differs")

    def test_fast(self):
        self.compare("fast")

    def test_fast_shuffled_twice(self):
        self.compare("fast", "--shuffle", "--epochs", 2)

    def test_fast_shuffled_twice_in_the_second_pass(self):
        flags = ["--shuffle", "--epochs", 2]
        self.compare("fast", *flags, every=300, when="H.npy.part")

    def test_fast_killed(self):
        self.compare("fast", by=signal.SIGKILL, every=50)

    def test_fast_shuffled_twice_killed(self):
        self.compare("fast", "--shuffle", "--epochs", 2, by=signal.SIGKILL, every=50)

    def test_opgd(self):
        self.compare("opgd", "--epochs", 2, "--shuffle")

    def test_oadmm(self):
        self.compare("oadmm", "--epochs", 2, "--shuffle", by=signal.SIGTERM)

    def test_bpgd(self):
        self.compare("bpgd", "--shuffle")

    def test_badmm(self):
        self.compare("badmm", by=signal.SIGKILL)

    def test_batch_size_given_to_a_batch_algorithm(self):
        self.compare("bpgd", "--batch-size", 16)

    def test_double(self):
        self.compare("fast", "--precision", "double")

    def test_stopped_several_times(self):
        fit = self.flags("fast", "m.h5", "--quiet")
        self.tamis(*fit)
        self.path("m.h5").rename(self.path("whole.h5"))
        self.stopped(*fit, "--checkpoint", "0.h5", "--checkpoint-every", 2, when="0.h5")
        for i in range(2):  # stopped again, by a checkpoint of its own
            flags = ["--resume", f"{i}.h5", "--checkpoint", f"{i + 1}.h5", "--checkpoint-every", 2]
            self.stopped(*fit, *flags, when=f"{i + 1}.h5")
        counts = [self.model(f"{i}.h5")["samples"] for i in range(3)]
        self.assertEqual(counts, sorted(set(counts)))
        self.tamis(*fit, "--resume", "2.h5")
        self.assert_same_model("m.h5", "whole.h5", STATISTICS)

    def test_other_number_of_threads(self):
        fit = self.flags("fast", "m.h5", "--quiet")
        self.tamis(*fit, "--threads", 2)
        self.path("m.h5").rename(self.path("whole.h5"))
        kept = ["--checkpoint", "c.h5", "--checkpoint-every", 2]
        self.stopped(*fit, "--threads", 2, *kept, when="c.h5")
        self.tamis(*fit, "--resume", "c.h5", "--threads", 1)
        self.assert_same_model("m.h5", "whole.h5", STATISTICS)

    def test_settings_need_not_be_repeated(self):
        fit = self.flags("fast", "m.h5", "--quiet")
        self.tamis(*fit)
        self.path("m.h5").rename(self.path("whole.h5"))
        self.stopped(*fit, "--checkpoint", "c.h5", "--checkpoint-every", 2, when="c.h5")
        repeat = ["--repeat", self.REPEAT["fast"]]  # of the input, which must be the same
        self.tamis("fit", "v.npy", "--out", "m.h5", *repeat, "--resume", "c.h5")
        self.assert_same_model("m.h5", "whole.h5", STATISTICS)
        self.assertEqual(self.model()["settings"], self.model("whole.h5")["settings"])


class Refused(Long):
    def setUp(self):
        super().setUp()
        fit = self.flags("fast", "m.h5", "--codes", "H.npy", "--quiet")
        self.stopped(*fit, "--checkpoint", "c.h5", "--checkpoint-every", 2, when="c.h5")
        self.fit = [*fit, "--resume", "c.h5"]

    def refused(self, *arguments, **words):
        """As always, and the next check finds the same files if this one fails."""
        files = {path: path.read_bytes() for path in self.folder.iterdir()}
        try:
            super().refused(*arguments, **words)
        finally:
            for path in self.folder.iterdir():
                path.unlink()
            for path, content in files.items():
                path.write_bytes(content)

    def test_what_was_decided_before(self):
        for flag, value in [("--rank", 5), ("--seed", 7), ("--lambda", 0.5), ("--epochs", 2),
                            ("--algorithm", "opgd"), ("--batch-size", 17),
                            ("--constraint", "nonneg"), ("--precision", "double")]:  # fmt: skip
            with self.subTest(flag):
                self.refused(2, *self.fit, flag, value, says=[flag, "c.h5"])
        for flag in ["--shuffle", "--nonneg-outliers"]:
            with self.subTest(flag):
                self.refused(2, *self.fit, flag, says=[flag, "c.h5"])
        self.path("groups.txt").write_text("0 1\n2 3\n")
        with self.subTest("--groups"):
            self.refused(
                2, *self.fit, "--code-penalty", "group", "--groups", "groups.txt", says=["c.h5"]
            )

    def test_other_data(self):
        V = self.load("v.npy")
        for name, other in [("short.npy", V[:299]), ("long.npy", np.vstack([V, V])),
                            ("narrow.npy", V[:, :23]), ("bytes.npy", V.astype("u1"))]:  # fmt: skip
            self.save(name, other)
            with self.subTest(name):
                arguments = [name if word == "v.npy" else word for word in self.fit]
                self.refused(3, *arguments, says=[name])
        with self.subTest("repetitions"):
            self.refused(3, *self.fit, "--repeat", 3, says=["v.npy"])
        with self.subTest("limit"):
            self.refused(3, *self.fit, "--limit", 100, says=["v.npy"])

    def test_not_a_checkpoint(self):
        fit = self.flags("fast", "m.h5")
        self.refused(3, *fit, "--resume", "nowhere.h5", says=["nowhere.h5"])
        self.path("noise.h5").write_bytes(os.urandom(5000))
        self.refused(3, *fit, "--resume", "noise.h5", says=["noise.h5"])
        content = self.path("c.h5").read_bytes()
        self.path("half.h5").write_bytes(content[: len(content) // 2])
        self.refused(3, *fit, "--resume", "half.h5", says=["half.h5"])

    def test_a_finished_model(self):
        # It has learned all there was: nothing is left to go on with.
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "done.h5")
        self.refused(
            3, "fit", "v.npy", "--out", "n.h5", "--resume", "done.h5", says=["done.h5"]
        )

    def test_codes_that_the_stopped_run_did_not_write(self):
        self.refused(3, *self.fit, "--outliers", "R.npy", says=["outliers"])

    def test_codes_that_are_lost(self):
        self.path("H.npy.part").unlink()
        self.refused(3, *self.fit, says=["H.npy.part"])

    def test_a_damaged_state_of_the_codes(self):
        shutil.copy(self.path("v.npy"), self.path("H.npy.part"))
        with open(self.path("H.npy.part"), "r+b") as file:
            file.truncate(100)
        self.refused(3, *self.fit, says=["H.npy.part"])


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
