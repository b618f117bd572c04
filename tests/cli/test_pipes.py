"""Samples on standard input, codes on standard output."""

import io
import os
import subprocess
import unittest

import numpy as np
from _tamis import Case, Planted


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def headed(shape, array):
    """The data of an array under a header that says something else."""
    buffer = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue() + array.tobytes()


class Input(Case):
    def setUp(self):
        super().setUp()
        self.V = self.save("v.npy", Planted(samples=300).V, "f4")

    def fit(self, *flags, stdin=None, name="m.h5"):
        source = "v.npy" if stdin is None else "-"
        self.tamis(
            "fit", source, "--rank", 4, "--out", name, "--batch-size", 40, "--quiet",
            "--codes", "H.npy", "--outliers", "R.npy", "--force", *flags, stdin=stdin
        )  # fmt: skip
        return (
            self.model(name)["W"].tobytes(),
            self.path("H.npy").read_bytes(),
            self.path("R.npy").read_bytes(),
        )

    def test_equals_the_file_bit_by_bit(self):
        expected = self.fit()
        self.assertEqual(self.fit(stdin=npy(self.V)), expected, "one array")
        self.assertEqual(self.fit(stdin=headed((0, 24), self.V)), expected, "length 0")
        self.assertEqual(self.fit(stdin=headed((-1, 24), self.V)), expected, "length -1")
        for sizes in [[300], [1, 299], [100, 100, 100], [7, 40, 3, 250]]:
            arrays = np.split(self.V, np.cumsum(sizes)[:-1])
            self.assertEqual(self.fit(stdin=b"".join(map(npy, arrays))), expected, sizes)

    def test_equals_the_file_for_every_type_and_shape(self):
        for array in [self.V.astype("f8"), np.round(self.V * 255).clip(0, 255).astype("u1"),
                      self.V.reshape(300, 4, 6), self.V.reshape(300, 2, 4, 3)]:  # fmt: skip
            self.save("v.npy", array)
            self.assertEqual(self.fit(stdin=npy(array)), self.fit(), array.dtype)
            self.assertEqual(self.model()["shape"].tolist(), list(array.shape[1:]))

    def test_a_slow_writer_changes_nothing(self):
        expected = self.fit()
        process = self.start(
            "fit", "-", "--rank", 4, "--out", "slow.h5", "--batch-size", 40, stdin=subprocess.PIPE
        )
        data = npy(self.V)
        for piece in [data[:3], data[3:100], data[100:131], data[131:9001], data[9001:]]:
            process.stdin.write(piece)
            process.stdin.flush()
        self.assertEqual(self.finish(process).code, 0)
        self.assertEqual(self.model("slow.h5")["W"].tobytes(), expected[0])

    def test_a_file_as_standard_input(self):
        expected = self.fit()
        with open(self.path("v.npy"), "rb") as file:
            result = self.finish(
                self.start(
                    "fit", "-", "--rank", 4, "--out", "f.h5", "--batch-size", 40, stdin=file
                )
            )
        self.assertEqual(result.code, 0, result)
        self.assertEqual(self.model("f.h5")["W"].tobytes(), expected[0])

    def test_limit_ends_before_the_stream_does(self):
        expected = self.fit("--limit", 100)
        self.assertEqual(self.fit("--limit", 100, stdin=npy(self.V)), expected)

    def test_shuffling_gives_the_same_samples(self):
        V, where = Planted(samples=300).spiked(20)
        self.save("v.npy", V, "f4")
        for window in [[], ["--shuffle-window", 50], ["--shuffle-window", 1]]:
            self.fit("--shuffle", "--lambda", 0.1, *window, stdin=npy(V.astype("f4")))
            R = self.load("R.npy")
            np.testing.assert_array_equal(np.argmax(np.abs(R), axis=1), where)
        in_order = self.fit(stdin=npy(self.V))
        self.assertNotEqual(self.fit("--shuffle", stdin=npy(self.V))[0], in_order[0])
        again = [self.fit("--shuffle", "--seed", 3, stdin=npy(self.V)) for _ in range(2)]
        self.assertEqual(*again)

    def test_every_algorithm(self):
        for algorithm in ["opgd", "oadmm", "bpgd", "badmm", "orpca", "onmf"]:
            flags = ["--algorithm", algorithm]
            self.assertEqual(self.fit(*flags, stdin=npy(self.V)), self.fit(*flags), algorithm)

    def test_json_tells_the_number_of_samples(self):
        object = self.tamis_json("fit", "-", "--rank", 4, "--out", "m.h5", stdin=npy(self.V))
        self.assertEqual(object["samples"], 300)


class BadInput(Case):
    def setUp(self):
        super().setUp()
        self.V = Planted().V.astype("f4")
        self.fit = ["fit", "-", "--rank", 4, "--out", "m.h5", "--codes", "H.npy"]

    def test_ends_too_early(self):
        data = npy(self.V)
        for length in [0, 3, 9, 50, 127, 128, 129, len(data) // 2, len(data) - 1]:
            self.refused(3, *self.fit, says=["standard input"], stdin=data[:length])

    def test_ends_in_the_middle_of_a_sample_of_unknown_length(self):
        for shape in [(0, 24), (-1, 24)]:
            self.refused(3, *self.fit, says=["standard input"], stdin=headed(shape, self.V)[:-1])
            self.refused(
                3, *self.fit, says=["standard input", "no samples"], stdin=headed(shape, self.V[:0])
            )

    def test_fortran_order(self):
        for array in [np.asfortranarray(self.V)]:
            self.refused(3, *self.fit, says=["standard input", "Fortran"], stdin=npy(array))

    def test_arrays_that_do_not_belong_together(self):
        other = [self.V[:, :20], self.V.astype("f8"), self.V.reshape(240, 4, 6),
                 np.asfortranarray(self.V)]  # fmt: skip
        for array in other:
            self.refused(3, *self.fit, says=["standard input"], stdin=npy(self.V) + npy(array))
        self.refused(3, *self.fit, says=["standard input"], stdin=npy(self.V) + b"and more")

    def test_not_an_array(self):
        self.refused(3, *self.fit, says=["standard input", ".npy"], stdin=b"1,2,3\n4,5,6\n" * 99)
        self.refused(3, *self.fit, says=["standard input"], stdin=npy(np.arange(9.0)))
        self.refused(3, *self.fit, says=["standard input", "i8"], stdin=npy(np.ones((9, 9), int)))
        self.refused(3, *self.fit, says=["standard input"], stdin=headed((10**18, 24), self.V))
        self.refused(3, *self.fit, says=["standard input"], stdin=headed((10**30, 24), self.V))

    def test_values_that_are_not_samples(self):
        for value in [np.nan, np.inf, -1]:
            V = self.V.copy()
            V[130, 7] = value
            words = ["standard input", "feature 7 of sample 130"]
            self.refused(3, *self.fit, says=words, stdin=npy(V))

    def test_flows_by_only_once(self):
        for flags in [["--epochs", 2], ["--repeat", 2]]:
            result = self.refused(3, *self.fit, *flags, stdin=npy(self.V))
            self.assertIn("pipe", result.err)
            self.assertIn("standard input", result.err)

    def test_refuses_a_second_pass_before_the_first(self):
        # The pipe stays open: only a program that does not wait for its end can answer.
        process = self.start(*self.fit, "--epochs", 2, stdin=subprocess.PIPE)
        process.stdin.write(npy(self.V)[: 128 + 96 * 24])
        process.stdin.flush()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.fail("learns from the whole pipe before it says that it cannot be read twice")
        self.assertEqual(process.returncode, 3)

    def test_denoising_without_a_model_needs_two_passes(self):
        self.refused(3, "denoise", "-", "--out", "c.npy", says=["model"], stdin=npy(self.V))

    def test_a_terminal_or_folder_is_no_stream(self):
        with open(os.devnull, "rb") as nothing:
            result = self.finish(self.start(*self.fit, stdin=nothing))
        self.assertEqual(result.code, 3)
        self.assert_one_line(result.err, "standard input")
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            result = self.finish(self.start(*self.fit, stdin=folder))
        finally:
            os.close(folder)
        self.assertEqual(result.code, 3)
        self.assert_one_line(result.err, "standard input")

    def test_closed_standard_input(self):
        result = self.finish(
            self.start("fit", "-", "--out", "m.h5", preexec_fn=lambda: os.close(0), stdin=None)
        )
        self.assertEqual(result.code, 3, result)
        self.assert_one_line(result.err, "standard input")


class Output(Case):
    def setUp(self):
        super().setUp()
        self.V = self.save("v.npy", Planted(samples=3000).V, "f4")
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5")
        self.once("H.npy", "encode", "m.h5", "v.npy", "--codes", "H.npy")
        self.once("R.npy", "encode", "m.h5", "v.npy", "--outliers", "R.npy")

    def arrays(self, stream):
        """Arrays that follow each other, as one."""
        file, found = io.BytesIO(stream), []
        while file.tell() < len(stream):
            found.append(np.load(file))
        return np.concatenate(found)

    def test_codes_and_outliers(self):
        for flag, name in [("--codes", "H.npy"), ("--outliers", "R.npy")]:
            result = self.tamis("encode", "m.h5", "v.npy", flag, "-")
            np.testing.assert_array_equal(np.load(io.BytesIO(result.bytes)), self.load(name))
            result = self.tamis("encode", "m.h5", "-", flag, "-", stdin=npy(self.V))
            np.testing.assert_array_equal(self.arrays(result.bytes), self.load(name))

    def test_denoised(self):
        self.tamis("denoise", "m.h5", "v.npy", "--out", "c.npy")
        result = self.tamis("denoise", "m.h5", "v.npy", "--out", "-")
        np.testing.assert_array_equal(np.load(io.BytesIO(result.bytes)), self.load("c.npy"))

    def test_one_program_feeds_another(self):
        one = self.start("encode", "m.h5", "v.npy", "--outliers", "-", "--quiet")
        two = self.start(
            "fit", "-", "--rank", 2, "--allow-negative", "--out", "r.h5", stdin=one.stdout
        )
        self.assertEqual(self.finish(two).code, 0)
        self.assertEqual(self.model("r.h5")["samples"], 3000)

    def test_both_cannot_share_standard_output(self):
        self.refused(2, "encode", "m.h5", "v.npy", "--codes", "-", "--outliers", "-")

    def test_json_cannot_share_standard_output(self):
        result = self.run_tamis("encode", "m.h5", "v.npy", "--codes", "-", "--json")
        self.assertEqual(result.code, 2)

    def test_shuffled_rows_cannot_flow(self):
        self.refused(
            2, "fit", "v.npy", "--shuffle", "--out", "n.h5", "--codes", "-", says=["shuffle"]
        )

    def closed_after(self, count, *arguments):
        """Standard output is closed by its reader after some bytes."""
        before = self.listing()
        process = self.start(*arguments)
        process.stdout.read(count)
        process.stdout.close()
        stderr = process.stderr.read().decode()
        process.wait(timeout=60)
        self.assertIn(process.returncode, [1, 3], stderr)  # not a signal
        self.assert_one_line(stderr, "standard output")
        self.assertEqual(self.listing(), before)

    def test_reader_goes_away(self):
        encode = ["encode", "m.h5", "v.npy", "--repeat", 200, "--quiet"]
        self.closed_after(10, *encode, "--codes", "-")
        self.closed_after(10, *encode, "--outliers", "-")
        self.closed_after(10, *encode, "--outliers", "-", "--codes", "other.npy")
        self.closed_after(
            10, "fit", "v.npy", "--repeat", 200, "--out", "n.h5", "--quiet", "--codes", "-"
        )

    def test_a_reader_who_has_seen_enough(self):
        """tamis man | head -1"""
        for arguments in [["man"], ["completion", "bash"], ["--help"], ["--version"],
                          ["fit", "--help"], ["info", "m.h5"]]:  # fmt: skip
            reader, writer = os.pipe()
            os.close(reader)
            with self.subTest(arguments), open(writer, "wb") as closed:
                result = self.finish(self.start(*arguments, stdout=closed))
                self.assertEqual((result.code, result.err), (0, ""))

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full here")
        for arguments in [["encode", "m.h5", "v.npy", "--codes", "-", "--quiet"],
                          ["info", "m.h5"], ["info", "m.h5", "--json"], ["man"],
                          ["completion", "bash"], ["--help"], ["--version"],
                          ["fit", "--help"]]:  # fmt: skip
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                result = self.finish(self.start(*arguments, stdout=full))
                self.assertIn(result.code, [1, 3])
                self.assert_one_line(result.err, "standard output")


if __name__ == "__main__":
    unittest.main()
