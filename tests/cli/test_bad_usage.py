"""Bad usage: one line that names what is wrong, and nothing is left behind."""

import unittest

from _tamis import Case, Planted


def spelled(flag):
    """A flag, or the setting that it is for."""
    return rf"(--)?{flag[2:].replace('-', '[-_]')}\b"


class Usage(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")
        self.last = None

    def check(self, *arguments, says=()):
        with self.subTest(arguments):
            self.last = self.refused(2, *arguments, says=says)
            self.assertLess(len(self.last.err), 300, "too long to be read")

    def fit(self, *flags, says=()):
        self.check("fit", "v.npy", "--out", "m.h5", *flags, says=says)

    def choose(self, flag, value, *says):
        """A value that is refused; the message names what it was for."""
        self.fit(flag, value, says=says)
        self.assertRegex(self.last.err, spelled(flag))

    def test_no_command(self):
        self.check()

    def test_unknown_commands(self):
        self.check("fti", "v.npy", says=["fti", "did you mean fit?"])
        self.check("encod", says=["did you mean encode?"])
        self.check("frobnicate", says=["frobnicate"])

    def test_unknown_flags(self):
        self.fit("--rnak", 3, says=["--rnak", "did you mean --rank?"])
        self.fit("--rnak=3", says=["--rnak", "did you mean --rank?"])
        self.fit("--lamda", 3, says=["did you mean --lambda?"])
        self.fit("--outlier", "R.npy", says=["did you mean --outliers?"])
        self.fit("--frobnicate", says=["--frobnicate"])
        self.fit("-k", 3, says=["-k"])
        self.check("fit", "v.npy", "--rnak", 3, says=["did you mean --rank?"])  # also no --out
        self.check("encode", "m.h5", "v.npy", "--code", "H.npy", says=["did you mean --codes?"])
        self.check("--versoin", says=["did you mean --version?"])

    def test_flags_before_the_command(self):
        fit = ["fit", "v.npy", "--rank", 4, "--out", "m.h5", "--force"]
        for flags in [["--json"], ["--quiet"], ["--quiet", "--json"]]:
            behind, before = self.tamis(*fit, *flags), self.tamis(*flags, *fit)
            self.assertEqual(before.out == "", behind.out == "")
            self.assertEqual(before.err == "", behind.err == "")
        self.tamis("--quiet", "generate", "swimmer", "--copies", 1, "--out", "s.npy")
        self.check("--rank", 4, "fit", "v.npy", "--out", "n.h5",
                   says=["--rank belongs behind the command", "tamis fit --rank"])  # fmt: skip
        self.check("--json=3", "fit", "v.npy", "--out", "n.h5", says=["--json"])
        self.check("--quiet", "fti", "v.npy", says=["did you mean fit?"])
        self.check("--quiet", "man", says=["--quiet is not known"])

    def test_a_flag_is_not_a_value(self):
        self.check("fit", "v.npy", "--rank", "--out", "m.h5", says=["--rank has no value", "--out"])
        self.check("fit", "v.npy", "--rank", "--out=m.h5", says=["--rank has no value", "--out"])
        self.fit("--codes", "--quiet", says=["--codes has no value", "--quiet"])
        self.check("generate", "swimmer", "--seed", "--out", "s.npy", says=["--seed has no value"])
        self.tamis("fit", "v.npy", "--rank", 4, "--out=--rank", "--quiet")
        self.assertIn("--rank", self.names())

    def test_too_much(self):
        self.fit("w.npy", says=["w.npy"])
        self.assertNotIn("pattern", self.last.err)
        self.save("w.npy", [[1.0]])
        self.fit("w.npy", says=["w.npy", "pattern in quotes"])
        self.check("info", "m.h5", "n.h5", says=["n.h5"])
        self.check("denoise", "a", "b", "c", "--out", "x.npy", says=["c"])

    def test_too_little(self):
        self.check("fit", "v.npy", says=["--out"])
        self.check("fit", "--out", "m.h5", says=["INPUT"])
        self.check("encode", "m.h5", says=["INPUT"])
        self.check("denoise", "--out", "x.npy", says=["INPUT"])
        self.check("denoise", "v.npy", says=["--out"])
        self.check("info", says=["MODEL"])
        self.check("inspect", "m.h5", says=["--basis"])
        self.fit("--rank", says=["--rank"])
        self.fit("--codes", says=["--codes"])

    def test_numbers(self):
        for flag, values in {
            "--rank": ["0", "-1", "x", "1.5", "99999999999999999999"],
            "--batch-size": ["0", "x"],
            "--epochs": ["0"],
            "--lambda": ["-1", "x", "nan"],
            "--max-outlier": ["0", "x"],
            "--seed": ["-1", "1.5"],
            "--threads": ["-1", "x"],
            "--limit": ["0", "x", "1.5"],
            "--repeat": ["0", "x"],
            "--shuffle-window": ["0"],
            "--checkpoint-every": ["0", "x"],
            "--dictionary-penalty": ["-1", "x", "1,2,3"],
            "--resize": ["abc", "10", "10x", "0x10", "10x10x10"],
        }.items():
            for value in values:
                self.fit(f"{flag}={value}", says=[value])
                self.assertRegex(self.last.err, spelled(flag))

    def test_choices(self):
        self.choose("--constraint", "bal", "bal", 'did you mean "ball"?')
        self.choose("--algorithm", "opdg", 'did you mean "opgd"?')
        self.choose("--init", "sample", 'did you mean "samples"?')
        self.choose("--code-penalty", "laso", 'did you mean "lasso"?')
        self.choose("--forget", "polly", 'did you mean "poly"?')
        self.choose("--normalize", "maxx", 'did you mean "max"?')
        self.choose("--precision", "doubel", "double")
        self.choose("--missing", "zero", "nan")
        self.choose("--constraint", "frobnicate", "ball")
        self.choose("--constraint", "")

    def test_parameters_of_choices(self):
        self.fit("--constraint", "elastic-net:-1,1", says=["g1"])
        self.fit("--constraint", "elastic-net:0.1,x", says=["x"])
        self.fit("--constraint", "ball:3", says=["ball"])
        self.fit("--algorithm", "fast:iterations=0", says=["iterations"])
        self.fit("--algorithm", "fast:iteratoins=3", says=["iteratoins", "iterations"])
        self.fit("--forget", "decay:2", says=["gamma"])

    def test_what_does_not_go_together(self):
        self.fit("--constraint", "nonneg", "--code-penalty", "lasso:0.1", says=["nonneg"])
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "n.h5", "--quiet")
        self.check("encode", "n.h5", "v.npy", says=["--codes", "--outliers"])

    def test_the_ending_of_another_format(self):
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        fit = ["fit", "v.npy", "--rank", 4]
        for name in ["n.npy", "n.csv", "n.PNG", "n.mtx", "n.mp4"]:
            self.check(*fit, "--out", name, says=[f"--out {name}", ".h5"])
        self.check(*fit, "--out", "n.h5", "--checkpoint", "c.npy", says=["--checkpoint c.npy", ".h5"])
        for name in ["p.xyz", "p.jpg", "p.npy"]:
            self.check("inspect", "m.h5", "--basis", name, says=[f"--basis {name}", ".png"])
        for name in ["n.hdf5", "n", "n.1"]:  # which tell nothing else
            self.tamis(*fit, "--out", name, "--quiet")
        self.tamis("inspect", "m.h5", "--basis", "p.PNG", "--quiet")

    def test_nothing_to_write(self):
        self.check("separate", "video:frames=4", says=["--background", "--mask", "--panel"])
        self.tamis("separate", "video:frames=4", "--json")  # there are figures to look at

    def test_a_threshold_of_what_is_not_kept(self):
        self.check("denoise", "v.npy", "--out", "c.npy", "--threshold", 0.1, "--reconstruction",
                   says=["--threshold", "--reconstruction"])  # fmt: skip

    def test_flags_of_other_commands(self):
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.check("encode", "m.h5", "v.npy", "--codes", "H.npy", "--rank", 4, says=["--rank"])
        self.check("encode", "m.h5", "v.npy", "--codes", "H.npy", "--threads", -1)
        self.check("encode", "m.h5", "v.npy", "--codes", "H.npy", "--tolerance", -1)
        self.check("encode", "m.h5", "v.npy", "--codes", "H.npy", "--iterations", 0)
        self.check("denoise", "m.h5", "v.npy", "--out", "C.npy", "--threshold", -1)
        self.check("denoise", "v.npy", "--out", "C.npy", "--rank", 0, says=["rank"])

    def test_settings_of_a_model_that_is_given(self):
        # denoise MODEL learns nothing, so flags of learning can only be a mistake.
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.check("denoise", "m.h5", "v.npy", "--out", "C.npy", "--rank", 7, says=["--rank"])


if __name__ == "__main__":
    unittest.main()
