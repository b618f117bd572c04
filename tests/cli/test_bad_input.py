"""Bad samples and bad models: one line that names what is wrong, and nothing is left behind."""

import io
import itertools
import os
import unittest

import h5py
import numpy as np
from _tamis import Case, Planted

ROOT = os.geteuid() == 0  # who may do anything, so that nothing is forbidden


def with_header(text, data=b""):
    """A .npy file with any text as its header."""
    text = text + " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def shaped(shape, data=b"", type="<f4"):
    return with_header(f"{{'descr': '{type}', 'fortran_order': False, 'shape': {shape}, }}", data)


class Samples(Case):
    """Every command that reads samples refuses the same ones."""

    def setUp(self):
        super().setUp()
        self.V = self.save("good.npy", Planted().V, "f4")
        self.once("m.h5", "fit", "good.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.turns = itertools.cycle(["fit", "encode", "denoise"])

    def check(self, name, *says, commands=("fit", "encode", "denoise", "learn and denoise")):
        arguments = {
            "fit": ["fit", name, "--rank", 4, "--out", "n.h5", "--codes", "H.npy"],
            "encode": ["encode", "m.h5", name, "--codes", "H.npy", "--outliers", "R.npy"],
            "denoise": ["denoise", "m.h5", name, "--out", "C.npy"],
            "learn and denoise": ["denoise", name, "--rank", 4, "--out", "C.npy"],
        }
        for command in commands:
            with self.subTest(f"{command} {name}"):
                self.refused(3, *arguments[command], says=[name, *says])

    def check_bytes(self, content, *says):
        """Of one file; the commands take turns."""
        self.path("bad.npy").write_bytes(content)
        self.check("bad.npy", *says, commands=[next(self.turns)])

    def test_there_is_no_file(self):
        self.check("nowhere.npy", "o such file")
        self.check("no/where.npy", "o such file", commands=["fit"])
        self.check("nowhere.xyz", "o such file", commands=["encode"])

    def test_a_folder(self):
        self.path("folder.npy").mkdir()
        self.check("folder.npy")
        self.path("empty").mkdir()
        self.check("empty")

    def test_an_unknown_ending(self):
        self.path("data.xyz").write_text("1 2 3\n")
        self.check("data.xyz", "format")

    @unittest.skipIf(ROOT, "root may read everything")
    def test_no_permission(self):
        self.save("secret.npy", self.V)
        self.path("secret.npy").chmod(0)
        self.addCleanup(self.path("secret.npy").chmod, 0o600)
        arguments = ["fit", "secret.npy", "--rank", 4, "--out", "n.h5"]
        result = self.run_tamis(*arguments)
        self.assertEqual(result.code, 3)
        self.assert_one_line(result.err, "secret.npy", "ermission")

    def test_an_empty_file(self):
        self.path("empty.npy").write_bytes(b"")
        self.check("empty.npy")

    def test_not_an_array(self):
        self.check_bytes(b"1,2,3\n4,5,6\n", ".npy")
        self.check_bytes(os.urandom(10000), ".npy")
        self.check_bytes(b"\x93NUMPY")
        self.check_bytes(b"\x93NUMPY\x09\x00" + bytes(200), "version")
        buffer = io.BytesIO()
        np.savez(buffer, self.V)
        self.check_bytes(buffer.getvalue(), ".npy")

    def test_headers_that_make_no_sense(self):
        for text in ["", "{}", "{'descr': '<f4'}", "nonsense", "{'descr': '<f4', 'shape': (3, 4)}",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': 3, }",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (3, x), }",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4",
                     "{'descr': , 'fortran_order': False, 'shape': (3, 4), }"]:  # fmt: skip
            self.check_bytes(with_header(text, bytes(48)))

    def test_cut_short(self):
        content = self.path("good.npy").read_bytes()
        for length in [4, 10, 30, 127]:
            self.check_bytes(content[:length])
        for length in [128, 129, len(content) // 2, len(content) - 1]:
            self.check_bytes(content[:length], "cut short")

    def test_impossible_shapes(self):
        for shape in ["(10**18, 24)", "(1000000000000000000, 24)", "(9223372036854775807, 2)",
                      "(99999999999999999999999, 24)", "(4294967296, 4294967296, 4294967296)",
                      "(-5, 24)", "(3, -4)", "(-1, 24)"]:  # fmt: skip
            self.check_bytes(shaped(shape, bytes(96)))

    def test_types_that_are_not_read(self):
        for type in ["i8", "i1", "c8", ">f8", ">u2", "f2"]:
            self.save("typed.npy", self.V.astype(type))
            self.check("typed.npy", "type", commands=["fit"])
        np.save(self.path("typed.npy"), np.array([["a", None]] * 4, dtype=object))
        self.check("typed.npy", "type", commands=["fit"])
        np.save(self.path("typed.npy"), np.array([["a", "b"]] * 4))
        self.check("typed.npy", "type", commands=["fit"])
        np.save(self.path("typed.npy"), np.zeros((4, 2), [("x", "f4"), ("y", "f4")]))
        self.check("typed.npy", commands=["fit"])

    def test_too_few_dimensions(self):
        self.save("line.npy", np.ones(24, "f4"))
        self.check("line.npy", "dimension")
        self.save("point.npy", np.float32(3))
        self.check("point.npy", "dimension")

    def test_nothing_in_it(self):
        self.save("no-samples.npy", np.zeros((0, 24), "f4"))
        self.check("no-samples.npy", "no samples")
        self.save("no-features.npy", np.zeros((24, 0), "f4"))
        self.check("no-features.npy")
        self.save("nothing.npy", np.zeros((0, 0), "f4"))
        self.check("nothing.npy")

    def test_values_that_are_not_samples(self):
        for name, value in [("nan", np.nan), ("inf", np.inf), ("negative", -0.5)]:
            V = self.V.copy()
            V[130, 7] = value
            self.save(f"{name}.npy", V)
            self.check(f"{name}.npy", "feature 7 of sample 130")
            np.save(self.path(f"{name}.npy"), np.asfortranarray(V))
            self.check(f"{name}.npy", "feature 7 of sample 130", commands=["fit"])

    def test_the_hint_about_missing_entries_is_a_flag(self):
        V = self.V.copy()
        V[3, 3] = np.nan
        self.save("nan.npy", V)
        self.check("nan.npy", "--missing nan", commands=["fit"])
        V[3, 3] = -1
        self.save("negative.npy", V)
        self.check("negative.npy", "--allow-negative", commands=["fit"])

    def test_the_right_sample_is_named_when_shuffled(self):
        V = self.V.copy()
        V[130, 7] = np.nan
        self.save("nan.npy", V)
        fit = ["fit", "nan.npy", "--out", "n.h5", "--shuffle", "--codes", "H.npy"]
        self.refused(3, *fit, says=["feature 7 of sample 130"])
        self.refused(3, *fit[:-3], "--codes", "H.npy", says=["feature 7 of sample 130"])

    def test_another_dimension_than_the_model(self):
        for width in [1, 23, 25]:
            self.save("other.npy", np.ones((240, width), "f4"))
            self.check("other.npy", str(width), "24", commands=["encode", "denoise"])

    def test_too_few_samples_for_the_start(self):
        self.save("few.npy", self.V[:3])
        for start in ["samples", "nndsvd"]:
            self.refused(
                3, "fit", "few.npy", "--rank", 10, "--init", start, "--out", "n.h5",
                says=["few.npy"]
            )  # fmt: skip
            self.refused(
                3, "fit", "good.npy", "--rank", 10, "--init", start, "--batch-size", 4,
                "--out", "n.h5", says=["good.npy", "batch"]
            )  # fmt: skip

    def test_nndsvd_beyond_the_features(self):
        result = self.run_tamis(
            "fit", "good.npy", "--rank", 30, "--init", "nndsvd", "--out", "n.h5", "--quiet"
        )
        self.assertIn(result.code, [2, 3], result)
        self.assert_one_line(result.err, "nndsvd")

    def test_numbers_too_large_to_square(self):
        self.save("huge.npy", self.V * 1e37, "f4")
        fit = ["fit", "huge.npy", "--rank", 4, "--out", "n.h5", "--codes", "H.npy"]
        self.refused(1, *fit, says=["finite"])

    def test_all_zeros_are_fine(self):
        self.save("zeros.npy", np.zeros((100, 24), "f4"))
        self.tamis("fit", "zeros.npy", "--rank", 4, "--out", "z.h5", "--codes", "H.npy")
        self.assertTrue(np.isfinite(self.model("z.h5")["W"]).all())
        self.tamis("denoise", "z.h5", "zeros.npy", "--out", "C.npy")
        self.assertTrue((self.load("C.npy") == 0).all())


class Models(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")

        self.turns = itertools.cycle(["encode", "denoise", "info", "inspect"])

    def check(self, name, *says, commands=("encode", "denoise", "info", "inspect")):
        arguments = {
            "encode": ["v.npy", "--codes", "H.npy"],
            "denoise": ["v.npy", "--out", "C.npy"],
            "info": [],
            "inspect": ["--basis", "b.png"],
        }
        for command in commands:
            with self.subTest(f"{command} {name}"):
                self.refused(3, command, name, *arguments[command], says=[name, *says])

    def test_there_is_none(self):
        self.check("nowhere.h5", "o such file")

    def test_a_folder(self):
        self.path("folder.h5").mkdir()
        self.check("folder.h5")

    def test_not_one(self):
        self.path("noise.h5").write_bytes(os.urandom(20000))
        self.check("noise.h5")
        self.path("empty.h5").write_bytes(b"")
        self.check("empty.h5", commands=["encode", "info"])
        self.check("v.npy", commands=["denoise", "inspect"])

    def test_cut_short(self):
        content = self.path("m.h5").read_bytes()
        for share in [0.01, 0.1, 0.5, 0.9, 0.999]:
            self.path("cut.h5").write_bytes(content[: int(len(content) * share)])
            self.check("cut.h5", commands=[next(self.turns)])

    def test_another_file_of_the_same_kind(self):
        with h5py.File(self.path("other.h5"), "w") as file:
            file["W"] = np.ones((4, 24), "f4")
        self.check("other.h5", "not a tamis model")

    def change(self, name, edit):
        self.path(name).write_bytes(self.path("m.h5").read_bytes())
        with h5py.File(self.path(name), "r+") as file:
            edit(file)

    def test_damaged(self):
        def remove(name):
            return lambda file: file.__delitem__(name)

        def replace(name, value):
            def edit(file):
                del file[name]
                file[name] = value

            return edit

        def settings(text):
            return replace("settings", np.bytes_(text))

        edits = {
            "no-W": remove("W"), "no-A": remove("A"), "no-lambda": remove("lambda"),
            "wide-W": replace("W", np.ones((4, 30), "f4")),
            "flat-W": replace("W", np.ones(96, "f4")),
            "text-W": replace("W", "a text"),
            "nan-W": replace("W", np.full((4, 24), np.nan, "f4")),
            "small-A": replace("A", np.ones((3, 3))),
            "negative": replace("samples", -5),
            "shape": replace("shape", [5, 5]),
            "settings": settings("nonsense"), "settings-rank": settings('{"rank": -1}'),
            "settings-unknown": settings('{"rnak": 4}'),
            "settings-variable": replace("settings", '{"rank": 4}'),
            "settings-number": replace("settings", 4),
            "version": replace("version", 99),
        }  # fmt: skip
        for name, edit in edits.items():
            self.change(f"{name}.h5", edit)
            with self.subTest(name):
                self.check(f"{name}.h5", commands=[next(self.turns)])

    def test_bytes_of_it_changed(self):
        # Whatever is changed: an answer or a refusal, never a crash.
        content = self.path("m.h5").read_bytes()
        random = np.random.default_rng(0)
        for _ in range(12):
            broken = bytearray(content)
            for place in random.integers(0, len(content), 20):
                broken[place] = random.integers(256)
            self.path("broken.h5").write_bytes(broken)
            result = self.run_tamis("info", "broken.h5")
            self.assertIn(result.code, [0, 3], result)
            if result.code == 3:
                self.assert_one_line(result.err, "broken.h5")

    def test_model_and_samples_exchanged(self):
        self.refused(3, "encode", "v.npy", "m.h5", "--codes", "H.npy", says=["v.npy"])


if __name__ == "__main__":
    unittest.main()
