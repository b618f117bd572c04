"""tamis relight: cast shadows go, the rest stays."""

import os
import unittest
from pathlib import Path

import numpy as np
from _tamis import Case, png_size
from PIL import Image

SHARED = Path(os.environ.get("TAMIS_SHARED_DATA", "none"))


def bump(pictures=30, side=24):
    """A curved surface under lights from left to right; two of its parts fall into shadow."""
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    lights = np.linspace(-1.2, 1.2, pictures)[:, None, None]
    clean = np.maximum(0.1, 0.6 * np.cos(lights) + 0.3 * x * np.sin(lights) + 0.05 * np.sin(9 * y))
    right = (x > 0.1) & (x < 0.5) & (abs(y) < 0.3)
    dark = ((lights < -0.7) & right) | ((lights > 0.7) & right[:, ::-1])
    clean = np.round(clean * 255)
    return clean, np.where(dark, 0.2 * clean, clean).round(), dark


class Relight(Case):
    def check(self, result, clean, spoiled, dark):
        def error(image):
            return np.abs(image.astype("f8") - clean)[dark].mean()

        self.assertLess(error(result), 0.25 * error(spoiled))
        self.assertLess(np.abs(result.astype("f8") - spoiled)[~dark].mean(), 3)

    def test_arrays(self):
        clean, spoiled, dark = bump()
        for type in ("u1", "f4", "f8"):
            self.save("v.npy", spoiled, type)
            self.tamis("relight", "v.npy", "--out", "c.npy", "--force", "--quiet")
            result = self.load("c.npy")
            self.assertEqual((result.dtype, result.shape), (np.dtype(type), spoiled.shape))
            self.check(result, clean, spoiled, dark)

    def test_a_folder_with_a_panel_for_each(self):
        clean, spoiled, dark = bump()
        self.path("in").mkdir()
        for i, image in enumerate(spoiled):
            Image.fromarray(image.astype(np.uint8)).save(self.path(f"in/face{i}.png"))
        told = self.tamis_json("relight", "in", "--out", "out", "--panel", "panels", "--quiet")
        self.assertEqual((told["samples"], told["rank"]), (30, 5))
        names = [f"face{i}.png" for i in range(30)]
        result = np.stack([np.asarray(Image.open(self.path("out") / name)) for name in names])
        self.check(result, clean, spoiled, dark)
        self.assertEqual({p.name for p in self.path("panels").iterdir()}, set(names))
        width, height = png_size(self.path("panels/face3.png"))
        self.assertGreater(width, 3 * 160)
        self.assertGreater(height, 160)

    def test_colours(self):
        clean, spoiled, dark = bump()
        colours = np.array([1, 0.7, 0.4])
        self.save("v.npy", (spoiled[..., None] * colours).round(), "u1")
        self.tamis("relight", "v.npy", "--out", "c.npy", "--quiet")
        self.check(self.load("c.npy"), clean[..., None] * colours, spoiled[..., None] * colours,
                   np.repeat(dark[..., None], 3, -1))  # fmt: skip

    def test_few_pictures_and_choices(self):
        _, spoiled, _ = bump(3)
        self.save("v.npy", spoiled, "u1")
        told = self.tamis_json("relight", "v.npy", "--out", "c.npy", "--quiet")
        self.assertEqual(told["rank"], 3)
        self.tamis("relight", "v.npy", "--rank", 2, "--reconstruction", "--out", "c.npy", "--force")

    def test_help_tells_its_own_defaults(self):
        for command, flag, default in (
                ("relight", "--rank", "[5]"), ("relight", "--init", "[samples]"),
                ("relight", "--epochs", "[30]"), ("denoise", "--rank", "[10; by patches: 24]"),
                ("denoise", "--tolerance", "[0.0001; by patches: 0.001]"), ("fit", "--rank", "[10]")):
            text = self.tamis(command, "--help").out
            entry = " ".join(text.split(f"  {flag} ")[1].split("\n  --")[0].split())
            self.assertIn(default, entry, command)

    def test_refuses(self):
        self.save("flat.npy", np.ones((4, 20)))
        self.save("empty.npy", np.ones((0, 4, 5)))
        self.save("minus.npy", -np.ones((4, 4, 5)))
        self.save("nan.npy", np.full((4, 4, 5), np.nan))
        self.save("v.npy", bump()[1], "u1")
        self.path("c.npy").write_text("precious")
        for name, words in [("flat.npy", ["pictures"]), ("empty.npy", ["no pictures"]),
                            ("minus.npy", ["negative"]), ("nan.npy", ["--missing nan"]),
                            ("none.npy", [])]:  # fmt: skip
            self.refused(3, "relight", name, "--out", "d.npy", "--quiet", says=[name, *words])
        self.refused(3, "relight", "v.npy", "--out", "c.npy", says=["c.npy", "--force"])
        self.refused(2, "relight", "v.npy", "--out", "d.npy", "--rank", 0, says=["rank"])

    @unittest.skipUnless(SHARED.is_dir(), "the shared data are not there")
    def test_faces(self):
        for subject in ("yaleb_02", "yaleb_08"):
            faces = SHARED / f"{subject}.npy"
            self.tamis("relight", faces, "--out", "c.npy", "--force", "--quiet")
            told = self.tamis_json("evaluate", "shadow", faces, "c.npy")
            self.assertLess(told["shadow_error"], 22)
            self.assertLess(told["lit_change"], 4)


if __name__ == "__main__":
    unittest.main()
