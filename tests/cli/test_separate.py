"""tamis separate: videos split into background and what moves."""

import json
import os
import signal
import subprocess
import unittest
from pathlib import Path

import numpy as np
from _tamis import Case, png_size


def scene(frames=70, height=60, width=81, box=12, seed=0):
    """A box that crosses a textured wall; frames and its masks, as bytes."""
    random = np.random.default_rng(seed)
    wall = random.uniform(60, 160, (height, width))
    video = np.repeat(wall[None], frames, 0)
    masks = np.zeros(video.shape, "u1")
    for t in range(frames):
        x = (3 * t) % (width + 2 * box) - box
        masks[t, 20 : 20 + 2 * box, max(x, 0) : max(x + box, 0)] = 255
    video[masks > 0] = 230
    return np.clip(video + random.normal(0, 2, video.shape), 0, 255).round().astype("u1"), masks


def f_measure(found, true):
    found, true = found > 127, true > 127
    return 2 * np.sum(found & true) / (np.sum(found) + np.sum(true))


class Separate(Case):
    def setUp(self):
        super().setUp()
        self.video, self.masks = scene()
        np.save(self.folder / "in.npy", self.video)

    def separate(self, *arguments):
        return json.loads(self.tamis("separate", *arguments, "--json", "--quiet").out)

    def test_arrays(self):
        report = self.separate(
            "in.npy", "--mask", "m.npy", "--background", "b.npy", "--foreground", "f.npy"
        )
        mask, background, foreground = (np.load(self.folder / f"{x}.npy") for x in "mbf")
        self.assertEqual((report["status"], report["frames"]), ("completed", 70))
        self.assertEqual((report["width"], report["height"]), (81, 60))
        self.assertEqual(report["restarts"], [])
        for array in mask, background, foreground:
            self.assertEqual((array.shape, array.dtype), (self.video.shape, np.uint8))
        self.assertEqual(set(np.unique(mask)), {0, 255})
        self.assertGreater(f_measure(mask, self.masks), 0.9)
        np.testing.assert_array_equal(foreground, np.where(mask > 0, self.video, 0))
        behind = np.median(self.video, 0)
        self.assertLess(np.mean(np.abs(background[-1] - behind)), 2)

    def test_the_same_whatever_the_threads(self):
        for threads in "1", "2":
            self.separate("in.npy", "--mask", f"{threads}.npy", "--threads", threads)
        self.assertEqual(*((self.folder / f"{n}.npy").read_bytes() for n in "12"))

    def test_generated(self):
        self.separate("video:", "--mask", "m.npy")
        self.tamis("generate", "video", "--out", "v.npy", "--masks", "t.npy")
        masks = [np.load(self.folder / name) for name in ("m.npy", "t.npy")]
        self.assertGreater(f_measure(*masks), 0.9)

    def test_videos_and_back(self):
        """An odd width is filled up, as codecs want it."""
        for ending in "mp4", "avi", "mkv":
            names = [f"{x}.{ending}" for x in ("m", "b", "p")]
            self.separate("in.npy", "--mask", names[0], "--background", names[1], "--panel", names[2])
            again = self.separate(names[0], "--mask", f"{ending}.npy", "--mask-rule", "outlier")
            self.assertEqual((again["frames"], again["width"], again["height"]), (70, 82, 60))
            again = self.separate(names[1], "--background", f"b-{ending}.npy")
            back = np.load(self.folder / f"b-{ending}.npy")[-1, :, :81]
            self.assertLess(np.mean(np.abs(back - np.median(self.video, 0))), 6)
        panel = self.separate("p.mkv", "--limit", 2)
        self.assertGreater(panel["width"], 4 * panel["height"] // 2)

    def test_rate_is_kept(self):
        from_video = self.folder / "in.mkv"
        self.separate("in.npy", "--foreground", from_video)
        self.separate(from_video, "--mask", "m.mp4")
        self.assertEqual(self.separate("m.mp4")["frames"], 70)

    def test_refuses_what_is_no_number(self):
        frames = self.video[:9] / 255
        frames[4, 3, 2] = np.nan
        np.save(self.folder / "nan.npy", frames)
        self.refused(3, "separate", "nan.npy", "--mask", "m.npy", says=["nan.npy", "frame 4"])

    def test_folders_keep_names(self):
        self.separate("in.npy", "--foreground", "frames", "--limit", 5)
        (self.folder / "frames/000003.png").rename(self.folder / "frames/last.png")
        self.separate("frames", "--mask", "masks")
        names = sorted(path.name for path in (self.folder / "masks").iterdir())
        self.assertEqual(names, ["000000.png", "000001.png", "000002.png", "000004.png", "last.png"])
        self.assertEqual(png_size(self.folder / "masks/last.png"), (81, 60))

    def test_frames_of_changing_size(self):
        self.separate("in.npy", "--background", "frames", "--limit", 6)
        np.save(self.folder / "small.npy", scene(3, 40, 50)[0])
        self.separate("small.npy", "--background", "more")
        for path in (self.folder / "more").iterdir():
            path.rename(self.folder / f"frames/x{path.name}")
        result = self.tamis("separate", "frames", "--mask", "m.npy", "--panel", "p.mp4")
        self.assertIn("frame 6: frames have another size", result.err)
        self.assertEqual(np.load(self.folder / "m.npy").shape, (9, 60, 81))

    def test_colour(self):
        colour = np.stack([self.video, self.video // 2, 255 - self.video], -1)
        np.save(self.folder / "c.npy", colour)
        report = self.separate("c.npy", "--color", "--mask", "m.npy", "--background", "b.npy")
        self.assertEqual(report["frames"], 70)
        self.assertEqual(np.load(self.folder / "b.npy").shape, colour.shape)
        self.assertGreater(f_measure(np.load(self.folder / "m.npy"), self.masks), 0.9)
        background = np.load(self.folder / "b.npy")[-1].astype(int)
        self.assertLess(np.mean(np.abs(background - np.median(colour, 0))), 3)  # red is first
        self.separate("c.npy", "--mask", "g.npy")
        self.assertEqual(np.load(self.folder / "g.npy").shape, self.video.shape)

    def test_cut_is_told(self):
        np.save(self.folder / "cut.npy", np.concatenate([self.video, 255 - self.video[:, ::-1]]))
        result = self.tamis("separate", "cut.npy", "--mask", "m.npy")
        self.assertIn("frame 70: another scene", result.err)
        report = self.separate("cut.npy", "--cut", 1)
        self.assertEqual(report["restarts"], [])

    def test_live(self):
        self.separate("in.npy", "--live", "--mask", "m.npy")
        mask = np.load(self.folder / "m.npy")
        self.assertEqual(len(mask), 70)
        self.assertGreater(f_measure(mask[20:], self.masks[20:]), 0.8)

    def test_one_frame(self):
        np.save(self.folder / "one.npy", self.video[:1])
        self.separate("one.npy", "--mask", "m.npy", "--panel", "p.png")
        self.assertEqual(np.load(self.folder / "m.npy").max(), 0)


class Sequences(Case):
    """Real videos with known masks, all with the default settings."""

    TARGETS = {"watersurface": 0.92, "bootstrap": 0.68, "canoe": 0.91, "fountain02": 0.94}

    def f_of_labelled(self, name, folder):
        """By the protocol of CDnet: labels counted over all frames together, some left out."""
        self.tamis("separate", folder / f"{name}.npy", "--mask", f"{name}.npy", "--quiet")
        labels = np.load(folder / f"{name}_masks.npy")
        found = np.load(self.folder / f"{name}.npy")[np.load(folder / f"{name}_mask_frames.npy")]
        judged = np.isin(labels, (0, 50, 255))
        return f_measure(found[judged], labels[judged])

    def test_targets(self):
        folder = Path(os.environ.get("TAMIS_SHARED_DATA", "absent"))
        for name, target in self.TARGETS.items():
            if not (folder / f"{name}_masks.npy").exists():
                self.skipTest(f"{name}_masks.npy is not there")
            with self.subTest(name):
                self.assertGreaterEqual(self.f_of_labelled(name, folder), target)


class Refused(Case):
    def fails(self, code, *arguments, mentions=""):
        result = self.run_tamis("separate", *arguments)
        self.assertEqual(result.code, code, result)
        self.assertIn(mentions, result.err)
        self.assertNotIn("Traceback", result.err)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if p.name.startswith("out")), [])

    def test_nothing_to_see(self):
        np.save(self.folder / "none.npy", np.zeros((0, 8, 8), "u1"))
        self.fails(3, "none.npy", "--mask", "out.npy", mentions="none.npy")
        (self.folder / "empty.mp4").write_bytes(b"")
        self.fails(3, "empty.mp4", "--mask", "out.mp4", mentions="empty")
        self.fails(3, "absent.mp4", "--mask", "out.mp4", mentions="absent.mp4")
        np.save(self.folder / "flat.npy", np.zeros((5, 64), "u1"))
        self.fails(3, "flat.npy", "--mask", "out.npy", mentions="height, width")
        np.save(self.folder / "large.npy", np.full((5, 8, 8), 200.0))
        self.fails(3, "large.npy", "--mask", "out.npy", mentions="[0, 1]")

    def test_cut_short(self):
        np.save(self.folder / "in.npy", scene(40)[0])
        for ending in "mp4", "avi":
            self.tamis("separate", "in.npy", "--background", f"b.{ending}")
            whole = (self.folder / f"b.{ending}").read_bytes()
            (self.folder / f"cut.{ending}").write_bytes(whole[: len(whole) // 2])
        self.fails(3, "cut.mp4", "--mask", "out.npy", mentions="cut short")
        result = json.loads(self.tamis("separate", "cut.avi", "--json", "--quiet").out)
        self.assertLess(result["frames"], 40)

    def test_bad_flags(self):
        np.save(self.folder / "in.npy", scene(4)[0])
        self.fails(2, "in.npy", "--rank", 0, mentions="rank = 0")
        self.fails(2, "in.npy", "--mask-rule", "nose", mentions="noise")
        self.fails(2, "in.npy", "--forget", "decay:3", mentions="gamma")
        self.fails(2, "in.npy", "--mask", "out.npy", "--panel", "out.npy", mentions="twice")
        self.fails(3, "in.npy", "--mask", "out.xyz", mentions="out.xyz")
        (self.folder / "there.npy").write_bytes(b"")
        self.fails(3, "in.npy", "--mask", "there.npy", mentions="--force")

    def test_interrupted(self):
        """An array that does not end: nothing is left of it."""
        frame = scene(1)[0]
        process = self.start("separate", "-", "--mask", "out.npy", stdin=subprocess.PIPE)
        header = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little")
        fields = "{'descr': '|u1', 'fortran_order': False, 'shape': (-1, 60, 81), }"
        process.stdin.write(header + fields.encode().ljust(117) + b"\n" + frame.tobytes() * 60)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130, result)
        self.assertFalse((self.folder / "out.npy").exists())


if __name__ == "__main__":
    unittest.main()
