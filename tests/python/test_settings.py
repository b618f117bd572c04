"""Every setting of the library is a parameter; what it refuses is refused in its words."""

import inspect
import json
import unittest

import numpy as np
from _data import Case, noisy

import tamis
from tamis import RobustNMF, _core


class Keywords(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy().V

    def test_every_option_of_every_choice_by_keyword(self):
        renamed = {"lambda": "lambda_"}
        for name, _, form, _ in _core.describe_choices():
            words = name.split()
            if len(words) != 2 or words[0] == "algorithm":
                continue
            setting, option = words
            value = 0.25 if form == "a number" else option
            given = {renamed.get(setting, setting): value}
            if setting == "code_penalty" and option != "none":
                given["constraint"] = "ball"
            if (setting, option) == ("constraint", "none"):
                given["allow_negative"] = True
            with self.subTest(name):
                model = RobustNMF(4, **given).fit(self.X[:128])
                self.assertTrue(str(model.settings_[setting]).startswith(str(value)))

    def test_every_other_setting_arrives(self):
        names = {"rank": "n_components", "epochs": "max_iter", "seed": "random_state"}
        tried = 0
        for setting, default, allowed, _ in _core.describe_settings():
            if allowed.startswith("true"):
                value = default != "true"
            elif allowed.startswith("whole"):
                value = 2
            elif allowed.startswith("above"):
                value = 0.5
            else:
                continue
            tried += 1
            with self.subTest(setting):
                model = RobustNMF(**{"n_components": 4, names.get(setting, setting): value})
                self.assertEqual(model.fit(self.X).settings_[setting], value)
        self.assertGreaterEqual(tried, 10)

    def test_parameters_of_options(self):
        model = RobustNMF(4, constraint="elastic-net:0.1,g2=0.5", forget="decay:0.99").fit(self.X)
        self.assertEqual(model.settings_["constraint"], "elastic-net:0.1,0.5")
        self.assertEqual(model.settings_["forget"], "decay:0.99")
        bound = 0.1 * model.components_.sum(1) + 0.25 * (model.components_**2).sum(1)
        self.assertTrue((bound <= 1 + 1e-6).all())

    def test_groups(self):
        groups = [list(range(12)), np.arange(12, 24)]
        model = RobustNMF(4, outlier_penalty="group", outlier_groups=groups, lambda_=0.2)
        _, R = model.fit(self.X).transform(self.X, return_outliers=True)
        for group in groups:
            block = R[:, np.asarray(group)]
            self.assertTrue(((block == 0).all(1) | ((block != 0).sum(1) > 6)).all())
        RobustNMF(4, code_penalty="group:0.1", code_groups=[[0, 1], [2, 3]]).fit(self.X)
        with self.assertRaisesRegex(ValueError, "outlier_groups"):
            model.set_params(outlier_groups=[[0, 1]]).fit(self.X)

    def test_the_dictionary_penalty_as_text_or_pair(self):
        for value in ("0.1,0.2", (0.1, 0.2), [np.float32(0.1), 0.2]):
            model = RobustNMF(4, dictionary_penalty=value).fit(self.X)
            l1, l2 = map(float, model.settings_["dictionary_penalty"].split(","))
            self.assertAlmostEqual(l1, 0.1, places=6)
            self.assertEqual(l2, 0.2)

    def test_infinity(self):
        model = RobustNMF(4, lambda_=np.inf, max_outlier=float("inf")).fit(self.X)
        self.assertEqual(model.settings_["lambda"], "inf")
        self.assertTrue((model.transform(self.X, return_outliers=True)[1] == 0).all())


class Refused(Case):
    """Messages are those of the library, in the names of Python."""

    def test_values(self):
        X = noisy(50).V
        for given, words in (
            ({"n_components": 0}, "^n_components = 0, must be at least 1"),
            ({"n_components": "a"}, "^n_components: .* not a whole number"),
            ({"n_components": 2.5}, "^n_components: 2.5 is not a whole number"),
            ({"constraint": "bal"}, 'did you mean "ball"'),
            ({"lambda_": -1}, "^lambda_ = -1"),
            ({"lambda_": np.nan}, "lambda"),
            ({"max_iter": 0}, "^max_iter = 0"),
            ({"random_state": -1}, "^random_state"),
            ({"code_penalty": "lasso", "constraint": "nonneg"}, "code_penalty"),
            ({"n_components": 0, "batch_size": -1}, "(?s)n_components.*batch_size"),
            ({"algorithm": "onmf", "missing": True}, "onmf"),
        ):
            with self.subTest(given), self.assertRaisesRegex(ValueError, words):
                RobustNMF(**given).fit(X)
        with self.assertRaises(TypeError):
            RobustNMF(constraint=object()).fit(X)
        with self.assertRaises(TypeError):
            RobustNMF(rank=3)
        with self.assertRaises(TypeError):
            RobustNMF(callback=3).fit(X)

    def test_how_accurate_codes_are(self):
        X = noisy(50).V
        model = RobustNMF(2).fit(X)
        for given, kind, words in (
            ({"transform_tol": "a"}, TypeError, "^transform_tol: 'a' is not a number$"),
            ({"transform_tol": -1}, ValueError, "^transform_tol = -1.0, must be at least 0$"),
            ({"transform_tol": np.nan}, ValueError, "^transform_tol = nan"),
            ({"transform_max_iter": 2.5}, TypeError, "^transform_max_iter: 2.5 is not a whole num"),
            ({"transform_max_iter": 0}, ValueError, "^transform_max_iter = 0, must be at least 1$"),
            ({"threads": "all"}, TypeError, "^threads: 'all' is not"),
            ({"threads": -1}, ValueError, "^threads = -1, must be at least 0$"),
        ):
            with self.subTest(given), self.assertRaisesRegex(kind, words):
                RobustNMF(2).fit(X).set_params(**given).transform(X)
        H = RobustNMF(2, threads=None).fit(X).transform(X)
        np.testing.assert_array_equal(H, model.transform(X))

    def test_seeds(self):
        X = noisy(50).V
        for seed in (2**64, 2**70, -1):
            with self.assertRaisesRegex(ValueError, rf"^random_state = {seed}, must be from 0 to"):
                RobustNMF(2, random_state=seed).fit(X)
        self.assertEqual(RobustNMF(2, random_state=2**64 - 1).fit(X).settings_["seed"], 2**64 - 1)

    def test_names_in_the_middle_of_a_message(self):
        X = noisy(50).V
        for given in ({"init": "samples", "batch_size": 3}, {"init": "nndsvd", "batch_size": 3}):
            with self.assertRaisesRegex(ValueError, "at least n_components = 4 samples"):
                RobustNMF(4, **given).fit(X)
        with self.assertRaisesRegex(ValueError, "n_components = 30, features = 24"):
            RobustNMF(30, init="nndsvd").fit(X)

    def test_a_loss_that_is_not_finite(self):
        for learn in ("fit", "partial_fit"):
            with self.assertRaisesRegex(FloatingPointError, "scale the data, or use float64$"):
                getattr(RobustNMF(2), learn)(np.full((100, 5), 1e30, np.float32))
            with self.assertRaisesRegex(FloatingPointError, "scale the data$"):
                getattr(RobustNMF(2, lambda_=0.1), learn)(np.full((100, 5), 1e200))

    def test_a_failed_fit_leaves_what_was_there(self):
        X = noisy(100).V
        model = RobustNMF(4).fit(X)
        before = model.components_
        with self.assertRaises(ValueError):
            model.fit(-X[:, :3])
        np.testing.assert_array_equal(model.components_, before)
        self.assertEqual(model.transform(X).shape, (100, 4))


class Tuned(RobustNMF):
    """A subclass as scikit-learn's users write it."""

    def __init__(self, n_components=5, extra=1):
        super().__init__(n_components, lambda_=0.5)
        self.extra = extra


class OtherNames(RobustNMF):
    def __init__(self, n_atoms=5):
        super().__init__(n_components=n_atoms)
        self.n_atoms = n_atoms


class Subclasses(Case):
    def test_a_constructor_of_their_own(self):
        X = noisy(100).V
        model = Tuned(4, extra=2).fit(X)
        expected = RobustNMF(4, lambda_=0.5).fit(X)
        np.testing.assert_array_equal(model.components_, expected.components_)
        self.assertEqual(model.get_params(), {"n_components": 4, "extra": 2})
        self.assertEqual(OtherNames(3).fit(X).components_.shape, (3, 24))
        with self.assertRaises(TypeError):
            Tuned(algorithm="fast")

    def test_files(self):
        X = noisy(100).V
        for model in (Tuned(4), OtherNames(4)):
            model.fit(X).save(self.path("m.h5"))
            loaded = type(model).load(self.path("m.h5"))
            self.assertEqual((loaded.n_components, loaded.lambda_), (4, model.settings_["lambda"]))
            np.testing.assert_array_equal(loaded.transform(X), model.transform(X))


class Signature(unittest.TestCase):
    def test_every_setting_is_a_parameter_with_its_default(self):
        renamed = {"rank": "n_components", "lambda": "lambda_", "epochs": "max_iter",
                   "seed": "random_state"}
        parameters = inspect.signature(RobustNMF).parameters
        defaults = json.loads(_core.Estimator64("{}", False).settings)
        for name, default, *_ in _core.describe_settings():
            value = parameters[renamed.get(name, name)].default
            if value is not None:
                text = defaults[name]
                found = str(text).split(":")[0] if isinstance(value, str) else text
                self.assertEqual(found, value, name)
        self.assertEqual(next(iter(parameters)), "n_components")

    def test_the_docstring_names_all_parameters_and_public_attributes(self):
        text = RobustNMF.__doc__
        for name in inspect.signature(RobustNMF).parameters:
            self.assertIn(f"\n{name} : ", text)
        properties = inspect.getmembers(RobustNMF, lambda value: isinstance(value, property))
        public = [name for name, _ in properties if not name.startswith("_")]
        self.assertGreater(len(public), 5)
        for name in public:
            self.assertIn(f"\n{name} : ", text)
        self.assertEqual(tamis.__version__, _core.__version__)


if __name__ == "__main__":
    unittest.main()
