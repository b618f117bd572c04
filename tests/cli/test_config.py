"""--config: flags from a file."""

import json
import unittest

import numpy as np
from _tamis import Case, Planted


class Config(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")

    def write(self, text, name="c.toml"):
        self.path(name).write_text(text, encoding="utf-8")

    def fit(self, *flags):
        """The settings of the model that comes out."""
        self.tamis(
            "fit", "v.npy", "--out", "m.h5", "--force", "--quiet", "--config", "c.toml", *flags
        )
        return self.model()["settings"]

    def check_refused(self, *says, command=("fit", "v.npy", "--out", "m.h5"), code=(2, 3)):
        before = self.listing()
        result = self.run_tamis(*command, "--config", "c.toml")
        self.assertIn(result.code, code, result)
        self.assert_one_line(result.err, *says)
        self.assertEqual(self.listing(), before)

    def test_flags_under_their_names(self):
        self.write(
            "# how we do it\n"
            "rank = 3\n"
            'algorithm = "opgd"   # the published one\n'
            "lambda = 0.25\n"
            "batch-size = 7\n"
            "epochs = 2\n"
            'constraint = "elastic-net:0.5,1"\n'
            'dictionary-penalty = "0.1,0.5"\n'
            "shuffle = true\n"
            "seed = 12\n"
        )
        settings = self.fit()
        self.assertEqual(settings["rank"], 3)
        self.assertTrue(settings["algorithm"].startswith("opgd"))
        self.assertEqual(float(settings["lambda"]), 0.25)
        self.assertEqual(settings["batch_size"], 7)
        self.assertEqual(settings["epochs"], 2)
        self.assertIn("0.5", settings["constraint"])
        self.assertEqual(settings["dictionary_penalty"], "0.1,0.5")
        self.assertIs(settings["shuffle"], True)
        self.assertEqual(settings["seed"], 12)

    def test_is_text(self):
        """A path that begins with a byte 0 would make a message that nobody sees."""
        self.write('outlier-groups =\0\0\0"\n')
        self.check_refused("c.toml", "not text")

    def test_gives_the_same_bits_as_the_flags(self):
        self.write('rank = 3\nshuffle = true\ncode-penalty = "lasso:0.1"\n')
        self.fit()
        self.tamis(
            "fit", "v.npy", "--out", "f.h5", "--rank", 3, "--shuffle", "--code-penalty", "lasso:0.1"
        )
        self.assert_same_model("m.h5", "f.h5")

    def test_the_command_line_wins(self):
        self.write("rank = 3\nseed = 4\n")
        settings = self.fit("--rank", 5)
        self.assertEqual((settings["rank"], settings["seed"]), (5, 4))
        self.tamis("fit", "v.npy", "--rank", 6, "--config", "c.toml", "--out", "n.h5")
        self.assertEqual(self.model("n.h5")["settings"]["rank"], 6)
        self.tamis("fit", "--config=c.toml", "v.npy", "--rank=7", "--out", "o.h5")
        self.assertEqual(self.model("o.h5")["settings"]["rank"], 7)

    def test_sections_are_of_commands(self):
        self.write(
            "threads = 1\n\n[fit]\nrank = 3\n\n"
            '[encode]\ntolerance = 0.01\ncodes = "H.npy"\n\n[denoise]\nrank = 2\n'
        )
        self.assertEqual(self.fit()["rank"], 3)
        self.tamis("encode", "m.h5", "v.npy", "--config", "c.toml")
        self.assertEqual(self.load("H.npy").shape, (240, 3))

    def test_booleans(self):
        self.write("shuffle = true\nnonneg-outliers = false\n")
        settings = self.fit()
        self.assertEqual((settings["shuffle"], settings["nonneg_outliers"]), (True, False))
        for text in ["reseed = false\n", "no-reseed = true\n"]:
            self.write(text)
            with self.subTest(text):
                self.assertIs(self.fit()["reseed"], False)
        self.write("reseed = true\n")
        self.assertIs(self.fit("--no-reseed")["reseed"], False)
        self.write("shuffle = 3\n")
        self.check_refused("c.toml", "shuffle", "true or false")
        self.write('shuffle = "maybe"\n')
        self.check_refused("c.toml", "shuffle", "true or false")

    def test_flags_that_are_required_may_be_there(self):
        self.write('out = "there.h5"\ncodes = "H.npy"\nrank = 2\n')
        self.tamis("fit", "v.npy", "--config", "c.toml")
        self.assertEqual(self.load("H.npy").shape, (240, 2))
        self.assertTrue(self.path("there.h5").exists())

    def test_quiet_json_and_force(self):
        self.write("rank = 2\nquiet = true\njson = true\nforce = true\n")
        for _ in range(2):
            result = self.tamis("fit", "v.npy", "--out", "m.h5", "--config", "c.toml")
            self.assertEqual(result.err, "")
            self.assertEqual(json.loads(result.out)["rank"], 2)

    def test_json_from_the_file_also_in_errors(self):
        self.write("json = true\nrank = 2\n")
        result = self.run_tamis("fit", "nowhere.npy", "--out", "m.h5", "--config", "c.toml")
        self.assertEqual(result.code, 3)
        self.assertEqual(json.loads(result.out)["status"], "error")

    def test_missing_entries(self):
        V = self.load("v.npy")
        V[5, 5] = np.nan
        self.save("v.npy", V)
        self.write('missing = "nan"\n')
        self.assertIs(self.fit()["missing"], True)

    def test_unknown_keys(self):
        self.write("rank = 3\nrnak = 4\n")
        self.check_refused("c.toml", "rnak", "did you mean", "rank")
        self.write("[fit]\nbatch_size = 4\n")
        self.check_refused("c.toml", "batch_size", "did you mean", "batch-size")
        self.write("frobnicate = 4\n")
        self.check_refused("c.toml", "frobnicate")
        self.write("help = true\n")
        self.check_refused("c.toml", "help")
        self.write('config = "d.toml"\n')
        self.check_refused("c.toml", "config")

    def test_unknown_sections(self):
        self.write("[fti]\nrank = 3\n")
        self.check_refused("c.toml", "fti")

    def test_bad_values(self):
        self.write("rank = 0\n")
        self.check_refused("rank", code=(2,))
        self.write('rank = "many"\n')
        self.check_refused("rank", "many", code=(2,))
        self.write('constraint = "bal"\n')
        self.check_refused("constraint", "ball", code=(2,))
        self.write("dictionary-penalty = [0.1, 0.5]\n")
        self.check_refused("c.toml", "dictionary-penalty")
        self.write("rank =\n")
        self.check_refused("rank")

    def test_not_a_file(self):
        self.check_refused("c.toml", code=(3,))
        self.path("c.toml").mkdir()
        self.check_refused("c.toml", code=(3,))

    def test_no_file_named(self):
        self.refused(2, "fit", "v.npy", "--out", "m.h5", "--config", says=["--config"])

    def test_nonsense(self):
        for text in ["rank\n", "= 3\n", "[fit\nrank = 3\n", "rank = 'three\n", "\0\1\2\n",
                     "rank 3\n"]:  # fmt: skip
            self.write(text)
            with self.subTest(text):
                self.check_refused()

    def test_an_empty_file_changes_nothing(self):
        self.write("\n# nothing\n")
        self.assertEqual(self.fit()["rank"], 10)

    def test_lines_that_end_as_on_windows(self):
        self.path("c.toml").write_bytes(b"rank = 3\r\nshuffle = true\r\n")
        settings = self.fit()
        self.assertEqual((settings["rank"], settings["shuffle"]), (3, True))


if __name__ == "__main__":
    unittest.main()
