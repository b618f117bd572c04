"""What the tests of `tamis experiment` share: made-up data sets of the right form, running it, reading
what it leaves."""

import csv
import json
import os
from pathlib import Path

import numpy as np

from _tamis import Case

SCALE = 0.04  # of CBCL ×50: every face twice
SHAPE = (12, 10)
EXPERIMENTS = ["convergence", "sensitivity", "basis", "denoising", "shadow", "separation"]
FEW = ("--only", "fast,oadmm,bpgd")  # algorithms, one of each kind
VERDICTS = {"confirmed", "partly confirmed", "not confirmed", "not tested"}
REAL_DATA = Path(os.environ.get("TAMIS_SHARED_DATA", "/nowhere"))


def faces(count=60, seed=0):
    """Mixtures of a few smooth blobs, 8 bits."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    blobs = [np.exp(-((y - random.uniform(0, SHAPE[0])) ** 2
                      + (x - random.uniform(0, SHAPE[1])) ** 2) / 8) for _ in range(8)]
    mixed = np.tensordot(random.uniform(0, 1, (count, 8)) ** 2, blobs, 1)
    return np.rint(40 + 180 * mixed / mixed.max()).astype("u1")


def lights():
    """Azimuth and elevation: frontal ones, some from the side, some beyond."""
    return [(azimuth, elevation) for azimuth in (-80, -50, -20, -10, 0, 10, 20, 50, 80)
            for elevation in (-20, 0, 15, 40)]


def lit_faces(seed=1):
    """A face under each light: brighter on the lit side, a cast shadow when that is from the side."""
    random = np.random.default_rng(seed)
    x = np.linspace(-1, 1, SHAPE[1])[None, :]
    y = np.linspace(-1, 1, SHAPE[0])[:, None]
    face = 0.5 + 0.4 * random.random(SHAPE)
    images = []
    for azimuth, elevation in lights():
        image = face * (0.6 + 0.4 * np.sin(np.radians(azimuth)) * x
                        + 0.2 * np.sin(np.radians(elevation)) * y)
        if azimuth >= 50:
            image[:, : SHAPE[1] // 3] *= 0.1
        images.append(np.rint(255 * image / image.max()))
    return np.array(images).astype("u1")


def scene(count=40, seed=2):
    """A still background with a bright square that wanders."""
    random = np.random.default_rng(seed)
    frames = np.repeat(random.integers(60, 160, (1, *SHAPE)), count, 0)
    frames = frames + random.integers(-3, 4, frames.shape)
    for t, frame in enumerate(frames):
        frame[2:6, t % 8 : t % 8 + 2] = 250
    return frames.astype("u1")


def write_data(folder):
    """Everything that --data looks for, as .npy files."""
    folder.mkdir()
    np.save(folder / "cbcl_faces.npy", faces())
    table = "azimuth_deg,elevation_deg\n" + "".join(f"{a},{e}\n" for a, e in lights())
    for subject in ("02", "08"):
        np.save(folder / f"yaleb_{subject}.npy", lit_faces(int(subject)))
        (folder / f"yaleb_{subject}_light.csv").write_text(table)
    for name in ("hall", "escalator"):
        np.save(folder / f"{name}.npy", scene(seed=len(name)))


class ExperimentCase(Case):
    def experiment(self, name, *arguments, scale=SCALE, data="data", out="out", plots=False):
        """Runs it on the made-up data, which it makes first; it must succeed."""
        return self.tamis(*self.words(name, *arguments, scale=scale, data=data, out=out,
                                      plots=plots))

    def words(self, name, *arguments, scale=SCALE, data="data", out="out", plots=False):
        if data == "data" and not self.path("data").exists():
            write_data(self.path("data"))
        found = ["experiment", name, "--scale", scale, "--out", out, *arguments]
        found += ["--data", data] if data else []
        return found if plots else [*found, "--no-plots"]

    def result(self, name, out="out"):
        return json.loads(self.path(f"{out}/{name}/{name}.json").read_text(encoding="utf-8"))

    def run_files(self, name, out="out"):
        """When each was written, in nanoseconds."""
        return {path.name: path.stat().st_mtime_ns
                for path in sorted(self.path(f"{out}/{name}/runs").iterdir())}

    def table(self, name, file, out="out"):
        with open(self.path(f"{out}/{name}/{file}.csv"), encoding="utf-8", newline="") as lines:
            return list(csv.reader(lines))

    def find(self, result, **wanted):
        """The one run with these fields, its own or of its case."""
        found = [run for run in result["runs"]
                 if all({**run["case"], **run}.get(key) == value for key, value in wanted.items())]
        self.assertEqual(len(found), 1, wanted)
        return found[0]
