"""tamis evaluate mask, ssim, shadow: files of every kind, every number against NumPy or others."""

import os
import subprocess
import unittest
from pathlib import Path

import numpy as np
from _tamis import Case
from PIL import Image

SHARED = Path(os.environ.get("TAMIS_SHARED_DATA", "none"))
LABELS = np.array([0, 50, 85, 170, 255], np.uint8)


def counts(labels, masks):
    background, foreground = np.isin(labels, (0, 50)), labels == 255
    return {"tp": (foreground & masks).sum(), "fn": (foreground & ~masks).sum(),
            "fp": (background & masks).sum(), "tn": (background & ~masks).sum(),
            "ignored": np.isin(labels, (85, 170)).sum()}  # fmt: skip


class Mask(Case):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(3)
        self.labels = random.choice(LABELS, (7, 12, 17))
        self.masks = random.random((7, 12, 17)) < 0.4
        self.expected = counts(self.labels, self.masks)

    def mask(self, *arguments):
        return self.tamis_json("evaluate", "mask", *arguments)

    def check(self, told, expected=None):
        expected = expected or self.expected
        self.assertEqual({name: told[name] for name in expected}, expected)
        tp, fp, fn = (expected[name] for name in ("tp", "fp", "fn"))
        self.assertAlmostEqual(told["precision"], tp / (tp + fp), 12)
        self.assertAlmostEqual(told["recall"], tp / (tp + fn), 12)
        self.assertAlmostEqual(told["f"], 2 * tp / (2 * tp + fp + fn), 12)
        self.assertAlmostEqual(told["pbc"], 100 * (fp + fn) / (tp + fp + fn + expected["tn"]), 12)

    def folder_of(self, name, images):
        self.path(name).mkdir()
        for i, image in enumerate(images):
            Image.fromarray(image).save(self.path(name) / f"{i}.png")

    def test_arrays_and_folders(self):
        self.save("labels.npy", self.labels)
        self.save("masks.npy", 255 * self.masks.astype(np.uint8))
        self.save("bool.npy", self.masks)
        self.save("float.npy", self.masks, "f4")
        self.folder_of("labels", self.labels)
        self.folder_of("masks", 255 * self.masks.astype(np.uint8))
        for truth in ("labels.npy", "labels"):
            for masks in ("masks.npy", "bool.npy", "float.npy", "masks"):
                self.check(self.mask(truth, masks))
        text = self.tamis("evaluate", "mask", "labels.npy", "masks").out
        self.assertIn(f"TP {self.expected['tp']}", text)
        self.assertIn("in 7 frames", text)

    def test_a_video(self):
        masks = np.repeat(np.repeat(self.masks, 8, 1), 8, 2)  # blocks that survive the codec
        labels = np.repeat(np.repeat(self.labels, 8, 1), 8, 2)
        self.save("labels.npy", labels)
        self.folder_of("masks", 255 * masks.astype(np.uint8))
        for name, codec in (("masks.mkv", "ffv1"), ("masks.avi", "mjpeg")):
            subprocess.run(
                ["ffmpeg", "-v", "error", "-i", "masks/%d.png", "-c:v", codec, "-q:v", "2", name],
                cwd=self.folder, check=True)  # fmt: skip
        self.check(self.mask("labels.npy", "masks.mkv"), counts(labels, masks))
        told = self.mask("labels.npy", "masks.avi")
        self.assertGreater(told["f"], 0.95 * self.mask("labels.npy", "masks.mkv")["f"])
        some = counts(labels[[1, 4, 6]], masks[[1, 4, 6]])
        self.save("some.npy", labels[[1, 4, 6]])
        self.check(self.mask("some.npy", "masks.mkv", "--frames", "1,4,6"), some)

    def test_frames(self):
        chosen = [5, 2, 2]
        self.save("labels.npy", self.labels[chosen])
        self.save("masks.npy", self.masks)
        self.save("frames.npy", chosen, "i8")
        self.save("frames2.npy", chosen, "u1")
        self.path("frames.txt").write_text("5\n2\n2\n")
        expected = counts(self.labels[chosen], self.masks[chosen])
        for frames in ("5,2,2", "frames.npy", "frames2.npy", "frames.txt"):
            told = self.mask("labels.npy", "masks.npy", "--frames", frames)
            self.check(told, expected)
            self.assertEqual(told["frames"], 3)

    def test_refuses(self):
        self.save("labels.npy", self.labels)
        self.save("masks.npy", self.masks)
        self.save("gray.npy", self.labels // 2)
        self.save("numbers.npy", np.array([0.5, 1]))
        self.save("negative.npy", np.array([-1, 1]))
        self.save("unknown.npy", np.full((7, 12, 17), 170, np.uint8))
        evaluate = ("evaluate", "mask")
        self.refused(3, *evaluate, "gray.npy", "masks.npy", says=["gray.npy", "label", "170"])
        self.refused(3, *evaluate, "unknown.npy", "masks.npy", says=["unknown.npy"])
        both = (*evaluate, "labels.npy", "masks.npy", "--frames")
        self.refused(3, *both, "1,2", says=["7", "2"])
        self.refused(3, *both, "0,1,2,3,4,5,7", says=["masks.npy", "no sample 7"])
        self.refused(3, *both, "numbers.npy", says=["numbers.npy", "whole numbers"])
        self.refused(3, *both, "negative.npy", says=["negative.npy", "negative"])
        self.refused(3, *both, "none.npy", says=["none.npy"])
        self.refused(2, *both, "x", says=["--frames"])

    @unittest.skipUnless(SHARED.is_dir(), "the shared data are not there")
    def test_the_truth_of_real_sequences_is_perfect(self):
        for name in ("watersurface", "canoe"):
            labels = np.load(SHARED / f"{name}_masks.npy")
            frames = np.load(SHARED / f"{name}_mask_frames.npy")
            masks = np.zeros((frames.max() + 1, *labels.shape[1:]), np.uint8)
            masks[frames] = labels
            self.save("masks.npy", np.where(masks == 255, 255, 0).astype(np.uint8))
            told = self.mask(SHARED / f"{name}_masks.npy", "masks.npy", "--frames",
                             SHARED / f"{name}_mask_frames.npy")  # fmt: skip
            self.assertEqual((told["f"], told["pbc"], told["frames"]), (1, 0, len(frames)))


class Ssim(Case):
    def setUp(self):
        super().setUp()
        try:
            from skimage.metrics import structural_similarity
        except ImportError:
            self.skipTest("scikit-image is not there")
        self.similarity = structural_similarity
        random = np.random.default_rng(5)
        smooth = np.add.outer(np.sin(np.arange(33) / 5), np.cos(np.arange(46) / 7))[..., None]
        clean = 127 + 50 * smooth + 20 * random.standard_normal((33, 46, 3))
        self.clean = clean.clip(0, 255).astype(np.uint8)
        self.noisy = (clean + 25 * random.standard_normal(clean.shape)).clip(0, 255).astype("u1")

    def wang(self, a, b, top=255, **options):
        return self.similarity(a, b, data_range=top, gaussian_weights=True, sigma=1.5,
                               use_sample_covariance=False, **options)  # fmt: skip

    def ssim(self, *arguments):
        return self.tamis_json("evaluate", "ssim", *arguments)

    def test_files_folders_and_arrays(self):
        a, b = self.clean[..., 0], self.noisy[..., 0]
        expected = self.wang(a, b)
        for name, image in (("a", a), ("b", b)):
            Image.fromarray(image).save(self.path(f"{name}.png"))
            self.save(f"{name}.npy", image[None])
        self.assertAlmostEqual(self.ssim("a.png", "b.png")["ssim"], expected, 9)
        self.assertAlmostEqual(self.ssim("a.npy", "b.png")["ssim"], expected, 9)
        self.assertIn(f"SSIM {expected:.4f}\n", self.tamis("evaluate", "ssim", "a.png", "b.png").out)
        self.path("as").mkdir()
        self.path("bs").mkdir()
        for i, (x, y) in enumerate(((a, b), (a, a), (b, a // 2))):
            Image.fromarray(x).save(self.path(f"as/{i}.png"))
            Image.fromarray(y).save(self.path(f"bs/{i}.png"))
        values = [expected, 1, self.wang(b, a // 2)]
        told = self.ssim("as", "bs")
        self.assertAlmostEqual(told["ssim"], np.mean(values), 9)
        self.assertAlmostEqual(told["least"], min(values), 9)

    def test_colours_and_16_bits(self):
        for name, image in (("a", self.clean), ("b", self.noisy)):
            Image.fromarray(image).save(self.path(f"{name}.png"))
            self.save(f"{name}16.npy", 257 * image[None, ..., 0].astype("u2"))
            self.save(f"{name}f.npy", image[None, ..., 0] / 255)
        expected = self.wang(self.clean, self.noisy, channel_axis=2)
        self.assertAlmostEqual(self.ssim("a.png", "b.png", "--color")["ssim"], expected, 9)
        gray = self.wang(self.clean[..., 0], self.noisy[..., 0])
        self.assertAlmostEqual(self.ssim("a16.npy", "b16.npy")["ssim"], gray, 9)
        self.assertAlmostEqual(self.ssim("af.npy", "bf.npy")["ssim"], gray, 9)

    def test_refuses(self):
        self.save("small.npy", np.ones((2, 10, 20)))
        self.save("flat.npy", np.ones((2, 200)))
        self.save("other.npy", np.ones((2, 11, 20)))
        self.refused(3, "evaluate", "ssim", "small.npy", "small.npy", says=["small.npy", "11x11"])
        self.refused(3, "evaluate", "ssim", "flat.npy", "flat.npy", says=["flat.npy", "200"])
        self.refused(3, "evaluate", "ssim", "other.npy", "small.npy", says=["other.npy", "10"])


class Shadow(Case):
    LIGHTS = [(0, 0), (10, 0), (-10, 10), (60, 0), (-50, 20), (100, 0)]

    def setUp(self):
        super().setUp()
        images = np.full((6, 8, 8), 200, np.uint8)
        images[3, :, 6:] = 20
        images[4, :, :2] = 40
        self.images = self.save("faces.npy", images)
        self.result = self.save("relit.npy", np.full((6, 8, 8), 180, np.uint8))
        self.table("faces_light.csv", self.LIGHTS)

    def table(self, name, lights):
        self.path(name).write_text("azimuth,elevation\n" + "".join(f"{a},{e}\n" for a, e in lights))

    def check(self, told):
        # In gray levels of an image whose maximum is 255. Of Huber's loss the 48 lit pixels, on
        # the parabola, balance the 16 in shadow, on the slope.
        reference = 200 - 255 * 0.05 * (16 / 48) * 200 / 255
        shadow = reference - (20 + 40) / 2
        self.assertEqual(told["judged"], 2)
        self.assertAlmostEqual(told["shadow_error_input"], 255 / 200 * shadow, delta=0.2)
        self.assertAlmostEqual(told["shadow_error"], 255 / 200 * (reference - 180), delta=0.2)
        self.assertAlmostEqual(told["lit_change"], 255 / 200 * 20, delta=1e-3)

    def test_lights_from_a_table(self):
        shadow = ("evaluate", "shadow", "faces.npy", "relit.npy")
        self.check(self.tamis_json(*shadow))
        self.table("other.csv", self.LIGHTS)
        self.path("faces_light.csv").unlink()
        self.refused(3, *shadow, says=["faces.npy", "--light"])
        self.check(self.tamis_json(*shadow, "--light", "other.csv"))
        self.assertIn("shadow error", self.tamis(*shadow, "--light", "other.csv").out)
        self.table("short.csv", self.LIGHTS[:4])
        self.refused(3, *shadow, "--light", "short.csv", says=["short.csv", "6"])
        self.table("long.csv", self.LIGHTS + [(0, 0)])
        self.refused(3, *shadow, "--light", "long.csv", says=["long.csv", "7", "6"])
        self.table("side.csv", [(60, 0)] * 6)
        self.refused(3, *shadow, "--light", "side.csv", says=["faces.npy", "too few"])
        self.table("gap.csv", [*self.LIGHTS[:-1], ("NA", 0)])
        self.refused(3, *shadow, "--light", "gap.csv", says=["gap.csv", "image 5"])

    def test_lights_from_names(self):
        for folder, images in (("in", self.images), ("out", self.result)):
            self.path(folder).mkdir()
            for i, ((a, e), image) in enumerate(zip(self.LIGHTS, images)):
                Image.fromarray(image).save(self.path(f"{folder}/f{i}_A{a:+04d}E{e:+03d}.png"))
        self.check(self.tamis_json("evaluate", "shadow", "in", "out"))
        self.check(self.tamis_json("evaluate", "shadow", "in/", "relit.npy"))

    @unittest.skipUnless(SHARED.is_dir(), "the shared data are not there")
    def test_the_shadows_of_faces_as_they_are(self):
        for subject, expected in (("yaleb_02", 37.9), ("yaleb_08", 30.4)):
            faces = SHARED / f"{subject}.npy"
            told = self.tamis_json("evaluate", "shadow", faces, faces)
            self.assertAlmostEqual(told["shadow_error_input"], expected, delta=0.3)
            self.assertEqual(told["lit_change"], 0)


if __name__ == "__main__":
    unittest.main()
