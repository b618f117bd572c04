"""Threads that use one estimator."""

from __future__ import annotations

import os
import threading
from typing import Any


class Turns:
    """Lets in one thread at a time.

    A copy or an unpickled one begins anew, and so does that of a forked process: whoever was inside
    is not there.
    """

    def __init__(self) -> None:
        self._locks: dict[int, Any] = {}  # of processes

    def _lock(self) -> Any:
        return self._locks.setdefault(os.getpid(), threading.RLock())

    def __enter__(self) -> None:
        self._lock().acquire()

    def __exit__(self, *raised: object) -> None:
        self._lock().release()

    def __reduce__(self) -> Any:
        return Turns, ()
