"""Odd circumstances: closed streams, waiting pipes, ignored signals, names taken meanwhile."""

import io
import os
import signal
import subprocess
import unittest

import numpy as np
from _tamis import PATIENCE, Case, LongFit, Planted


class Streams(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")
        self.fit = ["fit", "v.npy", "--rank", 4]

    def shell(self, redirection, *arguments):
        words = " ".join(map(str, arguments))
        return subprocess.run(
            ["sh", "-c", f'exec "$TAMIS_BINARY" {words} {redirection}'],
            cwd=self.folder, timeout=PATIENCE, stdout=subprocess.DEVNULL,
        ).returncode  # fmt: skip

    def test_without_standard_error(self):
        self.tamis(*self.fit, "--out", "m.h5", "--codes", "H.npy")
        for redirection in ["2>&-", "2>/dev/full", ">&- 2>&- <&-"]:
            with self.subTest(redirection):
                flags = ["--out", "n.h5", "--codes", "G.npy", "--force"]
                self.assertEqual(self.shell(redirection, *self.fit, *flags), 0)
                self.assertEqual(self.path("G.npy").read_bytes(), self.path("H.npy").read_bytes())
                self.assertEqual(self.shell(redirection, "fit", "nothing.npy", "--out", "x.h5"), 3)

    def test_equal_fits_are_equal_files(self):
        for name in ["m.h5", "n.h5"]:
            self.tamis(*self.fit, "--out", name, "--codes", f"{name[0]}-codes.h5")
        self.assertEqual(self.path("m.h5").read_bytes(), self.path("n.h5").read_bytes())
        self.assertEqual(
            self.path("m-codes.h5").read_bytes(), self.path("n-codes.h5").read_bytes()
        )

    def test_an_error_does_not_wait_for_an_idle_pipe(self):
        V = self.load("v.npy")
        V[70, 3] = -1
        buffer = io.BytesIO()
        np.save(buffer, np.vstack([V, V]))
        process = self.start(
            "fit", "-", "--rank", 4, "--out", "m.h5", stdin=subprocess.PIPE
        )
        process.stdin.write(buffer.getvalue()[: -V.nbytes // 2])
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=PATIENCE / 4), 3)  # the pipe is open all the time
        self.assert_one_line(process.stderr.read().decode(), "standard input", "sample 70")

    def test_a_pipe_that_has_the_name_of_a_file(self):
        # Nobody writes to it, so opening it would wait forever.
        for name in ["p.npy", "p.csv", "p.mtx", "p.png"]:
            os.mkfifo(self.path(name))
            result = self.run_tamis("fit", name, "--rank", 4, "--out", "m.h5")
            self.assertEqual(result.code, 3, result)
            self.assert_one_line(result.err, name)

    def test_doubles_of_a_pipe_stay_intact(self):
        V = self.save("d.npy", Planted().V, "f8")
        self.tamis(*self.fit, "--out", "m.h5")
        with open(self.path("d.npy"), "rb") as data:
            self.tamis(
                "denoise", "m.h5", "-", "--threshold", 1e9, "--out", "c.npy", stdin=data.read()
            )
        self.assertEqual(self.load("c.npy").tobytes(), V.tobytes())

    def test_numbers_that_are_too_large(self):
        huge = 2**63 - 1
        self.refused(2, *self.fit, "--out", "m.h5", "--repeat", huge, says=["repeat"])
        self.tamis(*self.fit, "--out", "m.h5", "--batch-size", huge)
        self.assertEqual(int(self.model()["batches"]), 1)


class Stopped(LongFit):
    def test_signals_that_are_ignored_stay_ignored(self):
        process = subprocess.Popen(
            ["sh", "-c", 'trap "" INT; exec "$TAMIS_BINARY" "$@"', "sh",
             *map(str, self.flags("fast", "m.h5", "--quiet", "--checkpoint", "c.h5",
                                  "--checkpoint-every", 2))],
            cwd=self.folder,
        )  # fmt: skip
        self.wait_for("c.h5", process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 0)

    def test_similar_names_have_checkpoints_of_their_own(self):
        for out in ["run.1", "run.2"]:
            self.stopped(*self.flags("fast", out, "--codes", f"{out}.npy"), when=f"{out}.npy.part")
        self.assertTrue(self.path("run.1.checkpoint.h5").exists())
        self.assertTrue(self.path("run.2.checkpoint.h5").exists())

    def test_the_default_checkpoint_goes_when_it_is_done(self):
        self.stopped(*self.flags("fast", "m.h5", "--codes", "H.npy"), when="H.npy.part")
        self.tamis(*self.flags("fast", "m.h5", "--codes", "H.npy"), "--resume",
                   "./m.checkpoint.h5")  # fmt: skip
        self.assertEqual(self.names(), ["H.npy", "m.h5", "v.npy"])

    def test_other_samples_of_a_text_table(self):
        np.savetxt(self.path("v.csv"), np.tile(self.load("v.npy"), (100, 1)), delimiter=",")
        fit = ["fit", "v.csv", "--rank", 4, "--out", "m.h5", "--shuffle", "--batch-size", 16]
        stop = ["--shuffle-window", 100, "--checkpoint", "c.h5", "--checkpoint-every", 2]
        self.stopped(*fit, *stop, when="c.h5")
        self.refused(3, *fit, "--resume", "c.h5", says=["v.csv", "--shuffle-window 100"])
        self.tamis(*fit, "--shuffle-window", 100, "--resume", "c.h5")

    def test_a_finished_model_is_no_checkpoint(self):
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5")
        self.refused(3, "fit", "v.npy", "--out", "n.h5", "--resume", "m.h5", says=["finished"])

    def test_codes_that_were_cut(self):
        flags = self.flags("fast", "m.h5", "--codes", "H.npy")
        self.stopped(*flags, "--checkpoint", "c.h5", "--checkpoint-every", 2, when="c.h5")
        os.truncate(self.path("H.npy.part"), 200)
        self.refused(3, *flags, "--resume", "c.h5", says=["H.npy.part"])

    def test_an_output_that_cannot_be_continued(self):
        fit = ["fit", "video:frames=20000,height=32,width=32", "--rank", 2, "--out", "m.h5"]
        result = self.stopped(*fit, "--outliers", "R.avi", when="R.part.avi")
        self.assertEqual(result.code, 130, result)
        self.assertIn("without R.avi, which cannot be continued", result.err)
        self.refused(2, *fit, "--outliers", "R.avi", "--resume", "m.checkpoint.h5", says=["R.avi"])
        self.tamis(*fit, "--resume", "m.checkpoint.h5")

    def test_a_name_that_is_taken_meanwhile(self):
        process = self.start(*self.flags("fast", "m.h5", "--codes", "H.npy"))
        self.wait_for("H.npy.part", process)
        self.path("H.npy").write_text("mine")
        result = self.finish(process)
        self.assertEqual(result.code, 3, result)
        self.assertEqual(self.path("H.npy").read_text(), "mine")
        self.assertIn("H.npy.part", result.err)

    def test_the_name_of_the_model_is_taken_meanwhile(self):
        process = self.start(*self.flags("fast", "m.h5", "--codes", "H.npy"))
        self.wait_for("H.npy.part", process)
        self.path("m.h5").write_text("mine")
        result = self.finish(process)
        self.assertEqual(result.code, 3, result)
        self.assertEqual(self.path("m.h5").read_text(), "mine")
        self.assertEqual(self.model("m.h5.part")["W"].shape[0], 4)


if __name__ == "__main__":
    unittest.main()
