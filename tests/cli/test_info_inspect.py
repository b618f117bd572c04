"""tamis info and tamis inspect: looking at a model."""

import json
import struct
import unittest
import zlib

import numpy as np
from _tamis import ALGORITHMS, Case, Planted, png_size


def read_png(path):
    """The pixels of an 8-bit PNG that is not interlaced, (height, width, channels)."""
    data = path.read_bytes()
    width, height = png_size(path)
    depth, kind, _, _, interlaced = struct.unpack("5B", data[24:29])
    if depth != 8 or interlaced:
        raise ValueError("only 8 bits per channel, not interlaced")
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[kind]
    packed, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), "u1").reshape(height, 1 + width * channels)
    image = np.zeros((height, width * channels), int)
    for y in range(height):
        kind, line = rows[y, 0], rows[y, 1:].astype(int)
        above = image[y - 1] if y > 0 else np.zeros_like(line)
        if kind == 0:
            image[y] = line
        elif kind == 2:
            image[y] = (line + above) % 256
        else:
            for x in range(len(line)):
                left = image[y, x - channels] if x >= channels else 0
                corner = above[x - channels] if x >= channels else 0
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + above[x]) // 2
                else:
                    estimate = left + above[x] - corner
                    guess = min((left, above[x], corner), key=lambda p: abs(estimate - p))
                image[y, x] = (line[x] + guess) % 256
    return image.reshape(height, width, channels)


class Info(Case):
    def test_tells_what_is_in_the_file(self):
        self.save("v.npy", Planted().V.reshape(240, 4, 6), "f4")
        for algorithm in ALGORITHMS:
            flags = ["--rank", 4, "--algorithm", algorithm, "--epochs", 2, "--quiet"]
            self.tamis("fit", "v.npy", "--out", "m.h5", "--force", *flags)
            model = self.model()
            info = self.tamis_json("info", "m.h5")
            self.assertEqual(info["file"], "m.h5")
            self.assertEqual(info["precision"], "float")
            self.assertEqual((info["rank"], info["features"]), model["W"].shape)
            self.assertEqual(info["shape"], [4, 6])
            self.assertEqual(info["unit"], model["unit"])
            for name in ["samples", "batches", "position", "reseeded"]:
                self.assertEqual(info[name], model[name], name)
            self.assertEqual(info["epochs"], model["epoch"])
            self.assertEqual(float(info["lambda"]), model["lambda"])
            self.assertEqual(info["sigma"], model["sigma"])
            self.assertEqual(info["settings"], model["settings"])

            W, A, B = model["W"].astype("f8"), model["A"], model["B"]
            surrogate = np.sum(W @ W.T * A) / 2 - np.sum(W * B) + model["c"]
            if algorithm == "orpca":  # λ₁/(2t)‖W‖², λ₁ = 1/√F
                surrogate += np.sum(W**2) / W.shape[1] ** 0.5 / model["samples"] / 2
            self.assertAlmostEqual(info["objective"], surrogate, places=6)
            usage = np.diag(A) * (W**2).sum(axis=1)
            np.testing.assert_allclose(info["usage"], usage / usage.sum(), rtol=1e-5)
            F = W.shape[1]
            norms = np.abs(W).sum(axis=1) / np.sqrt((W**2).sum(axis=1))
            hoyer = np.mean((np.sqrt(F) - norms) / (np.sqrt(F) - 1))
            self.assertAlmostEqual(info["hoyer_sparsity"], hoyer, places=4)

    def test_in_words(self):
        self.save("v.npy", np.round(Planted().V.clip(0, 1) * 255).reshape(240, 4, 6), "u1")
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        result = self.tamis("info", "m.h5")
        self.assertEqual(result.err, "")
        words = ["m.h5", "4 atoms of 24 features", "4x6", "float", "255", "fast", "ball",
                 "240 samples", "4 mini-batches", "objective", "sparsity", "usage"]  # fmt: skip
        for word in words:
            self.assertIn(word, result.out)
        gray = float(self.model()["lambda"]) * 255  # in the units of the input
        self.assertIn(f"{gray:.4g}", result.out)

    def test_of_other_models(self):
        self.save("v.npy", Planted().V, "f4")
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--lambda", "inf", "--precision", "double"
        )
        result = self.tamis("info", "m.h5", "--json")
        info = json.loads(result.out)
        self.assertEqual((info["lambda"], info["precision"]), ("inf", "double"))
        text = self.tamis("info", "m.h5").out
        self.assertIn("double", text)
        self.assertIn("off", text)

    def test_does_not_change_the_model(self):
        self.save("v.npy", Planted().V, "f4")
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.path("m.h5").chmod(0o400)
        before = self.listing()
        self.tamis("info", "m.h5")
        self.assertEqual(self.listing(), before)

    def test_agrees_with_what_fit_said(self):
        self.save("v.npy", Planted().V, "f4")
        fit = self.tamis_json("fit", "v.npy", "--rank", 4, "--out", "m.h5")
        info = self.tamis_json("info", "m.h5")
        for name in ["objective", "lambda", "sigma", "samples", "batches", "epochs", "settings"]:
            self.assertEqual(fit[name], info[name], name)


class Inspect(Case):
    def fit(self, shape, rank=4, type="f4", **planted):
        features = int(np.prod(shape))
        V = Planted(features=features, rank=rank, **planted).V
        V = np.round(V.clip(0, 1) * 255) if type == "u1" else V
        self.save("v.npy", V.reshape(240, *shape), type)
        self.tamis(
            "fit", "v.npy", "--rank", rank, "--out", "m.h5", "--force", "--quiet", "--epochs", 5
        )

    def inspect(self, *flags):
        self.tamis("inspect", "m.h5", "--basis", "b.png", "--force", *flags)
        return png_size(self.path("b.png"))

    def test_draws_the_atoms(self):
        self.fit((16, 12))
        result = self.tamis("inspect", "m.h5", "--basis", "b.png")
        self.assertEqual(result.out, "")
        self.assertIn("b.png", result.err)
        image = read_png(self.path("b.png"))
        self.assertEqual(image.shape[2], 3)
        # The darkest pixel of every atom is as dark as ink, and there is paper around.
        self.assertGreater(image.max(), 240)
        self.assertLess(image.min(), 80)

    def test_the_atoms_are_where_they_should_be(self):
        # Parts of the planted atoms are disjoint, so a tile is dark where its atom is.
        self.fit((16, 12), samples=240)
        self.inspect("--columns", 4, "--unsorted")
        image = read_png(self.path("b.png")).mean(axis=2)
        W = self.model()["W"].reshape(4, 16, 12)
        scale = 6  # 72 pixels for the shorter side
        found = []
        for atom in W:
            tile = 255 * (1 - np.kron(atom / atom.max(), np.ones((scale, scale))))
            found.append(self.places(image, tile))
        self.assertEqual(found, sorted(found))  # from left to right, all in one row
        self.assertEqual(len(set(y for _, y in found)), 1)

    def places(self, image, tile):
        """Where a tile is in the picture, to the pixel, as (x, y)."""
        height, width = tile.shape
        best, where = np.inf, None
        rough = tile[::12, ::12]
        for y in range(image.shape[0] - height):
            for x in range(image.shape[1] - width):
                error = np.abs(image[y : y + height : 12, x : x + width : 12] - rough).mean()
                if error < best:
                    best, where = error, (x, y)
        self.assertLess(best, 40, "the tile is nowhere")
        return where

    def test_shape_decides_the_aspect(self):
        self.fit((24,))
        for shape, wide in [("4x6", 6 / 4), ("6x4", 4 / 6), ("2x12", 6), ("12x2", 1 / 6)]:
            self.inspect("--shape", shape, "--columns", 1)
            one = png_size(self.path("b.png"))
            self.inspect("--shape", shape, "--columns", 2)
            two = png_size(self.path("b.png"))
            self.assertLess(two[1], one[1])  # fewer rows
            rows_differ = (one[1] - two[1]) / 2  # the height of two rows, less what is between
            height, width = map(int, shape.split("x"))
            scale = -(-72 // min(height, width))
            self.assertGreaterEqual(rows_differ, height * scale)
            self.assertLess(rows_differ, height * scale + 60)
            self.assertGreaterEqual(two[0], 2 * width * scale)

    def test_wrong_shapes(self):
        self.fit((24,))
        # The last one is 2⁶⁴ + 24 pixels.
        for shape in ["5x5", "4x7", "24", "x", "4x6x1", "-4x-6", "4X6 ", "0x24", "abc", "4x",
                      "99999999999x99999999999", "24x99999999999999999999",
                      "8x2305843009213693955"]:  # fmt: skip
            arguments = ["inspect", "m.h5", "--basis", "b.png", f"--shape={shape}"]
            with self.subTest(shape):
                self.refused(2, *arguments, says=["--shape", "24"])

    def test_atoms_of_any_sign(self):
        self.save("v.npy", Planted(features=192).V.reshape(240, 16, 12) - 0.2, "f4")
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--algorithm", "orpca", "--allow-negative", "--epochs", 5,
            "--out", "m.h5", "--quiet"
        )  # fmt: skip
        self.assertLess(self.model()["W"].min(), 0)
        self.inspect()
        image = read_png(self.path("b.png"))
        red, blue = image[:, :, 0] - image[:, :, 2] > 100, image[:, :, 2] - image[:, :, 0] > 100
        self.assertGreater(red.mean(), 0.01)
        self.assertGreater(blue.mean(), 0.001)

    def test_colour(self):
        self.fit((8, 8, 3), type="u1")
        object = self.tamis_json("inspect", "m.h5", "--basis", "b.png")
        self.assertEqual(object["shape"], [8, 8, 3])
        image = read_png(self.path("b.png"))
        colourful = (image.max(axis=2) - image.min(axis=2) > 30).mean()
        self.assertGreater(colourful, 0.02)

    def test_red_is_red(self):
        V = np.zeros((240, 8, 8, 3))
        V[..., 0] = np.random.default_rng(0).uniform(0.5, 1, (240, 1, 1))
        self.save("v.npy", V, "f4")
        self.tamis("fit", "v.npy", "--rank", 1, "--out", "m.h5", "--quiet")
        self.inspect()
        image = read_png(self.path("b.png"))
        red = (image[..., 0] > 200) & (image[..., 1] < 60) & (image[..., 2] < 60)
        self.assertGreaterEqual(red.sum(), 72 * 72 * 0.9)

    def test_atoms_that_are_no_images(self):
        self.fit((24,))
        object = self.tamis_json("inspect", "m.h5", "--basis", "b.png")
        self.assertEqual(object["shape"], [1, 24])
        self.fit((3, 2, 4))
        object = self.tamis_json("inspect", "m.h5", "--basis", "b.png", "--force")
        self.assertEqual(object["shape"], [1, 24])
        self.fit((5000,))
        self.inspect()
        self.fit((8,))
        self.inspect()

    def test_order(self):
        self.fit((16, 12))
        usage = self.tamis_json("info", "m.h5")["usage"]
        object = self.tamis_json("inspect", "m.h5", "--basis", "b.png")
        self.assertEqual(object["order"], sorted(range(4), key=lambda k: -usage[k]))
        object = self.tamis_json("inspect", "m.h5", "--basis", "b.png", "--force", "--unsorted")
        self.assertEqual(object["order"], [0, 1, 2, 3])

    def test_one_atom_and_many(self):
        self.fit((16, 12), rank=1)
        self.inspect()
        self.fit((16, 12), rank=49)
        width, height = self.inspect()
        self.assertLess(max(width, height) / min(width, height), 3)  # about square
        self.inspect("--columns", 1000)

    def test_is_repeatable(self):
        self.fit((16, 12))
        self.inspect()
        first = self.path("b.png").read_bytes()
        self.inspect()
        self.assertEqual(self.path("b.png").read_bytes(), first)

    def test_existing_pictures(self):
        self.fit((16, 12))
        self.path("b.png").write_text("precious")
        self.refused(3, "inspect", "m.h5", "--basis", "b.png", says=["b.png", "--force"])
        self.inspect()


if __name__ == "__main__":
    unittest.main()
