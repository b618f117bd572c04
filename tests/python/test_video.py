"""tamis.video: the same masks as the program's, and errors that help."""

import inspect
import threading
import unittest

import numpy as np
from _data import Case

from tamis.video import BackgroundModel


def wanderer(count=60, shape=(36, 48), channels=(), seed=0):
    """Frames of a wall with a bright square that wanders, and where the square is."""
    random = np.random.default_rng(seed)
    wall = random.integers(60, 160, (*shape, *channels))
    frames = wall + random.integers(-2, 3, (count, *wall.shape))
    truth = np.zeros((count, *shape), bool)
    for t in range(count):
        at = np.s_[8:20, (t * 2) % 40 : (t * 2) % 40 + 8]
        frames[t][at] = 245
        truth[t][at] = True
    return frames.astype(np.uint8), truth, wall


class Video(Case):
    def test_masks_are_those_of_the_program(self):
        frames, _, _ = wanderer()
        self.save("frames.npy", frames)
        self.tamis("separate", "frames.npy", "--live", "--mask", "mask.npy", "--background",
                   "background.npy", "--warmup", 12, "--threshold", 20)  # fmt: skip
        model = BackgroundModel(warmup=12, threshold=20)
        masks = np.array([model.apply(frame) for frame in frames])
        self.assertTrue(masks.any())
        np.testing.assert_array_equal(masks, self.load("mask.npy"))
        np.testing.assert_array_equal(model.background(), self.load("background.npy")[-1])

    def test_a_setting_named_by_a_word_of_python(self):
        frames, _, _ = wanderer(count=30)
        masks = []
        for settings in ({}, {"lambda_": "auto:2"}, {"mask_rule": "outlier", "lambda_": 0.5}):
            model = BackgroundModel(**settings)
            masks.append([model.apply(frame) for frame in frames])
        np.testing.assert_array_equal(masks[0], masks[1])  # the default
        self.assertFalse(np.array_equal(masks[0], masks[2]))

    def test_what_moves_is_found(self):
        for channels in ((), (3,)):
            frames, truth, wall = wanderer(channels=channels)
            model = BackgroundModel(warmup=16)
            masks = np.array([model.apply(frame) for frame in frames])
            self.assertEqual(masks.dtype, np.uint8)
            self.assertEqual(set(np.unique(masks)), {0, 255})
            found, real = masks[20:] == 255, truth[20:]
            self.assertGreater(2 * (found & real).sum() / (found.sum() + real.sum()), 0.85)
            self.assertEqual(model.background().shape, wall.shape)
            self.assertLess(np.abs(model.background() - wall.astype(float)).mean(), 4)

    def test_a_frame_need_not_be_contiguous(self):
        frames, _, _ = wanderer(count=20)
        a, b = BackgroundModel(), BackgroundModel()
        for frame in frames:
            apart = np.zeros((frame.shape[0], 2 * frame.shape[1]), np.uint8)
            apart[:, ::2] = frame
            np.testing.assert_array_equal(a.apply(frame), b.apply(apart[:, ::2]))

    def test_another_size_begins_anew(self):
        model = BackgroundModel(warmup=4)
        for frame in wanderer(count=10)[0]:
            model.apply(frame)
        self.assertEqual(model.restarts, [])
        small = wanderer(count=1, shape=(20, 44))[0][0]
        self.assertEqual(model.apply(small).shape, (20, 44))
        self.assertEqual(model.restarts, [10])

    def test_before_the_first_frame_there_is_no_background(self):
        self.assertEqual(BackgroundModel().background().size, 0)

    def test_errors_say_what_is_wrong(self):
        with self.assertRaisesRegex(TypeError, "threshhold.*threshold"):
            BackgroundModel(threshhold=3)
        with self.assertRaisesRegex(ValueError, "rank = 0, must be"):
            BackgroundModel(rank=0)
        with self.assertRaisesRegex(TypeError, "uint8.*float64"):
            BackgroundModel().apply(np.zeros((4, 4)))
        for shape in ((4,), (4, 4, 2), (1, 4, 4, 3)):
            with self.assertRaisesRegex(ValueError, "height, width"):
                BackgroundModel().apply(np.zeros(shape, np.uint8))
        with self.assertRaisesRegex(ValueError, "pixels"):
            BackgroundModel().apply(np.zeros((0, 4), np.uint8))

    def test_help_lists_the_settings(self):
        parameters = inspect.signature(BackgroundModel).parameters
        self.assertEqual(parameters["rank"].default, 5)
        for name in parameters:
            self.assertIn(f"\n{name} : ", BackgroundModel.__doc__)
        self.assertRegex(BackgroundModel.__doc__, r"\nlambda_ : .*auto.*, default=auto")
        self.assertRegex(BackgroundModel.__doc__, r"\nsteady : true or false, default=")

    def test_models_in_several_threads(self):
        frames, _, _ = wanderer(count=30)
        alone = BackgroundModel(warmup=8)
        wanted = [alone.apply(frame) for frame in frames]
        results = [[] for _ in range(3)]

        def work(result):
            model = BackgroundModel(warmup=8)
            result.extend(model.apply(frame) for frame in frames)

        threads = [threading.Thread(target=work, args=(result,)) for result in results]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            np.testing.assert_array_equal(result, wanted)


if __name__ == "__main__":
    unittest.main()
