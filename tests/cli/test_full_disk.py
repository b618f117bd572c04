"""A disk that is full, broken or read-only: one line says so, nothing half-made has a real name."""

import errno
import os
import resource
import shutil
import subprocess
import unittest

import h5py
import numpy as np
from _faults import Faulty, in_memory, parts
from _tamis import STATISTICS, Planted

SMALL = 256 << 10  # bytes of room: every output below needs more


class Outputs(Faulty):
    """Every kind of output, each larger than the room there is."""

    place = in_memory()

    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=3000, features=48).V.reshape(3000, 6, 8), "f4")
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.save("wide.npy", Planted(samples=20, features=20000).V, "f4")
        # Frames that cannot be packed well
        noise = np.random.default_rng(1).integers(0, 256, (900, 32, 40))
        self.save("frames.npy", noise, "u1")

    def commands(self, place):
        """What makes a large file in a place, and the name of the file."""
        fit = ["fit", "v.npy", "--rank", 4, "--out"]
        repeat = ["--repeat", 20]
        codes = ["H.npy", "H.csv", "H.tsv", "H.mtx", "H.h5"]
        for name in codes:
            yield [*fit, "n.h5", "--codes", f"{place}/{name}", *repeat], name
        for name in ["R.npy", "R.csv", "R.h5:/r", "R"]:
            yield [*fit, "n.h5", "--outliers", f"{place}/{name}"], name.split(":")[0]
        for name in codes:
            yield ["encode", "m.h5", "v.npy", "--codes", f"{place}/{name}", *repeat], name
        for name in ["c.npy", "c.h5", "c"]:
            yield ["denoise", "m.h5", "v.npy", "--out", f"{place}/{name}"], name
        yield ["generate", "synthetic", "--out", f"{place}/g.npy"], "g.npy"
        yield ["fit", "wide.npy", "--rank", 10, "--out", f"{place}/w.h5"], "w.h5"
        for name in ["b.npy", "b.avi", "b.mkv", "b"]:
            yield ["separate", "frames.npy", "--background", f"{place}/{name}"], name
        video = ["fit", "frames.npy", "--rank", 2, "--lambda", 0.02, "--out", "n.h5", "--outliers"]
        for name in ["R.mp4", "R.avi", "R.mkv"]:
            yield [*video, f"{place}/{name}"], name

    def check_failed(self, result, name, word, before):
        self.assertIn(result.code, [1, 3], result)
        self.assert_one_line(result.err.replace("fit: ", ""), name)
        if word:
            self.assertIn(word, result.err)
        # A model that was learned is not lost with the codes that could not be written.
        kept = {k: v for k, v in self.listing().items() if k != "n.h5"}
        self.assertEqual(kept, before, "files were left behind, changed or removed")
        self.path("n.h5").unlink(missing_ok=True)

    def test_a_small_disk(self):
        small = self.path("small")
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(small)]
        if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(subprocess.run, ["umount", str(small)], check=True)
        for arguments, name in self.commands("small"):
            with self.subTest(arguments):
                before = self.listing()
                result = self.run_tamis(*arguments, "--quiet")
                video = name.endswith((".avi", ".mkv", ".mp4"))
                name = name.replace(".", ".part.") if video else name
                self.check_failed(result, name, "space", before)

    def test_a_limit_on_the_size_of_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL // 2, SMALL // 2))

        self.path("small").mkdir()
        for arguments, name in self.commands("small"):
            if name in ["R", "c", "b"]:
                continue  # many small files
            with self.subTest(arguments):
                before = self.listing()
                process = self.start(*arguments, "--quiet", preexec_fn=limit)
                name = name.split(".")[0]
                self.check_failed(self.finish(process), f"small/{name}", "too large", before)

    def test_from_any_moment_on(self):
        """Calls fail in the middle of a file, of its header, when it is closed."""
        self.path("small").mkdir()
        few = ["--limit", 40]
        for arguments, name in self.commands("small"):
            if name in ["g.npy", "w.h5"] or name.endswith(".tsv"):
                continue
            if "--repeat" in arguments:
                arguments = arguments[: arguments.index("--repeat")]
            arguments = [*arguments, *few]
            made = "n.h5" if "n.h5" in arguments else name
            with self.subTest(arguments):
                changes = self.changes(*arguments, "--quiet")
                writes = [i + 1 for i, change in enumerate(changes) if change[0] == "write"]
                own = [i for i in writes if made not in changes[i - 1][1] or made == name]
                self.discard("small", "n.h5")
                before = self.listing()
                # A full disk, and a quota that is used up
                for number, why in [(own[0], errno.ENOSPC), (own[len(own) // 2], errno.EDQUOT),
                                    (own[-1], errno.ENOSPC)]:  # fmt: skip
                    fault = f"fail:write:{number}:{why}"
                    result = self.run_faulty(fault, *arguments, "--quiet")
                    self.assertIn(result.code, [1, 3], f"{fault}: {result}")
                    self.assert_one_line(result.err, "quota" if why == errno.EDQUOT else "")
                    self.assertEqual(self.listing(), before, fault)

    def test_a_disk_that_does_not_keep_what_it_took(self):
        """fsync reports it, once."""
        self.path("small").mkdir()
        for arguments, name in self.commands("small"):
            if "--repeat" in arguments:
                arguments = arguments[: arguments.index("--repeat")]
            if "generate" not in arguments:
                arguments += ["--limit", 40]
            with self.subTest(arguments):
                before = self.listing()
                fault = f"fail:sync:1:{errno.EIO}"
                result = self.run_faulty(fault, *arguments, "--quiet")
                self.assertIn(result.code, [1, 3], result)
                self.assert_one_line(result.err, "disk")
                self.assertEqual(self.listing(), before)

    def discard(self, folder, *names):
        for path in self.path(folder).iterdir():
            if path.is_dir():
                for image in path.iterdir():
                    image.unlink()
                path.rmdir()
            else:
                path.unlink()
        for name in names:
            self.path(name).unlink(missing_ok=True)

    def test_a_disk_that_cannot_be_written_to(self):
        small = self.path("small")
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(small)]
        if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("only root can mount a read-only disk")
        self.addCleanup(subprocess.run, ["umount", str(small)], check=True)
        for arguments, name in self.commands("small"):
            with self.subTest(arguments):
                self.refused(3, *arguments, "--quiet", says=[f"small/{name}"])


class Checkpoints(Faulty):
    """What was saved before the disk was full is there, and the fit goes on when there is room."""

    place = in_memory()

    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=600).V, "f4")
        self.fit = ["fit", "v.npy", "--rank", 4, "--batch-size", 20, "--threads", 1, "--quiet"]
        self.kept = ["--checkpoint", "d/c.h5", "--checkpoint-every", 3]
        self.path("d").mkdir()

    def check_goes_on(self, outputs, result):
        self.assertIn(result.code, [1, 3], result)
        self.assert_one_line(result.err)
        self.assertFalse(self.path("d/m.h5").exists())
        with h5py.File(self.path("d/c.h5")) as file:
            self.assertGreater(file["samples"][()], 0)
        self.tamis(*self.fit, "--out", "d/m.h5", *outputs, "--resume", "d/c.h5")
        self.assert_same_model("d/m.h5", "whole.h5", STATISTICS)
        self.assertEqual(parts(self.path("d")), [])

    def test_when_a_checkpoint_cannot_be_written(self):
        outputs = ["--codes", "d/H.npy", "--outliers", "d/R.csv"]
        fit = [*self.fit, "--out", "d/m.h5", *outputs, *self.kept]
        changes = self.changes(*fit)
        self.path("d/m.h5").rename(self.path("whole.h5"))
        expected = {name: self.path(name).read_bytes() for name in ["d/H.npy", "d/R.csv"]}
        saved = [i for i, c in enumerate(changes) if c[0] == "rename" and c[-1] == "d/c.h5"]
        for number in [saved[0] + 2, saved[1] - 20, saved[1] - 3, saved[3] + 9, saved[-1] - 5]:
            with self.subTest(number):
                for path in self.path("d").iterdir():
                    path.unlink()
                result = self.run_faulty(f"fail:write:{number + 1}:{errno.ENOSPC}", *fit)
                self.check_goes_on(outputs, result)
                for name, content in expected.items():
                    self.assertEqual(self.path(name).read_bytes(), content, name)

    def test_nothing_is_left_when_not_even_the_first_one_can_be_written(self):
        for codes in ["d/H.npy", "d/H.csv", "d/H.h5:/x", "d/images"]:
            self.save("v.npy", Planted(samples=600).V.reshape(600, 4, 6), "f4")
            flag = "--outliers" if codes == "d/images" else "--codes"
            fit = [*self.fit, "--out", "d/m.h5", flag, codes, *self.kept]
            changes = self.changes(*fit)
            first = next(i for i, c in enumerate(changes) if "c.h5" in c[1])
            shutil.rmtree(self.path("d"))
            self.path("d").mkdir()
            result = self.run_faulty(f"fail:write:{first + 5}:{errno.ENOSPC}", *fit)
            self.assertEqual(result.code, 3, result)
            self.assert_one_line(result.err, "c.h5")
            self.assertEqual(os.listdir(self.path("d")), [])

    def test_on_a_small_disk_that_becomes_larger(self):
        disk = self.path("d")
        mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        outputs = ["--outliers", "d/R.npy", "--repeat", 10]
        self.tamis(*self.fit, "--out", "whole.h5", *outputs[2:])
        result = self.run_tamis(*self.fit, "--out", "d/m.h5", *outputs, *self.kept)
        self.assertIn("space", result.err)
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        self.check_goes_on(outputs, result)

    def test_nothing_is_left_of_a_fit_without_a_checkpoint(self):
        outputs = ["--codes", "d/H.npy", "--outliers", "d/R.mtx"]
        fit = [*self.fit, "--out", "d/m.h5", *outputs]
        before = self.listing()
        result = self.run_faulty(f"fail:write:20:{errno.ENOSPC}", *fit)
        self.assertEqual(result.code, 3, result)
        self.assertEqual(self.listing(), before)


if __name__ == "__main__":
    unittest.main()
