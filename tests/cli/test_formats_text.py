"""Text tables, MatrixMarket and HDF5 files: written by NumPy, SciPy and h5py, read by the program,
and the other way round."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np
import scipy.io
import scipy.sparse

RANK = 3
SAMPLES, FEATURES = 60, 12


def tamis(*arguments, cwd=None):
    return subprocess.run(
        [os.environ["TAMIS_BINARY"], *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, timeout=300,
    )


def some_samples(samples=SAMPLES, features=FEATURES):
    random = np.random.default_rng(1)
    V = random.random((samples, RANK)) @ random.random((RANK, features))
    V[random.random(V.shape) < 0.05] += 1
    V[random.random(V.shape) < 0.3] = 0
    return V


class Formats(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.V = some_samples()
        np.save(self.path / "v.npy", self.V)

    def run_well(self, *arguments):
        result = tamis(*arguments, cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def fit(self, source, *more, model="model.h5"):
        return self.run_well("fit", source, "--rank", RANK, "--out", model, "--precision",
                             "double", "--quiet", "--force", *more)

    def dictionary(self, model="model.h5"):
        with h5py.File(self.path / model) as file:
            return file["W"][:]

    def refused(self, source, *words, code=3):
        result = tamis("fit", source, "--rank", RANK, "--out", "m.h5", cwd=self.path)
        self.assertEqual(result.returncode, code, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertFalse((self.path / "m.h5").exists())


class Reading(Formats):
    """Whatever the file, the dictionary is that of the .npy file, to the last bit."""

    def setUp(self):
        super().setUp()
        self.fit("v.npy")
        self.expected = self.dictionary()

    def check(self, source, *more):
        self.fit(source, *more, model="other.h5")
        np.testing.assert_array_equal(self.dictionary("other.h5"), self.expected)

    def test_text_tables(self):
        np.savetxt(self.path / "v.csv", self.V, delimiter=",", fmt="%.17g")
        self.check("v.csv")
        np.savetxt(self.path / "v.tsv", self.V, delimiter="\t", fmt="%.17g")
        self.check("v.tsv")
        names = ";".join(f"feature {i}" for i in range(FEATURES))
        np.savetxt(self.path / "names.csv", self.V, delimiter=";", fmt="%.17g", header=names,
                   newline="\r\n")
        self.check("names.csv")
        years = ",".join(str(1990 + i) for i in range(FEATURES))
        np.savetxt(self.path / "years.csv", self.V, delimiter=",", fmt="%.17g", header=years,
                   comments="")
        self.check("years.csv", "--header", "yes")

    def test_matrix_market(self):
        scipy.io.mmwrite(self.path / "array.mtx", self.V, precision=17)
        self.check("array.mtx")
        sparse = scipy.sparse.csr_matrix(self.V)
        scipy.io.mmwrite(self.path / "rows.mtx", sparse, precision=17)
        self.check("rows.mtx")
        scipy.io.mmwrite(self.path / "columns.mtx", sparse.tocsc().tocoo(), precision=17)
        self.check("columns.mtx")

    def test_hdf5(self):
        with h5py.File(self.path / "v.h5", "w") as file:
            file["group/contiguous"] = self.V
            file.create_dataset("chunked", data=self.V.reshape(SAMPLES, 3, 4), chunks=(7, 2, 2),
                                compression="gzip", shuffle=True)
            file.create_dataset("big-endian", data=self.V.astype(">f8"))
            file["names"] = ["a", "b"]
        self.check("v.h5:/group/contiguous")
        self.check("v.h5:/chunked")
        self.check("v.h5:/big-endian")
        self.refused("v.h5", "/big-endian", "/chunked", "/group/contiguous")
        self.refused("v.h5:/none", "no array /none")
        self.refused("model.h5", "a tamis model")
        self.fit("model.h5:/W", model="of-atoms.h5")

    def test_hdf5_types(self):
        bits = self.V > 0.5
        with h5py.File(self.path / "t.h5", "w") as file:
            file["truth"] = bits
            file["half"] = self.V.astype("f2")
            file["complex"] = self.V.astype("c8")
        np.save(self.path / "truth.npy", bits)
        np.save(self.path / "half.npy", self.V.astype("f2").astype("f4"))
        for name in ["truth", "half"]:
            self.fit(f"{name}.npy")
            self.expected = self.dictionary()
            self.check(f"t.h5:/{name}")
        self.refused("t.h5:/complex", "not an array of numbers")

    def test_shuffled(self):
        np.savetxt(self.path / "v.csv", self.V, delimiter=",", fmt="%.17g")
        self.fit("v.csv", "--shuffle", "--epochs", "3", model="a.h5")
        self.fit("v.csv", "--shuffle", "--epochs", "3", model="b.h5")
        np.testing.assert_array_equal(self.dictionary("a.h5"), self.dictionary("b.h5"))


class NamesOfPandas(Formats):
    """Columns without names of their own are called 0, 1, 2, …, and so is an index."""

    def write(self, name, names, index=False):
        rows = self.V if not index else np.column_stack([np.arange(SAMPLES), self.V])
        np.savetxt(self.path / name, rows, delimiter=",", fmt="%.17g", header=names, comments="")

    def said(self, *arguments):
        return self.run_well(*arguments, "--force").stderr.splitlines()

    def test_a_first_line_that_counts(self):
        self.write("a1.csv", ",".join(map(str, range(FEATURES))))
        fit = ["fit", "a1.csv", "--rank", RANK, "--out", "m.h5"]
        for command in [fit, ["fit", "a?.csv", *fit[2:]],
                        ["encode", "m.h5", "a1.csv", "--codes", "h.npy"],
                        ["denoise", "m.h5", "a1.csv", "--out", "c.csv"],
                        ["generate", "corrupt", "a1.csv", "--normalize", "max", "--out", "d.npy"]]:
            with self.subTest(command):
                warnings = [line for line in self.said(*command) if "warning" in line]
                self.assertEqual(len(warnings), 1)
                for word in ["a1.csv", "pandas", "--header yes"]:
                    self.assertIn(word, warnings[0])
        self.assertEqual(self.run_well(*fit, "--force", "--quiet").stderr, "")
        for header, samples in [("yes", SAMPLES), ("no", SAMPLES + 1)]:
            said = self.said(*fit, "--header", header)
            self.assertNotIn("warning", " ".join(said))
            self.assertIn(f"{samples} samples", said[-1])

    def test_other_first_lines(self):
        np.savetxt(self.path / "v.csv", self.V, delimiter=",")
        self.write("names.csv", ",".join("abcdefghijkl"))
        for name in ["v.csv", "names.csv"]:
            said = " ".join(self.said("fit", name, "--rank", RANK, "--out", "m.h5"))
            self.assertNotIn("warning", said)

    def test_an_index(self):
        self.write("names.csv", "," + ",".join("abcdefghijkl"), index=True)
        said = self.said("fit", "names.csv", "--rank", RANK, "--out", "m.h5")
        self.assertIn("warning: names.csv", said[0])
        self.assertIn("index=False", said[0])
        os.remove(self.path / "m.h5")
        self.write("numbers.csv", "," + ",".join(map(str, range(FEATURES))), index=True)
        self.refused("numbers.csv", "numbers.csv", "pandas", "index=False")
        self.fit("numbers.csv", "--header", "yes")


class Writing(Formats):
    """Codes and outliers in every format are those of the .npy files."""

    def setUp(self):
        super().setUp()
        self.fit("v.npy", "--codes", "h.npy", "--outliers", "r.npy")
        self.H, self.R = np.load(self.path / "h.npy"), np.load(self.path / "r.npy")
        self.assertTrue((self.R != 0).any())

    def write(self, codes, outliers, *more):
        self.fit("v.npy", "--codes", codes, "--outliers", outliers, *more)

    def read_hdf5(self, name, dataset):
        with h5py.File(self.path / name) as file:
            return file[dataset][:]

    def test_text_tables(self):
        self.write("h.csv", "r.tsv")
        np.testing.assert_array_equal(np.loadtxt(self.path / "h.csv", delimiter=","), self.H)
        np.testing.assert_array_equal(np.loadtxt(self.path / "r.tsv", delimiter="\t"), self.R)

    def test_hdf5(self):
        self.write("h.h5", "r.hdf5:/a/b")
        np.testing.assert_array_equal(self.read_hdf5("h.h5", "data"), self.H)
        np.testing.assert_array_equal(self.read_hdf5("r.hdf5", "a/b"), self.R)
        with h5py.File(self.path / "h.h5", "a") as file:
            file["data"].resize(SAMPLES + 1, axis=0)

    def test_matrix_market(self):
        self.write("h.mtx", "r.mtx")
        R = scipy.io.mmread(self.path / "r.mtx")
        self.assertEqual(R.shape, self.R.shape)
        self.assertEqual(R.nnz, np.count_nonzero(self.R))
        np.testing.assert_array_equal(R.toarray(), self.R)
        np.testing.assert_array_equal(scipy.io.mmread(self.path / "h.mtx").toarray(), self.H)

    def test_shuffled(self):
        more = ["--shuffle", "--epochs", "2"]
        self.fit("v.npy", "--codes", "h.npy", "--outliers", "r.npy", *more)
        self.write("h.h5", "r.mtx", *more)
        np.testing.assert_array_equal(self.read_hdf5("h.h5", "data"), np.load(self.path / "h.npy"))
        np.testing.assert_array_equal(
            scipy.io.mmread(self.path / "r.mtx").toarray(), np.load(self.path / "r.npy"))
        result = tamis("fit", "v.npy", "--rank", RANK, "--out", "m.h5", "--codes", "h.csv",
                       *more, cwd=self.path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(".npy", result.stderr)
        self.assertFalse((self.path / "h.csv").exists())

    def test_encode(self):
        self.run_well("encode", "model.h5", "v.npy", "--codes", "e.npy", "--outliers", "f.npy")
        expected = np.load(self.path / "f.npy")
        for name, read in [("f.csv", lambda p: np.loadtxt(p, delimiter=",")),
                           ("f.mtx", lambda p: scipy.io.mmread(p).toarray()),
                           ("f.h5", lambda p: self.read_hdf5(p, "data"))]:
            self.run_well("encode", "model.h5", "v.npy", "--outliers", name)
            np.testing.assert_array_equal(read(self.path / name), expected)

    def test_one_output_per_file(self):
        for codes, outliers, model in [("x.h5:/h", "x.h5:/r", "m.h5"), ("m.h5:/h", "r.npy", "m.h5")]:
            result = tamis("fit", "v.npy", "--rank", RANK, "--out", model, "--force",
                           "--codes", codes, "--outliers", outliers, cwd=self.path)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(".h5: ", result.stderr)
            self.assertFalse((self.path / "m.h5").exists())

    def test_nothing_is_replaced_or_left_behind(self):
        before = set(os.listdir(self.path))
        self.write("h.h5:/x", "r.mtx")
        self.assertEqual(set(os.listdir(self.path)) - before, {"h.h5", "r.mtx"})
        result = tamis("fit", "v.npy", "--rank", RANK, "--out", "m.h5", "--codes", "h.h5:/y",
                       cwd=self.path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("exists already", result.stderr)


class Resuming(Formats):
    def test_a_stopped_run_writes_the_same_files(self):
        np.save(self.path / "long.npy", some_samples(20000, 200))
        for codes, outliers in [("h.csv", "r.mtx"), ("h.h5", "r.h5:/r")]:
            names = [codes, outliers.split(":")[0]]
            arguments = ["fit", "long.npy", "--rank", 8, "--quiet", "--seed", 1]
            self.run_well(*arguments, "--out", "whole.h5", "--force",
                          "--codes", "whole-" + codes, "--outliers", "whole-" + outliers)
            program = subprocess.Popen(
                [os.environ["TAMIS_BINARY"], *map(str, arguments), "--out", "m.h5",
                 "--codes", codes, "--outliers", outliers,
                 "--checkpoint", "state.h5", "--checkpoint-every", "5", "--force"],
                cwd=self.path, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 60
            while not (self.path / "state.h5").exists() and time.monotonic() < end:
                time.sleep(0.01)
            program.send_signal(signal.SIGKILL)  # without a chance to close anything
            self.assertEqual(program.wait(), -signal.SIGKILL, "it was too fast to be stopped")
            self.assertFalse((self.path / names[0]).exists())
            self.run_well(*arguments, "--out", "m.h5", "--codes", codes, "--outliers", outliers,
                          "--resume", "state.h5")
            (self.path / "state.h5").unlink()
            (self.path / "m.h5").unlink()
            for name in names:
                self.same(self.path / name, self.path / ("whole-" + name))

    def same(self, a, b):
        if a.suffix != ".h5":
            self.assertEqual(a.read_bytes(), b.read_bytes())
            return
        with h5py.File(a) as one, h5py.File(b) as other:
            for name in one:
                np.testing.assert_array_equal(one[name][:], other[name][:])


class BadFiles(Formats):
    def test_says_where_the_problem_is(self):
        (self.path / "ragged.csv").write_text("a,b,c\n1,2,3\n1,2\n")
        self.refused("ragged.csv", "ragged.csv: line 3 has 2 fields, the lines before it 3")
        (self.path / "word.csv").write_text("1,2,3\n1,two,3\n")
        self.refused("word.csv", 'word.csv: line 2 column 2: "two" is not a number')
        (self.path / "missing.csv").write_text("1,2,3\n1,,3\n" * 20)
        self.refused("missing.csv", "issing")
        self.run_well("fit", "missing.csv", "--rank", 2, "--out", "ok.h5", "--missing", "nan")
        (self.path / "empty.csv").write_text("")
        self.refused("empty.csv", "empty")
        (self.path / "short.mtx").write_text(
            "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 1\n% and so on\n")
        self.refused("short.mtx", "short.mtx: ends after 2 of 3 entries")
        (self.path / "text.h5").write_text("1 2 3")
        self.refused("text.h5", "text.h5: not a readable HDF5 file")
        self.refused("none.csv", "none.csv", "No such file")


class Memory(Formats):
    """A file much larger than the memory that reading it takes"""

    def peak_megabytes(self, source):
        script = ("import resource, subprocess, sys; "
                  "code = subprocess.run(sys.argv[1:]).returncode; "
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)")
        result = subprocess.run(
            [sys.executable, "-c", script, os.environ["TAMIS_BINARY"], "fit", source,
             "--rank", "2", "--out", "m.h5", "--quiet", "--force"],
            cwd=self.path, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return int(result.stdout.split()[-1]) / 1024

    def test_does_not_grow_with_the_file(self):
        line = ",".join(f"{x:.12f}" for x in np.random.default_rng(1).random(100)) + "\n"
        (self.path / "short.csv").write_text(line * 1000)
        (self.path / "long.csv").write_text(line * 60000)  # 90 MB
        short, long = self.peak_megabytes("short.csv"), self.peak_megabytes("long.csv")
        self.assertLess(long, short + 30)


if __name__ == "__main__":
    unittest.main()
