"""What the tests of the program share: running it, looking at what it leaves, small data."""

import hashlib
import json
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from fcntl import ioctl
from pathlib import Path

import h5py
import numpy as np

# Seconds after which something hangs; never reached when all is well. Builds that count lines take longer.
PATIENCE = 120 * float(os.environ.get("TAMIS_TEST_PATIENCE", "1"))
STATISTICS = ("W", "A", "B", "c", "weight", "sigma", "lambda", "samples", "batches", "epoch")
ALGORITHMS = ["fast", "opgd", "oadmm", "bpgd", "badmm", "orpca", "onmf"]


class Planted:
    """Nonnegative data V = clip(HW + outliers): parts with few entries, few gross errors."""

    def __init__(self, samples=240, features=24, rank=4, share=0.05, seed=0):
        random = np.random.default_rng(seed)
        self.W = np.zeros((rank, features))
        for k in range(rank):
            part = np.arange(k * features // rank, (k + 1) * features // rank)
            self.W[k, part] = random.uniform(0.3, 1, len(part))
        self.H = random.uniform(0.1, 0.8, (samples, rank))
        self.clean = self.H @ self.W
        self.wrong = random.random(self.clean.shape) < share
        self.V = np.where(self.wrong, random.uniform(0, 1, self.clean.shape), self.clean)

    def spiked(self, size=6.0):
        """One entry of every sample is huge; returns the data and which entry it is."""
        where = np.random.default_rng(99).integers(0, self.V.shape[1], len(self.V))
        V = self.clean.copy()
        V[np.arange(len(V)), where] += size
        return V, where


class Result:
    def __init__(self, code, stdout, stderr):
        self.code = code
        self.bytes = stdout
        self.out = stdout.decode(errors="replace")
        self.err = stderr.decode(errors="replace")

    def __repr__(self):
        return f"exit code {self.code}, stdout {self.out[:500]!r}, stderr {self.err[:500]!r}"


def psnr(truth, image, top=1.0):
    error = np.asarray(truth, "f8") - np.asarray(image, "f8")
    return -10 * np.log10(np.mean(error**2) / top**2)


def png_size(path):
    """Width and height, from the header that every PNG begins with."""
    header = Path(path).read_bytes()[:24]
    if header[:8] != b"\x89PNG\r\n\x1a\n" or header[12:16] != b"IHDR":
        raise ValueError(f"{path} is not a PNG")
    return struct.unpack(">II", header[16:24])


class Terminal:
    """A pseudo-terminal that standard error of a program is connected to."""

    def __init__(self, columns=120):
        self.ours, self.theirs = pty.openpty()
        ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.text = ""

    def read(self, until=None):
        """What was shown, until a text appears in it or the program closes the terminal."""
        deadline = time.monotonic() + PATIENCE
        while until is None or until not in self.text:
            ready, _, _ = select.select([self.ours], [], [], 1)
            if time.monotonic() > deadline:
                raise TimeoutError(f"the terminal shows only {self.text!r}")
            if not ready:
                continue
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
            self.text += piece.decode(errors="replace")
        return self.text

    def close_theirs(self):
        os.close(self.theirs)

    def close(self):
        os.close(self.ours)


class Case(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    launcher = ()  # what starts the program, if it is not started directly
    place = None  # where its folder is, if not where temporary files usually are

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tamis-test-", dir=self.place)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    # Running

    def start(self, *arguments, **streams):
        """The program while it runs; ended with the test if nothing else ends it."""
        process = subprocess.Popen(
            [*self.launcher, os.environ["TAMIS_BINARY"], *map(str, arguments)],
            cwd=self.folder,
            start_new_session=True,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            | streams,
        )

        def end():
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

        self.addCleanup(end)
        return process

    def finish(self, process, stdin=None):
        stdout, stderr = process.communicate(stdin, timeout=PATIENCE)
        return Result(process.returncode, stdout or b"", stderr or b"")

    @staticmethod
    def threads_of(process):
        """The most that were seen while it ran."""
        most = 0
        while process.poll() is None:
            try:
                most = max(most, len(os.listdir(f"/proc/{process.pid}/task")))
            except FileNotFoundError:
                break
        return most

    def run_tamis(self, *arguments, stdin=None):
        streams = {} if stdin is None else {"stdin": subprocess.PIPE}
        return self.finish(self.start(*arguments, **streams), stdin)

    def tamis(self, *arguments, stdin=None):
        """Runs the program, which must succeed."""
        result = self.run_tamis(*arguments, stdin=stdin)
        self.assertEqual(result.code, 0, result)
        return result

    made = {}  # files that several tests begin with

    def once(self, name, *arguments):
        """A file that a command makes: made for the first test that wants it, copied for others."""
        key = (type(self), *arguments)
        if key not in self.made:
            self.tamis(*arguments)
            self.made[key] = self.path(name).read_bytes()
        self.path(name).write_bytes(self.made[key])

    def tamis_json(self, *arguments, stdin=None):
        """The one object that --json prints."""
        return json.loads(self.tamis(*arguments, "--json", stdin=stdin).out)

    def refused(self, code, *arguments, says=(), stdin=None):
        """The program must fail with one line that has these words, and leave all as it was."""
        before = self.listing()
        result = self.run_tamis(*arguments, stdin=stdin)
        self.assertEqual(result.code, code, f"{arguments}: {result}")
        self.assert_one_line(result.err, *says)
        self.assertEqual(result.out, "")
        self.assertEqual(self.listing(), before, "files were left behind, changed or removed")
        return result

    def assert_one_line(self, text, *words):
        self.assertEqual(len(text.splitlines()), 1, text)
        self.assertTrue(text.startswith("tamis: "), text)
        self.assertTrue(text.endswith("\n"), text)
        for word in words:
            self.assertIn(word, text)

    def wait_until(self, happened):
        deadline = time.monotonic() + PATIENCE
        while not happened():
            self.assertLess(time.monotonic(), deadline, "waited in vain")
            time.sleep(0.001)

    def wait_for(self, path, process):
        """Until a file is there and has something in it, while the program runs."""
        path = self.path(path)

        def there():
            self.assertIsNone(process.poll(), f"ended before {path.name} was there")
            return path.exists() and path.stat().st_size > 0

        self.wait_until(there)

    # Files

    def path(self, name):
        return self.folder / name

    def listing(self):
        """Every file and what is in it."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        return found

    def names(self):
        return sorted(os.listdir(self.folder))

    def save(self, name, array, type=None):
        array = np.asarray(array) if type is None else np.asarray(array).astype(type)
        np.save(self.path(name), array)
        return array

    def load(self, name):
        return np.load(self.path(name))

    def model(self, name="m.h5"):
        """Everything in a model file: data sets as arrays, attributes as they are."""
        with h5py.File(self.path(name)) as file:
            found = {key: file[key][()] for key in file}
            found |= dict(file.attrs)
        found["settings"] = json.loads(found["settings"])
        return found

    def assert_same_model(self, first, second, names=("W", "A", "B", "c")):
        """The same bits."""
        one, other = self.model(first), self.model(second)
        for name in names:
            self.assertEqual(
                np.asarray(one[name]).tobytes(), np.asarray(other[name]).tobytes(), f"/{name}"
            )


class LongFit(Case):
    """A fit that takes long enough to be stopped in the middle, but ends."""

    # Repetitions of 300 samples
    REPEAT = {"fast": 700, "opgd": 60, "oadmm": 60, "bpgd": 60, "badmm": 60, "orpca": 60,
              "onmf": 60}
    WHOLE = ("bpgd", "badmm")

    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=300).V, "f4")

    def flags(self, algorithm="fast", out="m.h5", *more):
        found = ["fit", "v.npy", "--rank", 4, "--repeat", self.REPEAT[algorithm]]
        found += ["--out", out]
        if algorithm in self.WHOLE:
            found += ["--algorithm", f"{algorithm}:tolerance=0,iterations=60"]
        else:
            found += ["--algorithm", algorithm, "--batch-size", 16]
        return [*found, *more]

    def stopped(self, *arguments, by=signal.SIGINT, when):
        """Stops the program as soon as a file is there."""
        process = self.start(*arguments)
        self.wait_for(when, process)
        process.send_signal(by)
        result = self.finish(process)
        self.assertNotEqual(result.code, 0, "it was too fast to be stopped")
        return result
