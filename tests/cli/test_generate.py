"""tamis generate: data and their truth, checked with NumPy."""

import io
import json
import math
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np


def tamis(*arguments, **options):
    return subprocess.run(
        [os.environ["TAMIS_BINARY"], *map(str, arguments)], capture_output=True, **options
    )


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_well(self, *arguments, **options):
        result = tamis(*arguments, cwd=self.folder, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refused(self, code, *arguments):
        result = tamis(*arguments, cwd=self.folder)
        message = result.stderr.decode()
        self.assertEqual(result.returncode, code, message)
        self.assertEqual(len(message.splitlines()), 1, message)
        return message

    def load(self, name):
        return np.load(self.folder / name)

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))


class Synthetic(InFolder):
    def test_is_the_recipe_of_the_study(self):
        self.run_well("generate", "synthetic", "--features", 90, "--rank", 7, "--samples", 301,
                      "--nu", 0.8, "--nu-tilde", 0.2, "--noise", 0, "--seed", 5,
                      "--out", "V.npy", "--truth", "truth")
        V, clean = self.load("V.npy"), self.load("truth/clean.npy")
        R, H, W = (self.load(f"truth/{n}.npy") for n in ("outliers", "codes", "dictionary"))
        self.assertEqual(V.dtype, np.float32)
        self.assertEqual((V.shape, R.shape, H.shape, W.shape),
                         ((301, 90), (301, 90), (301, 7), (7, 90)))
        np.testing.assert_allclose(clean, np.minimum(H @ W, 1), atol=1e-5)
        np.testing.assert_array_equal(V, np.clip(clean + R, 0, 1))
        spoiled = (R != 0).sum(axis=1)
        self.assertEqual((spoiled > 0).sum(), math.floor(0.8 * 301))
        self.assertEqual(set(spoiled), {0, 18})
        self.assertLessEqual(abs(R).max(), 1)
        self.assertAlmostEqual(H.mean(), math.sqrt(2 / math.pi / 7), delta=0.02)
        self.assertAlmostEqual(clean.mean(), 2 / math.pi, delta=0.1)

    def test_has_noise_of_the_size_asked_for(self):
        self.run_well("generate", "synthetic", "--nu", 0, "--noise", 0.05, "--samples", 200,
                      "--out", "V.npy", "--clean", "clean.npy", "--precision", "double")
        V, clean = self.load("V.npy"), self.load("clean.npy")
        self.assertEqual(V.dtype, np.float64)
        inside = (clean > 0.3) & (clean < 0.7)
        self.assertAlmostEqual((V - clean)[inside].std(), 0.05, delta=0.002)
        self.assertEqual(self.files(), ["V.npy", "clean.npy"])

    def test_depends_on_the_seed_alone(self):
        make = ("generate", "synthetic", "--samples", 50, "--features", 20, "--out")
        self.run_well(*make, "one.npy", "--seed", 1)
        self.run_well(*make, "again.npy", "--seed", 1)
        self.run_well(*make, "other.npy", "--seed", 2)
        np.testing.assert_array_equal(self.load("one.npy"), self.load("again.npy"))
        self.assertFalse(np.array_equal(self.load("one.npy"), self.load("other.npy")))

    def test_goes_into_a_pipe(self):
        make = ("generate", "synthetic", "--samples", "2e3", "--features", 20, "--out")
        self.run_well(*make, "V.npy")
        piped = self.run_well(*make, "-", "--quiet")
        np.testing.assert_array_equal(np.load(io.BytesIO(piped.stdout)), self.load("V.npy"))
        self.assertEqual(piped.stderr, b"")

    def test_tells_what_it_did(self):
        result = self.run_well("generate", "synthetic", "--samples", 100, "--rank", 3, "--out",
                               "V.npy", "--truth", "t", "--json")
        told = json.loads(result.stdout)
        error = np.mean((self.load("V.npy").astype(float) - self.load("t/clean.npy")) ** 2)
        self.assertAlmostEqual(told["psnr"], -10 * math.log10(error), places=6)
        self.assertEqual((told["samples"], told["features"]), (100, 400))
        self.assertEqual(told["options"]["rank"], 3)
        self.assertEqual(told["files"]["dictionary"], "t/dictionary.npy")
        self.assertIn(b"PSNR", result.stderr)

    def test_is_an_input_of_fit(self):
        options = {"features": 30, "rank": 4, "samples": 700, "noise": 0.02, "seed": 3}
        flags = [w for name, value in options.items() for w in (f"--{name}", value)]
        text = "synthetic:" + ",".join(f"{name}={value}" for name, value in options.items())
        self.run_well("generate", "synthetic", *flags, "--out", "V.npy")
        fit = ("--rank", 4, "--seed", 1, "--quiet")
        self.run_well("fit", "V.npy", *fit, "--out", "file.h5", "--codes", "file.npy")
        self.run_well("fit", text, *fit, "--out", "direct.h5", "--codes", "direct.npy")
        np.testing.assert_array_equal(self.load("file.npy"), self.load("direct.npy"))

    def test_memory_does_not_grow_with_the_number_of_samples(self):
        def peak(samples):
            process = subprocess.Popen(
                [os.environ["TAMIS_BINARY"], "generate", "synthetic", "--features", "100", "--rank",
                 "5", "--noise", "0", "--samples", str(samples), "--out", f"{samples}.npy",
                 "--quiet"], cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return usage.ru_maxrss
        few, many = peak(5_000), peak(100_000)  # 2 and 40 MB of samples
        self.assertLess(many, few * 1.05 + 2048)


class Swimmer(InFolder):
    def test_is_limbs_and_a_torso(self):
        self.run_well("generate", "swimmer", "--copies", 2, "--contrast", 0.5, "--noise", 0,
                      "--nu-tilde", 0.1, "--out", "V.npy", "--truth", "truth")
        V, clean = self.load("V.npy"), self.load("truth/clean.npy")
        R, H, W = (self.load(f"truth/{n}.npy") for n in ("outliers", "codes", "dictionary"))
        self.assertEqual((V.shape, clean.shape, R.shape), ((512, 32, 32),) * 3)
        self.assertEqual((H.shape, W.shape), ((512, 16), (16, 1024)))
        torso = clean.reshape(512, 1024) - H @ W
        self.assertTrue((torso == torso[0]).all())
        self.assertEqual(sorted(set(torso[0])), [0, 0.5])
        self.assertEqual((torso[0] > 0).sum(), 12)
        _, counts = np.unique(clean.reshape(512, 1024), axis=0, return_counts=True)
        self.assertEqual(counts.tolist(), [2] * 256)
        changed = R != 0
        counts = changed.sum(axis=(1, 2))  # of 102 pixels, without black ones that became black
        self.assertLessEqual(counts.max(), 102)
        self.assertAlmostEqual(counts.mean(), 102 * (0.5 + 0.5 * 36 / 1024), delta=2)
        self.assertEqual(set(np.unique(V[changed])), {0, 1})
        np.testing.assert_array_equal(V[~changed], clean[~changed])

    def test_adds_uniform_outliers_if_asked(self):
        self.run_well("generate", "swimmer", "--copies", 1, "--kind", "uniform", "--out", "V.npy",
                      "--outliers", "R.npy")
        R = self.load("R.npy")
        self.assertGreater(len(np.unique(R)), 1000)
        message = self.refused(2, "generate", "swimmer", "--kind", "pepper", "--out", "W.npy")
        self.assertIn("salt-and-pepper", message)


class Video(InFolder):
    def test_is_a_background_and_what_moves(self):
        self.run_well("generate", "video", "--height", 24, "--width", 32, "--frames", 50,
                      "--out", "V.npy", "--truth", "t")
        V, clean, R, masks = (self.load(f) for f in ("V.npy", "t/clean.npy", "t/outliers.npy",
                                                     "t/masks.npy"))
        self.assertEqual({V.shape, clean.shape, R.shape, masks.shape}, {(50, 24, 32)})
        self.assertEqual(masks.dtype, np.uint8)
        self.assertEqual(set(np.unique(masks)), {0, 255})
        self.assertAlmostEqual((V - clean)[masks == 0].std(), 0.02, delta=0.002)
        self.assertGreater(abs(V - clean)[masks == 255].mean(), 0.1)
        np.testing.assert_allclose(R, np.where(masks == 255, V - clean, 0), atol=1e-6)
        self.assertNotIn("t/codes.npy", self.files())


class Corrupt(InFolder):
    def test_scales_replicates_shuffles_and_then_spoils(self):
        data = 40 * np.random.default_rng(1).random((20, 30)).astype(np.float32)
        data[4] = 0
        np.save(self.folder / "data.npy", data)
        self.run_well("generate", "corrupt", "data.npy", "--normalize", "max", "--repeat", 6,
                      "--shuffle", "--nu", 0.5, "--nu-tilde", 0.3, "--seed", 3,
                      "--out", "V.npy", "--truth", "truth")
        V, clean, R = (self.load(f) for f in ("V.npy", "truth/clean.npy", "truth/outliers.npy"))
        top = data.max(axis=1, keepdims=True)
        expected = np.repeat(data / np.where(top > 0, top, 1), 6, axis=0)
        self.assertFalse(np.array_equal(clean, expected))
        np.testing.assert_array_equal(np.sort(clean, axis=0), np.sort(expected, axis=0))
        self.assertEqual({tuple(row) for row in clean}, {tuple(row) for row in expected})
        np.testing.assert_array_equal(V, np.clip(clean + R, 0, 1))
        spoiled = (R != 0).sum(axis=1)
        self.assertEqual((spoiled > 0).sum(), 60)
        self.assertEqual(set(spoiled), {0, 9})
        # Copies of a sample have outliers of their own.
        self.assertEqual(len(np.unique(R[spoiled > 0], axis=0)), 60)
        self.assertEqual(self.files(),
                         ["V.npy", "data.npy", "truth", "truth/clean.npy", "truth/outliers.npy"])

    def test_keeps_the_order_shape_and_type(self):
        images = np.random.default_rng(2).integers(0, 256, (10, 5, 4), dtype=np.uint8)
        np.save(self.folder / "images.npy", images)
        self.run_well("generate", "corrupt", "images.npy", "--limit", 8, "--nu", 1, "--nu-tilde",
                      0.25, "--kind", "salt-and-pepper", "--out", "V.npy", "--truth", "t")
        V, clean, R = (self.load(f) for f in ("V.npy", "t/clean.npy", "t/outliers.npy"))
        self.assertEqual(V.dtype, np.uint8)
        np.testing.assert_array_equal(clean, images[:8])
        changed = R != 0
        self.assertEqual(set(np.unique(V[changed])), {0, 255})
        np.testing.assert_array_equal(V[~changed], clean[~changed])
        np.testing.assert_allclose(clean + R, V, atol=1e-3)  # outliers in the units of the input

    def test_reads_a_pipe(self):
        data = np.random.default_rng(3).random((50, 6)).astype(np.float32)
        np.save(self.folder / "data.npy", data)
        bytes_in = (self.folder / "data.npy").read_bytes()
        make = ("--nu", 0.4, "--seed", 9, "--noise", 0.1, "--quiet", "--out")
        self.run_well("generate", "corrupt", "data.npy", *make, "V.npy")
        piped = self.run_well("generate", "corrupt", "-", "--limit", 50, *make, "-", input=bytes_in)
        np.testing.assert_array_equal(np.load(io.BytesIO(piped.stdout)), self.load("V.npy"))
        for flags, word in ((["--limit", 51], "shorter"), ([], "must be known")):
            result = tamis("generate", "corrupt", "-", *flags, *make, "-", input=bytes_in)
            self.assertEqual(result.returncode, 3)
            self.assertIn(word, result.stderr.decode())

    def test_a_share_of_too_few_samples_is_nothing(self):
        np.save(self.folder / "data.npy", np.full((1, 60), 0.5))
        make = ("generate", "corrupt", "data.npy", "--noise", 0, "--out", "V.npy", "--force")
        self.assertIn("--nu", self.run_well(*make).stderr.decode())
        self.assertNotIn("--nu", self.run_well(*make, "--nu", 1).stderr.decode())
        self.assertNotIn("--nu", self.run_well(*make, "--nu", 0).stderr.decode())

    def test_refuses_data_out_of_range_and_leaves_nothing(self):
        np.save(self.folder / "data.npy", np.array([[0.5, 0.5], [3, 4.0]]))
        message = self.refused(3, "generate", "corrupt", "data.npy", "--out", "V.npy", "--truth",
                               "truth")
        self.assertIn("data.npy", message)
        self.assertIn("sample 1", message)
        self.assertIn("maximum", message)
        self.assertEqual(self.files(), ["data.npy"])


class Refusals(InFolder):
    def test_existing_files_are_replaced_only_if_asked(self):
        make = ("generate", "synthetic", "--samples", 9, "--out", "V.npy", "--truth", "t")
        self.run_well(*make, "--seed", 1)
        first = (self.folder / "V.npy").read_bytes()
        self.assertIn("V.npy", self.refused(3, *make))
        (self.folder / "V.npy").unlink()
        self.assertIn("clean.npy", self.refused(3, *make))
        self.assertFalse((self.folder / "V.npy").exists())
        self.run_well(*make, "--seed", 2, "--force")
        self.assertNotEqual((self.folder / "V.npy").read_bytes(), first)

    def test_usage(self):
        make = ("generate", "synthetic", "--out", "V.npy")
        self.assertIn("nu = 2, must be between 0 and 1", self.refused(2, *make, "--nu", 2))
        self.assertIn("--samples", self.refused(2, *make, "--samples", "many"))
        self.assertIn("at least 1", self.refused(2, *make, "--samples", 0))
        self.assertIn("--nu-tilde", self.refused(2, *make, "--nu-tidle", 0.1))
        self.assertIn("--out", self.refused(2, "generate", "synthetic"))
        self.assertIn("standard output", self.refused(2, "generate", "synthetic", "--out", "-",
                                                      "--quiet", "--clean", "c.npy", "--config",
                                                      self.config("json = true")))
        self.assertIn("twice", self.refused(2, *make, "--clean", "V.npy"))
        self.assertIn("--codes", self.refused(2, "generate", "corrupt", "x.npy", "--out", "V.npy",
                                              "--codes", "H.npy"))
        self.assertIn("No such file", self.refused(3, "generate", "corrupt", "x.npy", "--out",
                                                   "V.npy"))
        self.assertIn("nowhere", self.refused(3, "generate", "synthetic", "--out",
                                              "nowhere/V.npy"))
        self.refused(2, "generate")
        self.assertEqual(self.files(), ["flags.toml"])

    def config(self, text):
        (self.folder / "flags.toml").write_text(text)
        return "flags.toml"

    def test_inputs_with_unknown_options(self):
        message = self.refused(2, "fit", "synthetic:sample=9", "--rank", 2, "--out", "m.h5")
        self.assertIn('did you mean "samples"?', message)

    def test_help_has_an_example(self):
        for kind in ("synthetic", "swimmer", "video", "corrupt"):
            text = self.run_well("generate", kind, "--help").stdout.decode()
            self.assertIn(f"tamis generate {kind}", text.split("Example:")[1])
            for flag in ("--noise", "--seed", "--truth", "--force"):
                self.assertIn(flag, text)


if __name__ == "__main__":
    unittest.main()
