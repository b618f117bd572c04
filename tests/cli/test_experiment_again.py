"""tamis experiment: going on after it was stopped, data that are missing or come as images."""

import signal
import unittest

from PIL import Image

from _experiment import FEW, ExperimentCase, faces, lights, lit_faces, scene, write_data


class GoingOn(ExperimentCase):
    def test_nothing_is_repeated(self):
        first = self.experiment("basis", *FEW, scale=0.001)
        files, result = self.run_files("basis"), self.result("basis")
        self.assertEqual(first.err.count("basis "), len(files))
        again = self.experiment("basis", *FEW, scale=0.001)
        self.assertEqual(self.run_files("basis"), files)
        self.assertEqual(again.err, "")
        self.assertEqual(self.result("basis"), result)

    def test_only_what_is_missing_or_broken_is_done(self):
        self.experiment("basis", *FEW, scale=0.001)
        files = self.run_files("basis")
        gone, broken = sorted(files)[0], sorted(files)[-1]
        self.path(f"out/basis/runs/{gone}").unlink()
        self.path(f"out/basis/runs/{broken}").write_text('{"key": ')
        self.experiment("basis", *FEW, scale=0.001)
        after = self.run_files("basis")
        self.assertEqual(set(after), set(files))
        self.assertEqual({name for name in files if after[name] != files[name]}, {gone, broken})

    def test_other_algorithms_are_added(self):
        self.experiment("basis", "--only", "fast", scale=0.001)
        files = self.run_files("basis")
        self.experiment("basis", *FEW, scale=0.001)
        after = self.run_files("basis")
        self.assertGreater(len(after), len(files))
        for name, when in files.items():
            self.assertEqual(after[name], when)

    def test_other_settings_are_other_runs(self):
        self.experiment("basis", "--only", "fast", scale=0.001)
        for change in (["--seed", 1], ["--seed", 1, "--threads", 2]):
            before = self.run_files("basis")
            self.experiment("basis", "--only", "fast", *change, scale=0.001)
            after = self.run_files("basis")
            self.assertEqual(set(after), set(before))
            for name in before:
                self.assertNotEqual(after[name], before[name])

    def test_same_seed_same_numbers(self):
        for out in ("one", "two"):
            self.experiment("basis", *FEW, scale=0.001, out=out)
        one, two = (self.result("basis", out)["runs"] for out in ("one", "two"))
        self.assertEqual([run["measures"] for run in one], [run["measures"] for run in two])

    def test_interrupted(self):
        words = self.words("denoising", "--only", "fast,bpgd", "--runs", 3, scale=1)
        process = self.start(*words)
        first = "out/denoising/runs/cbcl-fast-K49-r0.json"
        self.wait_for(first, process)
        done = set(self.run_files("denoising"))
        process.send_signal(signal.SIGINT)
        found = self.finish(process)
        self.assertEqual(found.code, 130, found)
        last = found.err.splitlines()[-1]
        self.assertIn("goes on", last)
        self.assertFalse(self.path("out/denoising/denoising.json").exists())
        self.assertFalse(list(self.path("out").rglob("*.part")))
        when = self.path(first).stat().st_mtime_ns
        self.assertGreaterEqual(set(self.run_files("denoising")), done)
        # Now the rest, of one algorithm only
        self.experiment("denoising", "--only", "fast", "--runs", 1, scale=1)
        self.assertEqual(self.path(first).stat().st_mtime_ns, when)
        self.assertEqual(len(self.result("denoising")["runs"]), 18)


class Missing(ExperimentCase):
    def test_nothing_to_do(self):
        for name, words in {"basis": ["CBCL", "cbcl_faces.npy", "--data"],
                            "shadow": ["Yale", "yaleb_02.npy"],
                            "separation": ["Hall", "Escalator", "i2r"]}.items():
            self.refused(3, "experiment", name, "--out", "out", says=words)

    def test_what_can_be_done_is_done(self):
        found = self.experiment("convergence", *FEW, scale=0.001, data=None)
        self.assertIn("CBCL", found.err)
        result = self.result("convergence")
        self.assertEqual({run["data"] for run in result["runs"]}, {"synthetic"})
        self.assertEqual([one["data"] for one in result["missing"]], ["cbcl"])

    def test_all_without_data(self):
        self.experiment("all", "--only", "fast", scale=0.001, data=None)
        for name in ("basis", "denoising", "shadow", "separation"):
            result = self.result(name)
            self.assertEqual(result["runs"], [])
            self.assertEqual({claim["verdict"] for claim in result["claims"]}, {"not tested"})
            self.assertGreater(len(result["missing"]), 0)

    def test_bad_usage(self):
        self.refused(2, "experiment", "convergense", says=["did you mean", "convergence"])
        self.refused(2, "experiment", "basis", "--only", "slow", says=["slow", "fast"])
        self.refused(2, "experiment", "basis", "--scale", 2, says=["--scale"])
        self.refused(2, "experiment", "basis", "--scale", 0, says=["--scale"])
        self.refused(2, "experiment", "basis", "--runs", 0, says=["--runs"])
        self.refused(3, "experiment", "basis", "--data", "nowhere", says=["nowhere", "--data"])

    def test_out_is_no_folder(self):
        self.path("out").write_text("a file")
        write_data(self.path("data"))
        self.refused(3, "experiment", "basis", "--data", "data", "--out", "out", says=["out/basis"])


class Folders(ExperimentCase):
    """Images as the data sets come give the same as .npy files."""

    def write_images(self, folder, images, name):
        folder.mkdir(parents=True)
        for number, image in enumerate(images):
            Image.fromarray(image).save(folder / name(number))

    def test_images(self):
        folder = self.path("images")
        self.write_images(folder / "cbcl", faces(), "face{:05}.pgm".format)
        for subject in ("02", "08"):
            def named(number, subject=subject):
                azimuth, elevation = lights()[number]
                return f"yaleB{subject}_P00A{azimuth:+04}E{elevation:+03}.pgm"
            self.write_images(folder / f"yaleB{subject}", lit_faces(int(subject)), named)
            # of another size, as it is among the originals
            Image.new("L", (30, 40)).save(folder / f"yaleB{subject}/yaleB{subject}_P00_Ambient.pgm")
        for name in ("hall", "escalator"):
            self.write_images(folder / name, scene(seed=len(name)), f"{name}{{:04}}.bmp".format)
        # Names sort the lights in another order, so that only all of them are the same.
        for name, scale in {"basis": 0.001, "separation": 0.001, "shadow": 1}.items():
            self.experiment(name, "--only", "fast", scale=scale)
            self.experiment(name, "--only", "fast", scale=scale, data=folder, out="from_images")
        for name in ("basis", "separation"):
            self.assertEqual([run["measures"] for run in self.result(name)["runs"]],
                             [run["measures"] for run in self.result(name, "from_images")["runs"]])
        for run in self.result("shadow", "from_images")["runs"]:
            twin = self.find(self.result("shadow"), id=run["id"])
            self.assertAlmostEqual(run["measures"]["shadow_error_input"],
                                   twin["measures"]["shadow_error_input"], 2)


if __name__ == "__main__":
    unittest.main()
