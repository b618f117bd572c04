"""A power failure: what has its real name is on the disk, and so is what a checkpoint counts on."""

import os
import unittest

import numpy as np
from _faults import Faulty, in_memory
from _tamis import Planted


class Durable(Faulty):
    place = in_memory()

    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V.reshape(240, 4, 6), "f4")
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        frames = np.random.default_rng(1).integers(0, 256, (40, 32, 32))
        self.save("frames.npy", frames, "u1")
        self.path("out").mkdir()

    def synced(self, changes, name):
        """Was a file flushed after the last change to it?"""
        own = [change[0] for change in changes if change[1] == name]
        last = max((i for i, what in enumerate(own) if what in ["write", "truncate"]), default=-1)
        return any(what in ["fsync", "fdatasync"] for what in own[last + 1 :])

    def check_renames(self, changes):
        """Of everything that gets a name; returns the names."""
        found = []
        for i, change in enumerate(changes):
            if change[0] != "rename":
                continue
            _, temporary, name = change
            before, after = changes[:i], changes[i + 1 :]
            self.assertTrue(self.synced(before, temporary), f"{temporary} may not be on the disk")
            inside = {c[1] for c in before if c[1].startswith(f"{temporary}/")}
            for image in inside:
                self.assertTrue(self.synced(before, image), f"{image} may not be on the disk")
            folder = os.path.dirname(name) or "."
            self.assertIn(("fsync", folder), after, f"the name {name} may not be on the disk")
            found.append(name)
        return found

    def test_outputs(self):
        cases = {
            "model.h5": ["fit", "v.npy", "--rank", 4, "--out", "out/model.h5"],
            "H.npy": ["encode", "m.h5", "v.npy", "--codes", "out/H.npy"],
            "H.csv": ["encode", "m.h5", "v.npy", "--codes", "out/H.csv"],
            "R.mtx": ["encode", "m.h5", "v.npy", "--outliers", "out/R.mtx"],
            "R.h5": ["encode", "m.h5", "v.npy", "--outliers", "out/R.h5:/x"],
            "images": ["denoise", "m.h5", "v.npy", "--out", "out/images"],
            "one.png": ["denoise", "m.h5", "v.npy", "--limit", 1, "--out", "out/one.png"],
            "basis.png": ["inspect", "m.h5", "--basis", "out/basis.png"],
            "b.avi": ["separate", "frames.npy", "--background", "out/b.avi"],
            "b.mkv": ["separate", "frames.npy", "--background", "out/b.mkv"],
            "g.npy": ["generate", "synthetic", "--samples", 50, "--out", "out/g.npy"],
        }
        for name, arguments in cases.items():
            with self.subTest(name):
                changes = self.changes(*arguments, "--quiet")
                self.assertIn(f"out/{name}", self.check_renames(changes))

    def test_replaced_outputs(self):
        for name in ["model.h5", "images"]:
            command = (["fit", "v.npy", "--rank", 4] if name == "model.h5"
                       else ["denoise", "m.h5", "v.npy"])  # fmt: skip
            self.tamis(*command, "--out", f"out/{name}", "--quiet")
            changes = self.changes(*command, "--out", f"out/{name}", "--quiet", "--force")
            self.assertEqual(self.check_renames(changes), [f"out/{name}"])
            self.assertEqual(os.listdir(self.path("out")), [name])
            for path in sorted(self.path("out").rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()

    def test_checkpoints(self):
        """Rows that a checkpoint says were written, in folders of their own."""
        for codes, part in [("H.npy", "H.npy.part"), ("H.csv", "H.csv.part"),
                            ("H.mtx", "H.mtx.part"), ("H.h5", "H.h5.rows.part")]:  # fmt: skip
            with self.subTest(codes):
                changes = self.changes(
                    "fit", "v.npy", "--rank", 4, "--batch-size", 20, "--out", "n.h5", "--force",
                    "--codes", f"out/{codes}", "--checkpoint", "c.h5", "--checkpoint-every", 3,
                    "--quiet")  # fmt: skip
                self.check_renames(changes)
                saved = [i for i, c in enumerate(changes) if c[0] == "rename" and c[-1] == "c.h5"]
                self.assertGreater(len(saved), 3)
                for i in saved:
                    self.assertTrue(self.synced(changes[:i], f"out/{part}"), f"{part} before {i}")
                    self.assertIn(("fsync", "out"), changes[:i], f"the name of {part}")

    def test_checkpoints_of_images(self):
        changes = self.changes(
            "fit", "v.npy", "--rank", 4, "--batch-size", 40, "--out", "n.h5", "--quiet",
            "--outliers", "out/R", "--checkpoint", "c.h5", "--checkpoint-every", 2)  # fmt: skip
        self.check_renames(changes)
        first = next(i for i, c in enumerate(changes) if c[0] == "rename" and c[-1] == "c.h5")
        images = {c[1] for c in changes[:first] if c[1].startswith("out/R.part/")}
        self.assertEqual(len(images), 80)
        for name in [*images, "out/R.part", "out"]:
            self.assertTrue(self.synced(changes[:first], name), name)


if __name__ == "__main__":
    unittest.main()
