"""tamis denoise of photographs: learned from their own patches, kept as they are otherwise."""

import unittest

import numpy as np
from _pictures import mode, read, scene, spoil, write_png16
from _tamis import Case, png_size, psnr
from PIL import Image, ImageOps


class Photos(Case):
    def denoise(self, *arguments, out="c.png"):
        self.tamis("denoise", *arguments, "--out", out, "--force", "--quiet")

    def improves(self, clean, noisy, result, top=255, by=8):
        before, after = psnr(clean, noisy, top), psnr(clean, result, top)
        self.assertGreater(after, before + by, f"{before:.1f} dB before, {after:.1f} dB after")

    def keeps(self, noisy, hit, result):
        """Nearly all of what is intact comes out as it came in."""
        self.assertGreater((result == noisy)[~hit].mean(), 0.93)


class Kinds(Photos):
    def test_gray(self):
        clean = scene()
        noisy, hit = spoil(clean)
        Image.fromarray(noisy).save(self.path("n.png"))
        self.denoise("n.png")
        result = read(self.path("c.png"))
        self.assertEqual((mode(self.path("c.png")), result.shape), ("L", clean.shape))
        self.improves(clean, noisy, result, by=12)
        self.keeps(noisy, hit, result)
        self.denoise("n.png", "--patch", 8, "--stride", 2, "--keep-inliers", out="same.png")
        np.testing.assert_array_equal(read(self.path("same.png")), result)

    def test_colour(self):
        clean = scene(channels=3)
        noisy, hit = spoil(clean)
        Image.fromarray(noisy).save(self.path("n.png"))
        self.denoise("n.png")
        result = read(self.path("c.png"))
        self.assertEqual(mode(self.path("c.png")), "RGB")
        self.improves(clean, noisy, result, by=10)
        self.keeps(noisy, hit, result)

    def test_alpha_is_kept(self):
        clean = scene(channels=3)
        noisy, hit = spoil(clean)
        alpha = np.arange(clean.shape[0] * clean.shape[1]).reshape(clean.shape[:2]) % 256
        with_alpha = np.dstack([noisy, alpha]).astype(np.uint8)
        Image.fromarray(with_alpha).save(self.path("n.png"))
        self.denoise("n.png")
        result = read(self.path("c.png"))
        self.assertEqual(mode(self.path("c.png")), "RGBA")
        np.testing.assert_array_equal(result[..., 3], alpha)
        self.improves(clean, noisy, result[..., :3])
        gray, hit = spoil(scene())
        Image.fromarray(np.dstack([gray, alpha]).astype(np.uint8), "LA").save(self.path("la.png"))
        self.denoise("la.png", out="d.png")
        result = np.asarray(Image.open(self.path("d.png")).convert("RGBA"))
        np.testing.assert_array_equal(result[..., 3], alpha)
        self.assertTrue((result[..., 0] == result[..., 2]).all(), "gray became coloured")
        self.improves(scene(), gray, result[..., 0])
        self.refused(3, "denoise", "n.png", "--out", "e.jpg", says=["e.jpg", "alpha"])

    def test_turned_as_the_camera_noted_also_with_alpha(self):
        random = np.random.default_rng(1)
        for orientation in range(1, 9):
            exif = Image.Exif()
            exif[0x0112] = orientation
            for channels in (3, 4):
                picture = Image.fromarray(random.integers(0, 256, (12, 20, channels), "u1"))
                picture.save(self.path("t.png"), exif=exif)
                self.denoise("t.png", "--threshold", "inf")
                upright = np.asarray(ImageOps.exif_transpose(Image.open(self.path("t.png"))))
                np.testing.assert_array_equal(read(self.path("c.png")), upright, str(orientation))

    def test_the_share_of_pixels_that_were_replaced(self):
        sizes = {"a.png": (24, 20), "b.png": (48, 40)}
        before = {}
        (self.folder / "in").mkdir()
        for name, size in sizes.items():
            before[name], _ = spoil(scene(channels=3)[: size[0], : size[1]])
            Image.fromarray(before[name]).save(self.path(f"in/{name}"))
        told = self.tamis_json("denoise", "in", "--patch", 6, "--out", "out/")
        changed = [(read(self.path(f"out/{name}")) != before[name]).any(axis=2).ravel()
                   for name in sizes]
        # One that was replaced by what it was before looks untouched.
        self.assertAlmostEqual(told["replaced_share"], np.concatenate(changed).mean(), delta=0.005)

    def test_16_bits(self):
        clean = scene().astype(np.uint16) * 257
        noisy, hit = spoil(clean, top=65535)
        write_png16(self.path("n.png"), noisy)
        self.denoise("n.png")
        result = read(self.path("c.png")).astype(np.uint16)
        self.improves(clean, noisy, result, 65535)
        self.keeps(noisy, hit, result)
        # A camera's 12 bits in a file of 16: the picture is dark, but not less spoiled.
        dim, _ = spoil(scene().astype(np.uint16) * 16, top=4095)
        write_png16(self.path("dim.png"), dim)
        self.denoise("dim.png", out="d.png")
        self.improves(scene().astype("f8") * 16, dim, read(self.path("d.png")), 4095)

    def test_gray_stored_as_colours(self):
        noisy, _ = spoil(scene())
        Image.fromarray(np.dstack([noisy] * 3)).save(self.path("n.png"))
        self.denoise("n.png")
        result = read(self.path("c.png"))
        self.assertEqual(mode(self.path("c.png")), "RGB")
        self.assertTrue((result[..., 0] == result[..., 1]).all())
        self.improves(scene(), noisy, result[..., 0])

    def test_odd_sizes_and_smaller_than_a_patch(self):
        for height, width in [(1, 1), (1, 9), (5, 3), (8, 8), (7, 31), (33, 17)]:
            noisy, _ = spoil(scene(height, width), 0.1)
            Image.fromarray(noisy).save(self.path("n.png"))
            self.denoise("n.png")
            self.assertEqual(png_size(self.path("c.png")), (width, height))

    def test_patch_and_stride(self):
        clean = scene()
        noisy, _ = spoil(clean)
        Image.fromarray(noisy).save(self.path("n.png"))
        for flags in [("--patch", 6, "--stride", 3), ("--patch", 10), ("--patch", 2)]:
            self.denoise("n.png", *flags)
            self.assertEqual(read(self.path("c.png")).shape, clean.shape)
        self.refused(2, "denoise", "n.png", "--patch", 4, "--stride", 5, "--out", "x.png",
                     says=["--stride", "5"])  # fmt: skip
        self.refused(2, "denoise", "n.png", "--patch", 0, "--out", "x.png", says=["--patch"])
        self.refused(2, "denoise", "n.png", "--rank", 0, "--out", "x.png", says=["rank"])


class Many(Photos):
    def test_a_folder_of_different_images(self):
        self.path("in").mkdir()
        kinds = {"a.png": scene(), "b.png": scene(40, 50, 3), "c.pgm": scene(30, 44)}
        for name, image in kinds.items():
            Image.fromarray(spoil(image)[0]).save(self.path("in") / name)
        result = self.tamis_json("denoise", "in", "--patch", 8, "--out", "out", "--quiet")
        self.assertEqual(result["samples"], 3)
        self.assertTrue(0.1 < result["replaced_share"] < 0.3, result)
        for name, image in kinds.items():
            self.improves(image, spoil(image)[0], read(self.path("out") / name))
        self.refused(3, "denoise", "in", "--patch", 8, "--out", "one.png", says=["one.png", "/"])
        self.refused(3, "denoise", "in", "--patch", 8, "--out", "out", says=["out", "--force"])

    def test_arrays(self):
        clean = np.stack([scene(40, 48), scene(40, 48)[::-1]])
        noisy, _ = spoil(clean)
        for type, scale in [("u1", 1), ("u2", 257), ("f4", 1 / 255), ("f8", 1.0)]:
            self.save("n.npy", noisy * scale, type)
            self.denoise("n.npy", "--patch", 8, out="c.npy")
            result = self.load("c.npy")
            self.assertEqual((result.dtype, result.shape), (np.dtype(type), clean.shape))
            self.improves(clean, noisy, result / scale)
            kept = result == self.load("n.npy")
            self.assertGreater(kept.mean(), 0.7)
        colour = spoil(scene(40, 48, 3))[0]
        self.save("n.npy", colour[None])
        self.denoise("n.npy", "--patch", 8, out="c.npy")
        self.improves(scene(40, 48, 3), colour, self.load("c.npy")[0])

    def test_damage_leaves_nothing(self):
        self.path("in").mkdir()
        Image.fromarray(spoil(scene())[0]).save(self.path("in/a.png"))
        (self.path("in") / "b.png").write_bytes((self.path("in/a.png")).read_bytes()[:200])
        self.refused(3, "denoise", "in", "--patch", 8, "--out", "out", "--quiet", says=["b.png"])
        self.save("flat.npy", np.ones((3, 50)))
        self.refused(3, "denoise", "flat.npy", "--patch", 8, "--out", "c.npy", says=["flat.npy"])
        self.save("minus.npy", -np.ones((1, 9, 9)))
        self.refused(3, "denoise", "minus.npy", "--patch", 8, "--out", "c.npy",
                     says=["minus.npy", "negative"])  # fmt: skip
        self.refused(2, "denoise", "m.h5", "in", "--patch", 8, "--out", "c.npy", says=["m.h5"])


class Missing(Photos):
    def setUp(self):
        super().setUp()
        self.clean = scene()
        self.holes = np.random.default_rng(4).random(self.clean.shape) < 0.25
        self.holes[20:34, 30:47] = True  # larger than a patch
        self.spoiled = np.where(self.holes, 255, self.clean).astype(np.uint8)
        Image.fromarray(self.spoiled).save(self.path("n.png"))
        self.mask = (255 * self.holes).astype(np.uint8)

    def check(self, result):
        self.assertGreater(psnr(self.clean, result, 255), 26)
        self.keeps(self.clean, self.holes, result)

    def test_a_mask(self):
        Image.fromarray(self.mask).save(self.path("mask.png"))
        self.denoise("n.png", "--missing-mask", "mask.png")
        self.check(read(self.path("c.png")))
        self.save("mask.npy", self.holes[None])
        self.denoise("n.png", "--missing-mask", "mask.npy", "--threshold", "inf")
        result = read(self.path("c.png"))
        np.testing.assert_array_equal(result[~self.holes], self.clean[~self.holes])
        Image.fromarray(self.mask[1:]).save(self.path("small.png"))
        self.refused(3, "denoise", "n.png", "--missing-mask", "small.png", "--out", "d.png",
                     says=["small.png", "71x96", "72x96"])  # fmt: skip
        self.save("two.npy", np.stack([self.holes] * 2))
        self.refused(3, "denoise", "n.png", "--missing-mask", "two.npy", "--out", "d.png",
                     says=["two.npy", "2 masks"])  # fmt: skip
        self.save("all.npy", np.ones((1, *self.clean.shape), bool))
        self.refused(3, "denoise", "n.png", "--missing-mask", "all.npy", "--out", "d.png",
                     says=["n.png", "missing"])  # fmt: skip

    def test_nan(self):
        self.save("n.npy", np.where(self.holes, np.nan, self.clean / 255)[None], "f4")
        self.refused(3, "denoise", "n.npy", "--patch", 8, "--out", "c.npy", says=["--missing nan"])
        self.denoise("n.npy", "--patch", 8, "--missing", "nan", out="c.npy")
        result = self.load("c.npy")[0]
        self.assertTrue(np.isfinite(result).all())
        self.assertGreater(psnr(self.clean / 255, result), 26)

    def test_colour_with_a_mask(self):
        colour = scene(channels=3)
        Image.fromarray(np.where(self.holes[..., None], 0, colour).astype("u1")).save(
            self.path("k.png"))  # fmt: skip
        Image.fromarray(self.mask).save(self.path("mask.png"))
        self.denoise("k.png", "--missing-mask", "mask.png")
        self.assertGreater(psnr(colour, read(self.path("c.png")), 255), 24)


class Panels(Photos):
    def test_one_and_many(self):
        self.path("in").mkdir()
        images = [scene(), scene(40, 50, 3)]
        for i, image in enumerate(images):
            Image.fromarray(spoil(image)[0]).save(self.path(f"in/{i}.png"))
        self.denoise("in", "--patch", 8, "--panel", "p.png", out="out")
        width, height = png_size(self.path("p.png"))
        self.assertGreater(width, 3 * 160)
        self.denoise("in", "--patch", 8, "--panel", "panels/", out="out")
        self.assertEqual(sorted(p.name for p in self.path("panels").iterdir()), ["0.png", "1.png"])
        self.refused(2, "denoise", "in", "--patch", 8, "--out", "o", "--panel", "p.jpg",
                     says=["p.jpg", ".png"])  # fmt: skip
        self.refused(3, "denoise", "in", "--patch", 8, "--out", "o", "--panel", "p.png",
                     says=["p.png", "--force"])  # fmt: skip

    def test_what_is_in_it(self):
        # A saturated red picture must be red in the panel, and its pixels square.
        red = np.zeros((20, 40, 3), np.uint8)
        red[..., 0] = 250
        Image.fromarray(red).save(self.path("n.png"))
        self.denoise("n.png", "--panel", "p.png")
        panel = read(self.path("p.png")).astype(int)
        reddish = (panel[..., 0] > 200) & (panel[..., 1:] < 60).all(-1)
        rows, columns = np.flatnonzero(reddish.any(1)), np.flatnonzero(reddish.any(0))
        self.assertEqual(len(rows), 80)
        self.assertEqual(len(columns), 2 * 160, "before and after, side by side")

    def test_aligned_images_have_panels_too(self):
        V = np.random.default_rng(0).integers(0, 255, (30, 6, 8)).astype(np.uint8)
        self.save("v.npy", V)
        self.denoise("v.npy", "--rank", 3, "--panel", "p.png", out="c.npy")
        self.assertGreater(png_size(self.path("p.png"))[0], 320)
        self.save("flat.npy", V.reshape(30, 48))
        self.refused(2, "denoise", "flat.npy", "--rank", 3, "--panel", "q.png", "--out", "d.npy",
                     says=["--panel"])  # fmt: skip

    def test_reconstruction_excludes_keeping(self):
        Image.fromarray(scene()).save(self.path("n.png"))
        self.denoise("n.png", "--reconstruction")
        self.assertGreater(psnr(scene(), read(self.path("c.png")), 255), 25)
        self.refused(2, "denoise", "n.png", "--reconstruction", "--keep-inliers", "--out", "d.png",
                     says=["--keep-inliers"])  # fmt: skip


class AStandardPicture(Photos):
    def test_is_better_than_median_filters(self):
        try:
            from skimage.data import camera
        except ImportError:
            self.skipTest("scikit-image is not there")
        from scipy.ndimage import median_filter

        clean = camera()
        noisy, _ = spoil(clean)
        Image.fromarray(noisy).save(self.path("n.png"))
        self.denoise("n.png")
        ours = psnr(clean, read(self.path("c.png")), 255)
        medians = [psnr(clean, median_filter(noisy, n), 255) for n in (3, 5)]
        self.assertGreater(ours, max(medians) + 2, medians)


if __name__ == "__main__":
    unittest.main()
