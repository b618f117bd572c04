"""Beside scikit-learn's MiniBatchNMF, on samples of which some entries are wrong.

    python3 examples/compare.py

Needs scikit-learn.
"""

import sys
import time

import numpy as np

from tamis import RobustNMF


def samples(share, seed=0):
    """Clean samples of twelve parts, and the same with a share of wrong entries."""
    random = np.random.default_rng(seed)
    parts = random.random((12, 300)) * (random.random((12, 300)) < 0.15)
    clean = random.random((6000, 12)) * (random.random((6000, 12)) < 0.4) @ parts
    clean /= clean.max()
    X = np.clip(clean + random.normal(0, 0.01, clean.shape), 0, 1)
    wrong = random.random(X.shape) < share
    X[wrong] = random.random(wrong.sum())
    return clean.astype(np.float32), X.astype(np.float32)


def main():
    try:
        from sklearn.decomposition import MiniBatchNMF
    except ImportError:
        sys.exit("skipped: scikit-learn is not installed")

    print("wrong   model          seconds   error of the reconstruction")
    for share in (0.0, 0.05, 0.2):
        clean, X = samples(share)
        for model in (
            RobustNMF(n_components=12),
            MiniBatchNMF(n_components=12, random_state=0),
        ):
            begin = time.perf_counter()
            H = model.fit_transform(X)
            seconds = time.perf_counter() - begin
            error = np.sqrt(np.mean((H @ model.components_ - clean) ** 2))
            print(f"{share:5.0%}   {type(model).__name__:14} {seconds:7.2f}   {error:.4f}")


if __name__ == "__main__":
    main()
