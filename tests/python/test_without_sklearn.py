"""scikit-learn is not needed: the same numbers without it. Nor is Dask, or MPI."""

import subprocess
import sys
import unittest

import numpy as np
from _data import Case, noisy

from tamis import RobustNMF

HIDDEN = """
import sys
sys.modules["sklearn"] = None
import numpy as np
import pickle
from tamis import RobustNMF
from tamis._base import HAS_SKLEARN, NotFittedError
assert not HAS_SKLEARN
X = np.load("x.npy")
model = RobustNMF(4, lambda_=0.2)
assert repr(model) == "RobustNMF(n_components=4, lambda_=0.2)", repr(model)
assert model.get_params()["n_components"] == 4
model.set_params(lambda_=None)
try:
    model.set_params(rank=3)
    raise SystemExit("an unknown parameter was accepted")
except ValueError:
    pass
try:
    model.transform(X)
    raise SystemExit("transformed without a model")
except NotFittedError:
    pass
np.save("H.npy", model.fit_transform(X))
model.fit(X.tolist())
model.partial_fit(X[:64])
pickle.loads(pickle.dumps(model)).score(X)
assert list(model.get_feature_names_out()) == [f"robustnmf{k}" for k in range(4)]
for bad in (X[0], X[:0], X[:, :0], X + 1j, X[:, :3], [["a"]]):
    try:
        model.transform(bad)
        raise SystemExit("accepted")
    except ValueError:
        pass
try:
    import scipy.sparse
    model.fit(scipy.sparse.csr_matrix(X))
    raise SystemExit("sparse: accepted")
except TypeError as error:
    assert "toarray" in str(error), error
except ImportError:
    pass
"""


class Without(Case):
    def test_the_same_codes(self):
        X = self.save("x.npy", noisy().V)
        result = subprocess.run(
            [sys.executable, "-c", HIDDEN], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        np.testing.assert_array_equal(self.load("H.npy"), RobustNMF(4).fit_transform(X))

    def test_dask_is_asked_for_by_name(self):
        for name in ("dask", "distributed"):
            script = f"import sys; sys.modules['{name}'] = None; import tamis; import tamis.dask"
            result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
            self.assertRegex(result.stderr, "ImportError: tamis.dask needs .*python3-distributed")

    def test_nothing_is_loaded_before_it_is_needed(self):
        script = "import sys, tamis; print({'dask', 'distributed', 'mpi4py'} & set(sys.modules))"
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(result.stdout, "set()\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
