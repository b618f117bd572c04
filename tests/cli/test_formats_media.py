"""Images and videos through the program, checked with Pillow and ffmpeg."""

import json
import os
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

SIZE = (24, 32)  # height, width


def tamis(*arguments, cwd=None, **options):
    return subprocess.run(
        [os.environ["TAMIS_BINARY"], *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, **options,
    )


def ffmpeg(*arguments, cwd=None):
    result = subprocess.run(
        ["ffmpeg", "-y", "-v", "error", *map(str, arguments)], cwd=cwd, capture_output=True
    )
    if result.returncode != 0:
        raise RuntimeError(result.stderr.decode())
    return result.stdout


def pictures(n=20, channels=0, seed=0):
    """Nonnegative pictures of rank 2, in gray levels."""
    random = np.random.default_rng(seed)
    shape = SIZE + ((channels,) if channels else ())
    atoms = random.uniform(0, 1, (2, int(np.prod(shape))))
    codes = random.uniform(0.1, 1, (n, 2))
    return (codes @ atoms * 120).round().astype("u1").reshape((n,) + shape)


def frames_of(video, pixel_format="gray", channels=1):
    """All frames, decoded by ffmpeg."""
    raw = ffmpeg("-i", video, "-f", "rawvideo", "-pix_fmt", pixel_format, "-")
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
         "stream=width,height,r_frame_rate", "-of", "json", str(video)],
        capture_output=True, check=True,
    )
    stream = json.loads(probe.stdout)["streams"][0]
    shape = (-1, stream["height"], stream["width"]) + ((channels,) if channels > 1 else ())
    return np.frombuffer(raw, "u1").reshape(shape), stream["r_frame_rate"]


class Media(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def save(self, images, name):
        """Images under names like i0.png, i1.png, …, i10.png."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        for number, image in enumerate(images):
            Image.fromarray(image).save(str(path).format(number))

    def run_ok(self, *arguments):
        result = tamis(*arguments, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refused(self, *arguments, **options):
        """One line on standard error, and nothing of the libraries'."""
        result = tamis(*arguments, cwd=self.folder, **options)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("tamis: "), result.stderr)
        return result.stderr

    def reconstruct(self, source, target, *flags):
        """What went in comes out, if the rank is large enough: a copy through the program."""
        self.run_ok("denoise", source, "--out", target, "--rank", 5, "--threshold", 1e6,
                    "--quiet", *flags)


class Images(Media):
    def test_each_kind_comes_out_as_it_went_in(self):
        images = pictures()
        for ending, tolerance in (("png", 0), ("pgm", 0), ("tif", 0), ("bmp", 0), ("jpg", 3)):
            with self.subTest(ending):
                self.save(images, f"{ending}/i{{}}.{ending}")
                self.reconstruct(ending, f"{ending}-out")
                written = sorted(os.listdir(self.folder / f"{ending}-out"))
                self.assertEqual(written, sorted(f"i{n}.{ending}" for n in range(20)))
                for n in range(20):
                    before = np.asarray(Image.open(self.folder / ending / f"i{n}.{ending}"))
                    after = np.asarray(Image.open(self.folder / f"{ending}-out/i{n}.{ending}"))
                    self.assertEqual(after.shape, SIZE)
                    difference = np.abs(after.astype(int) - before.astype(int)).max()
                    self.assertLessEqual(difference, tolerance)

    def test_sixteen_bits(self):
        images = pictures().astype("u2") * 257 + 5
        self.save(images, "in/i{}.png")
        self.reconstruct("in", "out")
        after = np.asarray(Image.open(self.folder / "out/i3.png")).astype(int)
        self.assertLessEqual(np.abs(after - images[3]).max(), 1)
        self.assertGreater(after.max(), 255)

    def test_colour(self):
        images = pictures(channels=3)
        self.save(images, "in/i{}.png")
        self.reconstruct("in", "colour", "--color")
        after = np.asarray(Image.open(self.folder / "colour/i3.png"))
        np.testing.assert_array_equal(after, images[3])
        self.reconstruct("in", "gray")
        after = np.asarray(Image.open(self.folder / "gray/i3.png")).astype(int)
        gray = images[3] @ [0.299, 0.587, 0.114]
        self.assertLessEqual(np.abs(after - gray).max(), 0.51)

    def test_samples_that_come_again_have_no_names(self):
        images = pictures(4)
        self.save(images, "in/i{}.png")
        self.reconstruct("in", "out", "--repeat", 2, "--limit", 2)
        self.assertEqual(len(os.listdir(self.folder / "out")), 4)
        for n, name in enumerate(sorted(os.listdir(self.folder / "out"))):
            self.assertFalse(name.startswith("i"), name)
            after = np.asarray(Image.open(self.folder / "out" / name))
            np.testing.assert_array_equal(after, images[n % 2])

    def test_text_without_a_last_line_break(self):
        (self.folder / "a.pgm").write_bytes(b"P2\n3 2\n255\n1 2 3\n4 5 6")
        self.reconstruct("a.pgm", "a.npy", "--patch", 1)
        np.testing.assert_array_equal(np.load(self.folder / "a.npy")[0], [[1, 2, 3], [4, 5, 6]])

    def test_pattern_order_and_resize(self):
        images = pictures()
        self.save(images, "in/i{}.png")
        self.reconstruct("in/i1*.png", "copy.npy", "--resize", "16x12")
        copy = np.load(self.folder / "copy.npy")
        self.assertEqual(copy.shape, (11, 12, 16))  # i1, i10, i11, …, i19
        self.assertEqual(copy.dtype, np.uint8)
        order = [1, *range(10, 20)]
        small = images[order].reshape(11, 12, 2, 16, 2).mean((2, 4))
        self.assertLessEqual(np.abs(copy - small).max(), 1)

    def test_fit_writes_outliers_around_middle_gray(self):
        images = pictures(60)
        images[30, 5, 6] = 255
        self.save(images, "in/{}.png")
        self.run_ok("fit", "in", "--rank", 2, "--out", "m.h5", "--epochs", 20, "--quiet")
        self.run_ok("encode", "m.h5", "in", "--outliers", "r", "--quiet")
        outliers = np.asarray(Image.open(self.folder / "r/30.png"))
        self.assertEqual(outliers.shape, SIZE)
        self.assertEqual(np.unravel_index(outliers.argmax(), SIZE), (5, 6))
        self.assertEqual(np.median(outliers), 128)

    def test_broken_images_are_named(self):
        self.save(pictures(), "in/i{}.png")
        for name in ("cut.png", "cut.jpg", "cut.tif", "cut.pgm"):
            Image.fromarray(pictures()[0]).save(self.folder / name)
            data = (self.folder / name).read_bytes()
            (self.folder / name).write_bytes(data[: len(data) * 3 // 4])
            self.assertIn(name, self.refused("fit", name, "--rank", 2, "--out", "m.h5"))
        data = (self.folder / "in/i7.png").read_bytes()
        (self.folder / "in/i7.png").write_bytes(data[:-30])
        self.assertIn("i7.png", self.refused("fit", "in", "--rank", 2, "--out", "m.h5"))
        Image.fromarray(pictures()[0][:20]).save(self.folder / "in/i7.png")
        message = self.refused("fit", "in", "--rank", 2, "--out", "m.h5")
        for part in ("i7.png", "32x20", "i0.png", "32x24", "--resize"):
            self.assertIn(part, message)
        (self.folder / "none").mkdir()
        self.assertIn("none: no images in it",
                      self.refused("fit", "none", "--rank", 2, "--out", "m.h5"))
        self.assertFalse((self.folder / "m.h5").exists())

    def test_codes_are_no_images(self):
        self.save(pictures(), "in/i{}.png")
        message = self.refused("fit", "in", "--rank", 2, "--out", "m.h5", "--codes", "h")
        self.assertIn(".npy", message)


class Videos(Media):
    def make(self, name, images, *codec):
        self.save(images, "frames/{}.png")
        ffmpeg("-framerate", 10, "-i", "frames/%d.png", *codec, name, cwd=self.folder)

    def test_read_as_ffmpeg_reads(self):
        images = pictures(30, channels=3)
        for name, codec in (("h264.mp4", []), ("mpeg4.avi", ["-c:v", "mpeg4"]),
                            ("ffv1.mkv", ["-c:v", "ffv1"]), ("vp8.webm", [])):
            with self.subTest(name):
                self.make(name, images, *codec)
                self.reconstruct(name, f"{name}.npy", "--color")
                seen = np.load(self.folder / f"{name}.npy").astype(int)
                truth, _ = frames_of(self.folder / name, "rgb24", 3)
                self.assertEqual(seen.shape, truth.shape)
                self.assertLessEqual(np.abs(seen - truth).mean(), 2)

    def test_written_as_ffmpeg_reads(self):
        ramp = np.linspace(20, 200, SIZE[0] * SIZE[1]).reshape(SIZE)
        images = np.array([np.roll(ramp, 3 * n, 1) for n in range(12)]).round().astype("u1")
        np.save(self.folder / "in.npy", images)
        for name, tolerance in (("x.mkv", 1.5), ("x.mp4", 6), ("x.avi", 6)):
            with self.subTest(name):
                self.reconstruct("in.npy", name)
                seen, rate = frames_of(self.folder / name)
                self.assertEqual(seen.shape, images.shape)
                self.assertEqual(rate, "25/1")
                self.assertLessEqual(np.abs(seen.astype(int) - images).mean(), tolerance)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "x.avi", "x.mkv", "x.mp4"])

    def test_keeps_the_frame_rate(self):
        self.make("in.mkv", pictures(10), "-c:v", "ffv1")
        self.reconstruct("in.mkv", "out.mp4")
        self.assertEqual(frames_of(self.folder / "out.mp4")[1], "10/1")

    def test_broken_videos_are_named(self):
        (self.folder / "text.mp4").write_text("not a video")
        (self.folder / "empty.avi").write_text("")
        self.make("cut.mp4", pictures(30))
        data = (self.folder / "cut.mp4").read_bytes()
        (self.folder / "cut.mp4").write_bytes(data[: len(data) // 2])
        for name in ("text.mp4", "empty.avi", "cut.mp4", "absent.mkv"):
            self.assertIn(name, self.refused("fit", name, "--rank", 2, "--out", "m.h5"))

    def test_a_full_disk_is_noticed(self):
        random = np.random.default_rng(0).integers(0, 255, (200, 64, 64)).astype("u1")
        np.save(self.folder / "in.npy", random)
        limit = 100_000

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        for name in ("x.mp4", "x.avi", "x.mkv"):
            with self.subTest(name):
                self.refused("denoise", "in.npy", "--rank", 2, "--threshold", 1e6, "--out", name,
                             "--quiet", preexec_fn=small_files, restore_signals=False)
                self.assertEqual(os.listdir(self.folder), ["in.npy"])


if __name__ == "__main__":
    unittest.main()
