"""What the tests of the Python package share; the rest is that of the tests of the program."""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from _tamis import ALGORITHMS, Case, Planted, psnr  # noqa: E402,F401

ONLINE = ["fast", "opgd", "oadmm", "orpca", "onmf"]

try:
    import sklearn  # noqa: F401

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False


def skip_all(why):
    """Ends a script of tests that cannot be run here, in the way that CTest counts as skipped."""
    print(f"skipped: {why}")
    sys.exit(77)


def noisy(samples=600, seed=0, **shape):
    """Planted data with some noise, whose parts can be found: few samples have all of them."""
    planted = Planted(samples=samples, seed=seed, **shape)
    random = np.random.default_rng(seed + 1)
    planted.H *= random.random(planted.H.shape) < 0.6
    planted.clean = planted.H @ planted.W
    noise = random.normal(0, 0.01, planted.V.shape)
    wrong = random.uniform(0, 1, planted.V.shape)
    planted.V = np.where(planted.wrong, wrong, np.clip(planted.clean + noise, 0, None))
    return planted


def matched(found, truth):
    """For every true atom the cosine of the angle to the nearest found one."""
    found = found / np.linalg.norm(found, axis=1, keepdims=True)
    truth = truth / np.linalg.norm(truth, axis=1, keepdims=True)
    return (truth @ found.T).max(axis=1)
