"""Videos with known masks, and everyone who finds masks in them."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import h5py
import numpy as np

from harness.contenders import peer_environment
from harness.process import measured

SEQUENCES = ("watersurface", "bootstrap", "canoe", "fountain02")
FOREGROUND, BACKGROUND = (255,), (0, 50)  # labels; others are left out
STREET = "street"  # the generated one
RANK = 5
DIFFERENCE = 25  # gray levels from the background that count, where a method has no rule itself


@dataclass(frozen=True)
class Scene:
    name: str
    frames: Path  # uint8, (frames, height, width)
    labels: np.ndarray
    labelled: np.ndarray  # the frames that the labels are of

    @property
    def frame_count(self):
        return len(np.load(self.frames, mmap_mode="r"))

    @property
    def shown_frame(self):
        """The one with most foreground, for pictures."""
        covered = [np.sum(label == FOREGROUND[0]) for label in self.labels]
        return int(self.labelled[int(np.argmax(covered))])

    def shown(self):
        number = self.shown_frame
        label = self.labels[list(self.labelled).index(number)]
        return np.load(self.frames, mmap_mode="r")[number], label


def scenes(bench):
    """Those of the shared data that are there, and a generated street."""
    folder = bench.data.folder_given
    for name in () if bench.quick else SEQUENCES:
        frames = folder / f"{name}.npy"
        if frames.exists():
            yield Scene(name, frames, np.load(folder / f"{name}_masks.npy"),
                        np.load(folder / f"{name}_mask_frames.npy"))
    yield street(bench)


def street(bench):
    made, masks, frames = (bench.folder / f"street{kind}.npy" for kind in ("", "-masks", "-8bit"))
    size = ["--height", 24, "--width", 32, "--frames", 60] if bench.quick else []
    bench.program.call("generate", "video", "--out", made, "--masks", masks, *size)
    np.save(frames, np.rint(np.load(made) * 255).astype("u1"))
    labels = np.load(masks)
    return Scene(STREET, frames, labels, np.arange(len(labels)))


def judged(scene, masks):
    """F and PBC, counted over all labelled frames together, as CDnet does."""
    found = np.asarray(masks)[scene.labelled] > 0
    true, false = np.isin(scene.labels, FOREGROUND), np.isin(scene.labels, BACKGROUND)
    hits, wrong, missed, right = (int(np.sum(x)) for x in (
        found & true, found & false, ~found & true, ~found & false))
    return {"f": 2 * hits / max(2 * hits + wrong + missed, 1),
            "precision": hits / max(hits + wrong, 1), "recall": hits / max(hits + missed, 1),
            "pbc": 100 * (wrong + missed) / max(hits + wrong + missed + right, 1)}


@dataclass(frozen=True)
class Finder:
    name: str
    run: Callable  # (bench, scene) → (masks, seconds)
    needs: str = ""

    @property
    def installed(self):
        return not self.needs or find_spec(self.needs) is not None


def separate(bench, scene):
    masks = bench.folder / "masks.npy"
    done = measured([bench.program.path, "separate", scene.frames, "--mask", masks, "--threads",
                     bench.threads, "--json", "--quiet", "--force"])
    return np.load(masks), json.loads(done.output)["seconds"]["separate"]


def subtractor(method, clean):
    def run(bench, scene):
        job = {"method": method, "clean": clean, "frames": str(scene.frames),
               "masks": str(bench.folder / "masks.npy"), "threads": bench.threads}
        done = measured([sys.executable, "-B", "-m", "harness.background", json.dumps(job)],
                        env=peer_environment(bench.threads))
        return np.load(job["masks"]), json.loads(done.output)["seconds"]

    return run


def factorization(algorithm):
    """One pass to learn, a second one to find the codes; the masks as of the temporal median."""

    def run(bench, scene):
        from harness.background import cleaned, differences

        flat, codes = bench.folder / "flat.npy", bench.folder / "codes.npy"
        frames = np.load(scene.frames)
        np.save(flat, frames.reshape(len(frames), -1))
        fit = bench.program.fit(flat, RANK, "--algorithm", algorithm, "--normalize", "none")
        encode = measured([bench.program.path, "encode", bench.folder / "model.h5", flat, "--codes",
                           codes, "--threads", bench.threads, "--json", "--quiet", "--force"])
        with h5py.File(bench.folder / "model.h5") as file:
            background = (np.load(codes) @ file["W"][()]).reshape(frames.shape)
        masks = [cleaned(differences(*pair)) for pair in zip(frames, background)]
        return masks, fit.seconds["total"] + json.loads(encode.output)["seconds"]

    return run


OURS = "tamis separate"
FINDERS = (
    Finder(OURS, separate),
    Finder("MOG2", subtractor("MOG2", False), "cv2"),
    Finder("MOG2, no shadows, cleaned up", subtractor("MOG2", True), "cv2"),
    Finder("KNN", subtractor("KNN", False), "cv2"),
    Finder("KNN, no shadows, cleaned up", subtractor("KNN", True), "cv2"),
    Finder("temporal median, cleaned up", subtractor("median", True), "cv2"),
    *(Finder(f"{name}, cleaned up", factorization(name), "cv2")
      for name in ("fast", "opgd", "oadmm", "orpca", "onmf")),
)
