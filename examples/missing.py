"""Missing entries: ratings of which most were never given, and some by mistake.

    python3 examples/missing.py
"""

import numpy as np

from tamis import RobustNMF


def main():
    random = np.random.default_rng(0)
    taste = random.gamma(0.5, 1, (3000, 5))
    quality = random.gamma(0.5, 1, (5, 60))
    truth = taste @ quality
    truth *= 5 / np.quantile(truth, 0.99)

    X = truth + random.normal(0, 0.05, truth.shape)
    mistakes = random.random(X.shape) < 0.03
    X[mistakes] = random.uniform(0, 5, mistakes.sum())
    X = np.clip(X, 0, None)
    unknown = random.random(X.shape) < 0.6
    X[unknown] = np.nan  # NaN marks what is missing

    model = RobustNMF(n_components=5, max_iter=10, transform_max_iter=20_000).fit(X)
    guessed = model.inverse_transform(model.transform(X))

    error = np.abs(guessed - truth)[unknown].mean()
    of_means = np.abs(np.nanmean(X, axis=0) - truth)[unknown].mean()
    print(f"{unknown.mean():.0%} of {X.size} ratings are missing")
    print(f"their mean error: {error:.3f}, of the mean rating instead: {of_means:.3f}")


if __name__ == "__main__":
    main()
