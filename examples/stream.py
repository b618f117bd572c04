"""A stream larger than memory: samples in a memory-mapped file, learned from without loading it.

    python3 examples/stream.py [--megabytes 200]

Memory stays the same however long the file is.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from tamis import RobustNMF

FEATURES = 1000


def write(path, megabytes):
    """Samples of twenty parts with gross errors, block by block."""
    random = np.random.default_rng(0)
    parts = random.random((20, FEATURES), dtype="f4") * (random.random((20, FEATURES)) < 0.1)
    shape = (megabytes * 250, FEATURES)  # 4 bytes an entry
    file = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
    for first in range(0, len(file), 1000):
        block = file[first : first + 1000]
        block[:] = (random.random((len(block), 20)) < 0.3) @ parts
        block += np.abs(random.normal(0, 0.02, block.shape))
        wrong = random.random(block.shape, dtype="f4") < 0.05
        block[wrong] = random.random(wrong.sum(), dtype="f4")


def own_memory():
    """Megabytes that this process has for itself, on Linux: pages of the file are the system's."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=200)
    megabytes = parser.parse_args().megabytes

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.npy"
        write(path, megabytes)
        X = np.load(path, mmap_mode="r")
        memory = [own_memory()]

        def watch(_):
            memory.append(own_memory())

        model = RobustNMF(n_components=20, callback=watch, verbose=1).fit(X)
        print(f"{len(X)} samples, {X.nbytes / 1e6:.0f} MB, in {model.n_iter_} pass; "
              f"the fit needed {max(memory) - memory[0]:.0f} MB")  # fmt: skip

        # The same as samples arrive, without a file:
        stream = RobustNMF(n_components=20)
        for first in range(0, 6400, 64):
            stream.partial_fit(X[first : first + 64])
        print(f"explained of new samples: {stream.score(X[-1000:]):.1%}")


if __name__ == "__main__":
    main()
