"""Stopped fits go on as if they had never been stopped."""

import os
import signal
import unittest

from _tamis import STATISTICS, LongFit, Terminal


class Interrupted(LongFit):
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


class SameBits(LongFit):
    # Checkpoints take time too, so that less is enough
    REPEAT = LongFit.REPEAT | {"fast": 200, "opgd": 30, "oadmm": 30, "orpca": 60, "onmf": 60}

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

    def test_orpca(self):
        self.compare("orpca", "--epochs", 2, "--shuffle")

    def test_onmf(self):
        self.compare("onmf", "--epochs", 2, "--shuffle", by=signal.SIGKILL)

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


if __name__ == "__main__":
    unittest.main()
