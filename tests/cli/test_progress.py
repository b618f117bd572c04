"""What a user sees while the program works."""

import io
import re
import select
import subprocess
import time
import unittest

import numpy as np
from _tamis import PATIENCE, Case, Planted, Terminal

ERASE = "\r\x1b[K"


class OnATerminal(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")

    def show(self, *arguments, columns=120):
        """Everything that a terminal gets from a run that succeeds."""
        terminal = Terminal(columns)
        self.addCleanup(terminal.close)
        process = self.start(*arguments, stderr=terminal.theirs)
        terminal.close_theirs()
        text = terminal.read()
        result = self.finish(process)
        self.assertEqual(result.code, 0, text)
        return text, result

    def check_bar(self, text, work, total):
        bars = [piece for piece in text.split(ERASE) if piece.startswith(work)]
        self.assertTrue(bars, text)
        for bar in bars:
            self.assertNotIn("\n", bar)
            self.assertLess(len(bar), 120)
            self.assertRegex(
                bar,
                rf"^{work} \[#*\.*\] [\d,]+/{total} samples  [\d,]+/s  ETA (\d+:)?\d+:\d\d"
                r"  objective [\d.e+-]+$",
            )
        # Erased, and what follows begins on an empty line.
        last = text.rindex(bars[-1]) + len(bars[-1])
        self.assertTrue(text[last:].startswith(ERASE), repr(text[last:]))

    def test_fit(self):
        text, result = self.show("fit", "v.npy", "--rank", 4, "--repeat", 1000, "--out", "m.h5")
        self.check_bar(text, "fit", "240,000")
        self.assertEqual(result.out, "")
        summary = text.split(ERASE)[-1]
        self.assertEqual(len(summary.splitlines()), 1)
        self.assertIn("m.h5", summary)

    def test_several_passes_count_as_one_work(self):
        flags = ["--repeat", 200, "--epochs", 3, "--shuffle"]
        text, _ = self.show("fit", "v.npy", "--rank", 4, "--out", "m.h5", *flags)
        self.check_bar(text, "fit", "144,000")

    def test_encode_and_denoise(self):
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        text, _ = self.show("encode", "m.h5", "v.npy", "--repeat", 100, "--codes", "H.npy")
        self.check_bar(text, "encode", "24,000")
        text, _ = self.show("denoise", "m.h5", "v.npy", "--repeat", 100, "--out", "C.npy")
        self.check_bar(text, "denoise", "24,000")
        text, _ = self.show("denoise", "v.npy", "--repeat", 100, "--out", "D.npy", "--rank", 4)
        self.assertIn("fit [", text)
        self.assertIn("denoise [", text)

    def test_narrow_terminal(self):
        for columns in [60, 40, 20]:
            text, _ = self.show(
                "fit", "v.npy", "--out", "m.h5", "--force", "--repeat", 100, columns=columns
            )
            for bar in text.split(ERASE)[1:-1]:
                self.assertLess(len(bar), columns)

    def test_unknown_length_has_no_bar_and_no_end(self):
        buffer = io.BytesIO()
        np.save(buffer, self.load("v.npy"))
        terminal = Terminal()
        self.addCleanup(terminal.close)
        process = self.start(
            "fit", "-", "--rank", 4, "--out", "m.h5", stdin=subprocess.PIPE, stderr=terminal.theirs
        )
        terminal.close_theirs()
        self.assertEqual(self.finish(process, buffer.getvalue()).code, 0)
        text = terminal.read()
        self.assertRegex(text, r"fit [\d,]+ samples  [\d,]+/s  objective")
        self.assertNotIn("ETA", text)

    def test_errors_erase_it(self):
        V = self.load("v.npy")
        V[-1, -1] = np.nan
        self.save("bad.npy", V)
        terminal = Terminal()
        self.addCleanup(terminal.close)
        process = self.start("fit", "bad.npy", "--out", "m.h5", stderr=terminal.theirs)
        terminal.close_theirs()
        text = terminal.read().replace("\r\n", "\n")
        self.assertEqual(self.finish(process).code, 3)
        self.assertIn("samples", text)
        self.assert_one_line(text.split(ERASE)[-1], "bad.npy")

    def test_quiet(self):
        text, result = self.show("fit", "v.npy", "--out", "m.h5", "--repeat", 100, "--quiet")
        self.assertEqual((text, result.out), ("", ""))

    def test_json_leaves_standard_output_alone(self):
        text, result = self.show("fit", "v.npy", "--out", "m.h5", "--repeat", 100, "--json")
        self.assertTrue(result.out.startswith("{"), result.out)
        self.assertNotIn("\x1b", result.out)


class Elsewhere(Case):
    def test_plain_lines(self):
        # A stream goes on until a line has come: they come every few seconds.
        V = Planted().V.astype("f4")
        buffer = io.BytesIO()
        np.save(buffer, V)
        process = self.start("fit", "-", "--rank", 4, "--out", "m.h5", stdin=subprocess.PIPE)
        deadline = time.monotonic() + PATIENCE
        while not select.select([process.stderr], [], [], 0.05)[0]:
            self.assertLess(time.monotonic(), deadline, "no line has come")
            process.stdin.write(buffer.getvalue())
            process.stdin.flush()
        result = self.finish(process)
        self.assertEqual(result.code, 0, result)
        lines = result.err.splitlines()
        self.assertGreaterEqual(len(lines), 2)
        for line in lines[:-1]:
            self.assertRegex(line, r"^fit: [\d,]+ samples  [\d,]+/s  objective [\d.e+-]+$")
        self.assertIsNone(re.search(r"[\r\x1b]", result.err))
        self.assertIn("m.h5", lines[-1])

    def test_short_runs_say_only_what_they_did(self):
        self.save("v.npy", Planted().V, "f4")
        for arguments in [["fit", "v.npy", "--out", "m.h5"],
                          ["encode", "m.h5", "v.npy", "--codes", "H.npy"],
                          ["denoise", "m.h5", "v.npy", "--out", "C.npy"]]:  # fmt: skip
            result = self.tamis(*arguments)
            self.assertEqual(result.out, "")
            self.assertIsNone(re.search(r"[\r\x1b]", result.err))
            self.assertEqual(len(result.err.splitlines()), 1, result.err)
            again = self.tamis(*arguments, "--force", "--quiet")
            self.assertEqual((again.out, again.err), ("", ""))


if __name__ == "__main__":
    unittest.main()
