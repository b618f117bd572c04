"""The data sets: made by tamis from the faces, from a generator or as a video, when first wanted."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

FACES = "cbcl_faces.npy"
FACES_SHAPE = (2429, 361)
SETTINGS = {1: (0.7, 0.1), 2: (0.8, 0.2), 3: (0.9, 0.3)}  # shares of samples, of their entries
VIDEO_BLOCK = 16  # frames that are converted at a time


@dataclass(frozen=True)
class DataSet:
    """Files with one sample per row; float32 in [0, 1]."""

    noisy: Path
    clean: Path
    frames: Path | None = None  # the same as noisy in 8 bits, for tamis

    @property
    def shape(self):
        return np.load(self.noisy, mmap_mode="r").shape

    @property
    def for_tamis(self):
        return self.frames or self.noisy


class Data:
    def __init__(self, program, folder, faces, quick):
        self.program = program
        self.folder = folder
        self.folder_given = faces  # of data sets that are not made here
        self.faces_file = faces / FACES
        self.quick = quick

    @property
    def has_faces(self):
        return self.faces_file.exists()

    def cbcl(self, repeat, setting):
        """The faces: each scaled to unit maximum, replicated, shuffled, then spoiled."""
        nu, nu_tilde = SETTINGS[setting]
        repeat = 1 if self.quick else repeat
        name = f"cbcl-{repeat}-{setting}"
        return self._made(name, "corrupt", self._faces(), "--normalize", "max", "--repeat", repeat,
                          "--shuffle", "--nu", nu, "--nu-tilde", nu_tilde)

    def synthetic(self, samples, features=400):
        """The study's set; its other numbers are tamis's defaults."""
        return self._made(f"synthetic-{samples}-{features}", "synthetic", "--samples", samples,
                          "--features", features)

    def video(self, width, height, frames):
        """8 bits per pixel, as cameras give them; the float file has exactly the same values."""
        name = f"video-{width}x{height}-{frames}"
        flat, clean, eight_bit = (self.folder / f"{name}-{kind}.npy"
                                  for kind in ("flat", "clean", "8bit"))
        if not eight_bit.exists():
            made = self._made(name, "video", "--width", width, "--height", height, "--frames",
                              frames)
            to_8_bits(np.load(made.noisy, mmap_mode="r"), eight_bit, flat)
            made.noisy.unlink()
        return DataSet(flat, clean, eight_bit)

    def _made(self, name, kind, *arguments):
        made = DataSet(self.folder / f"{name}.npy", self.folder / f"{name}-clean.npy")
        if not made.noisy.exists():
            self.program.call("generate", kind, *arguments, "--out", made.noisy, "--clean",
                              made.clean)
        return made

    def _faces(self):
        """The faces as float32; without their file, parts mixed at random, of the same size."""
        faces = self.folder / "faces.npy"
        if not faces.exists():
            if self.has_faces:
                np.save(faces, np.load(self.faces_file).reshape(FACES_SHAPE).astype("f4") / 255)
            else:
                samples, features = FACES_SHAPE
                self.program.call("generate", "synthetic", "--samples", samples, "--features",
                                  features, "--nu", 0, "--noise", 0, "--out", faces)
            if self.quick:
                np.save(faces, np.load(faces)[:100])
        return faces


def to_8_bits(frames, eight_bit, flat):
    """Writes a video with a frame per row, block by block: it may be larger than the memory."""
    shape = (len(frames), frames[0].size)
    integers = np.lib.format.open_memmap(eight_bit, "w+", "u1", shape)
    floats = np.lib.format.open_memmap(flat, "w+", "f4", shape)
    for start in range(0, len(frames), VIDEO_BLOCK):
        block = slice(start, start + VIDEO_BLOCK)
        integers[block] = np.rint(frames[block].reshape(-1, shape[1]) * 255)
        floats[block] = integers[block] / np.float32(255)
