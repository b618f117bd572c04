"""Shows how far a fit has come."""

from __future__ import annotations

import sys
import time


class Shown:
    """A progress bar by tqdm, or lines on standard error where there is no tqdm."""

    interval = 0.1  # seconds between two looks

    def __init__(self):
        self._bar = None
        self._next_line = 0.0

    def __call__(self, progress):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._line(progress)
            return
        if self._bar is None:
            self._bar = tqdm(total=progress.total, unit=" samples", unit_scale=True)
        self._bar.update(progress.samples - self._bar.n)
        self._bar.set_postfix(objective=f"{progress.objective:.4g}", refresh=False)

    def _line(self, progress):
        now = time.monotonic()
        if now < self._next_line:
            return
        self._next_line = now + 1
        total = "" if progress.total is None else f" of {progress.total}"
        print(
            f"tamis: {progress.samples}{total} samples, objective {progress.objective:.4g}",
            file=sys.stderr,
        )

    def finish(self, samples, objective):
        """The last numbers."""
        if self._bar is not None:
            self._bar.update(samples - self._bar.n)
            self._bar.set_postfix(objective=f"{objective:.4g}")

    def close(self):
        """The end of the fit, also if it failed."""
        if self._bar is not None:
            self._bar.close()


def goes_on(answer):
    """Whether the fit goes on after this answer of a callback; most have none."""
    return answer is None or bool(answer)


class Both:
    """A user's callback, and what is shown."""

    interval = 0.0

    def __init__(self, callback, shown):
        self._callback = callback
        self._shown = shown

    def __call__(self, progress):
        self._shown(progress)
        return self._callback(progress)
