"""A pipeline: samples go into the program as fast as it takes them, its output is read slowly."""

import io
import threading
import time

import numpy as np

PATIENT = 0.002  # seconds between two looks whether the writer still gets on
CALM = 10  # looks without progress after which it is taken to be held up


def endless_header(features):
    """An array of 32-bit numbers that goes on until the input ends."""
    buffer = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": (-1, features)}
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue()


class Writer(threading.Thread):
    """Writes the blocks to a pipe; knows how many bytes went in."""

    def __init__(self, pipe, header, blocks):
        super().__init__(daemon=True)
        self.pipe, self.header, self.blocks = pipe, header, blocks
        self.written = 0
        self.problem = None

    def run(self):
        try:
            self.pipe.write(self.header)
            for block in self.blocks:
                view = memoryview(block).cast("B")
                for begin in range(0, len(view), 1 << 16):
                    piece = view[begin : begin + (1 << 16)]
                    self.pipe.write(piece)
                    self.written += len(piece)
            self.pipe.close()
        except (OSError, ValueError) as problem:
            self.problem = problem

    def wait_until_held_up(self):
        """Until it cannot write any more, or has written everything."""
        looks, before = 0, -1
        while self.is_alive() and looks < CALM:
            time.sleep(PATIENT)
            looks = looks + 1 if self.written == before else 0
            before = self.written


class SlowReader:
    """Reads arrays that follow each other, as .npy on a pipe, in bursts."""

    def __init__(self, pipe, writer, burst):
        self.pipe, self.writer, self.burst = pipe, writer, burst
        self.read = 0

    def arrays(self):
        """One array after the other; waits for the writer to be held up after each burst."""
        while True:
            start = self.take(10)
            if not start:
                return
            header = start + self.take(int.from_bytes(start[8:10], "little"))
            stream = io.BytesIO(header)
            np.lib.format.read_magic(stream)
            shape, _, type = np.lib.format.read_array_header_1_0(stream)
            data = self.take(int(np.prod(shape)) * type.itemsize)
            yield np.frombuffer(data, type).reshape(shape)

    def take(self, size):
        pieces, missing = [], size
        while missing > 0:
            if self.read // self.burst != (self.read + missing) // self.burst:
                self.writer.wait_until_held_up()
            piece = self.pipe.read(min(missing, self.burst))
            if not piece:
                break
            self.read += len(piece)
            missing -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)
