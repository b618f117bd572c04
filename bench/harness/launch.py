"""Runs one command; writes its seconds, peak memory and exit code as JSON.

Usage: launch.py REPORT SECONDS BYTES COMMAND ...      both limits must be given

A program of its own, and a small one, because on Linux the peak of a process is at least that of the
one that started it: a child of the driver, with its NumPy, could never be seen to need less than that.
"""

import json
import os
import resource
import signal
import sys
import time


def main():
    report, seconds, size, *command = sys.argv[1:]
    # Memory that is reserved but never used does not count here, as it would for the address space.
    resource.setrlimit(resource.RLIMIT_DATA, (int(size), int(size)))
    start = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, float(seconds))
    _, status, usage = os.wait4(child, 0)
    found = {
        "seconds": time.monotonic() - start,
        "peak_mb": usage.ru_maxrss / 1024,
        "code": os.waitstatus_to_exitcode(status),
    }
    with open(report, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main()
