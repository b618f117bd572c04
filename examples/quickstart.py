import numpy as np

from tamis import RobustNMF

# Samples are rows. These are made of ten parts, and every tenth entry is wrong.
random = np.random.default_rng(0)
parts = random.random((10, 200)) * (random.random((10, 200)) < 0.2)
clean = random.random((5000, 10)) * (random.random((5000, 10)) < 0.3) @ parts
X = np.abs(clean + random.normal(0, 0.01, clean.shape))
wrong = random.random(X.shape) < 0.1
X[wrong] = random.uniform(0, 1, wrong.sum())

model = RobustNMF(n_components=10).fit(X)  # or partial_fit, as samples arrive
H, R = model.transform(X, return_outliers=True)  # X ≈ HW + R, W = model.components_
denoised = model.inverse_transform(H)

print(f"mean error: {np.abs(X - clean).mean():.4f} as given, "
      f"{np.abs(denoised - clean).mean():.4f} denoised")  # fmt: skip
