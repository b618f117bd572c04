"""Files that nobody of good will wrote: without end, nested without end, speaking to the terminal."""

import unittest

import numpy as np
from _tamis import Case, Planted


def header(shape, descr="<f4"):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


class Hostile(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")
        self.fit = ("fit", "v.npy", "--rank", 3, "--out", "m.h5")

    def config(self, text, *says, code=3):
        self.path("c.toml").write_bytes(text.encode())
        self.refused(code, *self.fit, "--config", "c.toml", says=says)

    def test_files_without_end(self):
        self.refused(3, *self.fit, "--config", "/dev/zero", says=["/dev/zero", "too long"])
        self.refused(
            3,
            *self.fit,
            *("--outlier-penalty", "group", "--groups", "/dev/zero"),
            says=["/dev/zero", "too long"],
        )

    def test_sections_nested_without_end(self):
        self.config("[" + "a." * 200_000 + "a]\n", "is not a command")
        self.config("[" * 100_000 + "]" * 100_000 + "\n", "is not a command")

    def test_a_value_that_the_parser_would_cut(self):
        self.config('init = "sam#ples"\n', "init", "quote")
        self.config("init = 'samples\n", "init", "quote")

    def test_nothing_of_a_file_reaches_the_terminal(self):
        self.config('init = "\x1b]0;title\x07"\n', "init", code=2)
        self.config('"\x1b[31m" = 1\n', "is not known")
        self.path("x\x1b[31m.npy").write_bytes(b"nothing")
        for arguments in (
            (*self.fit, "--config", "c.toml"),
            ("fit", "x\x1b[31m.npy", "--rank", 3, "--out", "m.h5"),
            ("fit", "v.npy", "--rank", "\x1b[31m", "--out", "m.h5"),
        ):
            result = self.run_tamis(*arguments)
            self.assertNotEqual(result.code, 0)
            self.assertNotIn("\x1b", result.err)

    def test_claims_on_standard_input(self):
        for shape in ("(-1, 1000000000000000)", "(1, 300000000)", "(2, -5)"):
            self.refused(
                3,
                *("fit", "-", "--rank", 3, "--out", "m.h5"),
                stdin=header(shape) + bytes(64),
                says=["standard input"],
            )

    def test_a_list_of_numbers_that_claims_too_many(self):
        frames = np.zeros((2, 4, 4), "u1")
        self.save("mask.npy", frames, "u1")
        self.path("list.npy").write_bytes(header("(2305843009213693952,)", "<i8") + bytes(16))
        self.refused(
            3, "evaluate", "mask", "mask.npy", "mask.npy", "--frames", "list.npy", says=["cut short"]
        )

    def test_frames_before_the_first(self):
        self.save("mask.npy", np.zeros((2, 4, 4), "u1"), "u1")
        self.save("masks.npy", np.zeros((9, 4, 4), "u1"), "u1")
        self.refused(
            2, "evaluate", "mask", "mask.npy", "masks.npy", "--frames=0,-3", says=["negative"]
        )

    def test_a_long_list_of_frames_is_not_a_file(self):
        self.save("mask.npy", np.zeros((2, 4, 4), "u1"), "u1")
        frames = ",".join(["0", "1"] * 500)
        result = self.run_tamis("evaluate", "mask", "mask.npy", "mask.npy", "--frames", frames)
        self.assertNotIn("filesystem", result.err)
        self.assertIn(result.code, (0, 2, 3), result)


if __name__ == "__main__":
    unittest.main()
