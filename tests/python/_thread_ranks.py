"""Ranks without MPI: threads that meet."""

import threading

import numpy as np

PATIENCE = 120  # seconds after which something hangs; never reached when all is well


class Meeting:
    """What the ranks of one group share."""

    def __init__(self, size):
        self.size = size
        self.barrier = threading.Barrier(size, timeout=PATIENCE)
        self.brought = [None] * size
        self.lengths = []  # of what was added up, meeting by meeting


class ThreadComm:
    """A rank with what tamis uses of a communicator of mpi4py."""

    def __init__(self, rank, meeting):
        self._rank, self._meeting = rank, meeting

    def Get_rank(self):
        return self._rank

    def Get_size(self):
        return self._meeting.size

    def Allreduce(self, mine, sums):
        meeting = self._meeting
        meeting.brought[self._rank] = mine
        meeting.barrier.wait()
        sums[:] = sum(meeting.brought[1:], meeting.brought[0])
        if self._rank == 0:
            meeting.lengths.append(len(mine))
        meeting.barrier.wait()

    def __repr__(self):
        return f"<rank {self._rank}>"


def together(size, work):
    """work(comm) by every rank; their results, or the first thing that one of them raised."""
    meeting = Meeting(size)
    results, errors = [None] * size, []

    def run(rank):
        try:
            results[rank] = work(ThreadComm(rank, meeting))
        except BaseException as error:
            errors.append(error)
            meeting.barrier.abort()

    threads = [threading.Thread(target=run, args=[rank]) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def parts(X, size, tau):
    """The samples of each rank, so that their mini-batches of τ, one after another, make up those
    of size·τ samples of X."""
    numbers = np.arange(len(X)) // tau % size
    return [X[numbers == rank] for rank in range(size)]
