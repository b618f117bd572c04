"""The numbers of experiments, computed again with NumPy from what other commands of the program write."""

import unittest

import numpy as np
from scipy.ndimage import median_filter
from scipy.optimize import nnls

from _experiment import SCALE, SHAPE, ExperimentCase, faces, lights, lit_faces, scene
from _tamis import psnr

SETTINGS = {1: (0.7, 0.1), 2: (0.8, 0.2), 3: (0.9, 0.3)}


def unit_maximum(images):
    rows = images.reshape(len(images), -1).astype("f4") / 255
    return rows / rows.max(1, keepdims=True)


class Numbers(ExperimentCase):
    def samples(self, file, copies, setting=None, seed=0):
        """The stream of an experiment, made by tamis generate: contaminated and clean."""
        nu, nu_tilde = SETTINGS[setting] if setting else (0, 0)
        # As numbers: what is made of bytes is bytes again.
        self.save("images.npy", self.load(f"data/{file}").astype("f4") / np.float32(255))
        self.tamis("generate", "corrupt", "images.npy", "--normalize", "max", "--repeat", copies,
                   "--shuffle", "--nu", nu, "--nu-tilde", nu_tilde, "--seed", seed, "--out", "v.npy",
                   "--clean", "clean.npy", "--force")
        return [self.load(name).reshape(-1, np.prod(SHAPE)) for name in ("v.npy", "clean.npy")]

    def fit(self, run, *flags):
        """The fit of a run, made by tamis fit from the run's settings: codes and dictionary."""
        settings = run["settings"]
        self.tamis("fit", "v.npy", "--rank", settings["rank"], "--algorithm", run["algorithm"],
                   "--normalize", "none", "--seed", run["seed"], "--threads", 1, "--out", "m.h5",
                   "--codes", "h.npy", "--outliers", "r.npy", "--force", *flags)
        fitted = self.model()
        self.assertEqual(fitted["settings"], settings)
        return self.load("h.npy").astype("f8"), fitted["W"].astype("f8")

    def test_psnr(self):
        self.experiment("denoising", "--runs", 2, "--only", "oadmm,bpgd", "--seed", 3)
        for algorithm, flags in {"oadmm": ["--batch-size", 6], "bpgd": []}.items():
            run = self.find(self.result("denoising"), algorithm=algorithm, K=25, setting=2, run=1)
            self.assertEqual(run["seed"], 4)
            noisy, clean = self.samples("cbcl_faces.npy", 2, setting=2, seed=3)
            self.assertEqual(run["samples"], len(noisy))
            codes, atoms = self.fit(run, *flags)
            self.assertAlmostEqual(run["measures"]["psnr"], psnr(clean, codes @ atoms), 3)
            self.assertAlmostEqual(run["measures"]["noisy_psnr"], psnr(clean, noisy), 3)

    def test_fewer_runs_of_batch_algorithms(self):
        self.experiment("denoising", "--runs", 2, "--batch-runs", 1, "--only", "oadmm,bpgd")
        runs = [{**run["case"], **run} for run in self.result("denoising")["runs"]]
        for algorithm, each in {"oadmm": 2, "bpgd": 1}.items():
            cells = [(run["K"], run["setting"]) for run in runs if run["algorithm"] == algorithm]
            self.assertEqual(len(set(cells)), 9)
            self.assertEqual(len(cells), each * len(set(cells)), algorithm)

    def test_denoised_psnr(self):
        self.experiment("denoising", "--runs", 1, "--only", "fast")
        run = self.find(self.result("denoising"), label="fast, own settings", K=25, setting=1)
        _, clean = self.samples("cbcl_faces.npy", 2, setting=1)
        self.fit(run)
        self.tamis("denoise", "m.h5", "v.npy", "--out", "d.npy", "--tolerance", 1e-3,
                   "--iterations", 200)
        denoised = self.load("d.npy").reshape(clean.shape)
        self.assertAlmostEqual(run["measures"]["denoised_psnr"], psnr(clean, denoised), 2)

    def test_objective_against_clean_data(self):
        """f̂ at the end is the PSNR in another form; on the way it is that of the first samples."""
        self.experiment("convergence", "--only", "opgd")
        run = self.find(self.result("convergence"), algorithm="opgd", data="cbcl")
        curve = run["curves"]["clean_objective"]
        expected = -10 * np.log10(2 * curve["value"][-1] / run["features"])
        self.assertAlmostEqual(run["measures"]["psnr"], expected, 4)
        _, clean = self.samples("cbcl_faces.npy", 2, setting=1)
        at = len(curve["value"]) // 2
        seen = curve["samples"][at]
        # The first samples alone give the same dictionary as it was then.
        np.save(self.path("v.npy"), self.load("v.npy")[:seen])
        codes, atoms = self.fit(run, "--batch-size", 6)
        errors = np.sum((clean[:seen] - codes @ atoms) ** 2, 1) / 2
        self.assertAlmostEqual(curve["value"][at], errors.mean(), 4)

    def test_badmm_is_bound_by_a_mean(self):
        """As printed, ρ₃ = 1 beside a sum over N samples; otherwise beside their mean, as in oadmm."""
        self.experiment("convergence", "--only", "badmm")
        found = {}
        for variant in ("study", "literal"):
            run = self.find(self.result("convergence"), algorithm="badmm", data="cbcl", variant=variant)
            found[variant] = run["settings"]["algorithm"]
        self.assertIn("rho1=1,rho2=1,rho3=1,", found["literal"])
        self.assertIn(f"rho1=1,rho2=1,rho3={run['samples']},", found["study"])

    def test_atoms(self):
        self.experiment("basis", "--only", "fast")
        run = self.find(self.result("basis"), label="fast, own settings", K=25)
        self.samples("cbcl_faces.npy", 2, setting=1)
        _, atoms = self.fit(run)
        root = np.sqrt(atoms.shape[1])
        ratio = np.abs(atoms).sum(1) / np.linalg.norm(atoms, axis=1)
        self.assertAlmostEqual(run["measures"]["hoyer"], np.mean((root - ratio) / (root - 1)), 4)
        place = np.stack(np.mgrid[: SHAPE[0], : SHAPE[1]]).reshape(2, -1)

        def spread(energy):
            share = energy / energy.sum()
            return np.sqrt(np.sum(share * (place - (place @ share)[:, None]) ** 2))

        expected = np.mean([spread(w**2) for w in atoms]) / spread(np.ones(atoms.shape[1]))
        self.assertAlmostEqual(run["measures"]["spread"], expected, 4)
        left = [w - median_filter(w.reshape(SHAPE), 3, mode="nearest").ravel() for w in atoms]
        expected = np.mean(np.linalg.norm(left, axis=1) / np.linalg.norm(atoms, axis=1))
        self.assertAlmostEqual(run["measures"]["speckle"], expected, 4)
        self.assertEqual(run["measures"]["negative_share"], 0)

    def last_codes(self, images, stream, codes):
        """Of every image the code that it had when it appeared last."""
        last = [np.flatnonzero(np.abs(stream - image).max(1) < 1e-6)[-1] for image in images]
        return codes[last], last

    def test_shadows(self):
        self.experiment("shadow", "--only", "fast", scale=0.1)
        run = self.find(self.result("shadow"), data="yaleb_02", K=5)
        images = unit_maximum(lit_faces(2))
        stream, _ = self.samples("yaleb_02.npy", 5)
        codes, atoms = self.fit(run, "--init", "samples")
        made = self.last_codes(images, stream, codes)[0] @ atoms
        azimuth, elevation = np.radians(lights()).T
        angle = np.degrees(np.arccos(np.cos(azimuth) * np.cos(elevation)))
        cone = images[angle <= 25].T.astype("f8")
        shadow, before, lit = [], [], []
        for i in np.flatnonzero((angle >= 35) & (angle <= 85)):
            reference = self.robust_fit(cone, images[i].astype("f8"))
            dark = images[i] < 0.5 * reference
            shadow += list(np.abs(made[i] - reference)[dark])
            before += list(np.abs(images[i] - reference)[dark])
            lit += list(np.abs(made[i] - images[i])[~dark])
        for name, values in {"shadow_error": shadow, "shadow_error_input": before,
                             "lit_change": lit}.items():
            self.assertAlmostEqual(run["measures"][name], 255 * np.mean(values), delta=0.3, msg=name)

    def robust_fit(self, cone, image, huber=0.05):
        """The nearest point of a cone in Huber's loss, by weights that are found again and again."""
        weights = np.ones_like(image)
        for _ in range(200):
            root = np.sqrt(weights)
            fitted = cone @ nnls(cone * root[:, None], image * root)[0]
            weights = np.minimum(1, huber / np.maximum(np.abs(image - fitted), 1e-9))
        return fitted

    def test_scenes(self):
        self.experiment("separation", "--only", "fast", scale=0.2)
        run = self.find(self.result("separation"), data="hall", variant="own")
        frames = unit_maximum(scene(seed=len("hall")))
        stream, _ = self.samples("hall.npy", 4)
        codes, atoms = self.fit(run)
        last, places = self.last_codes(frames, stream, codes)
        background = last @ atoms
        foreground = self.load("r.npy").reshape(stream.shape)[places]
        middle = np.sort(frames, 0)[len(frames) // 2]
        difference = frames - middle
        still, moves = np.abs(difference) <= 10 / 255, np.abs(difference) >= 40 / 255
        kept = np.clip(foreground[moves] / difference[moves], 0, 1) * np.abs(difference[moves])
        expected = {"background_brightness": background.mean() / middle.mean(),
                    "background_error": 255 * np.abs(background - middle).mean(),
                    "foreground_residue": 255 * np.abs(foreground[still]).mean(),
                    "foreground_kept": kept.sum() / np.abs(difference[moves]).sum()}
        for name, value in expected.items():
            self.assertAlmostEqual(run["measures"][name], value, 3, name)

    def test_the_faces_are_as_the_tests_think(self):
        self.assertEqual(faces().shape, (60, *SHAPE))
        self.assertEqual(round(50 * SCALE), 2)


if __name__ == "__main__":
    unittest.main()
