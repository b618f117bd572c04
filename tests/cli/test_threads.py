"""Few processors, many threads, other programs beside: always the same bits, and never more threads
than there are processors for."""

import os
import unittest

from _tamis import Case, Planted


class Threads(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=400, features=1200, rank=6).V, "f4")
        self.fit = ["fit", "v.npy", "--rank", 6, "--batch-size", 64, "--quiet", "--out"]
        self.once("one.h5", *self.fit, "one.h5", "--threads", 1)

    def one_processor(self):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    def test_more_threads_than_processors(self):
        for threads in [2, 3, 64, 10**6]:
            self.tamis(*self.fit, f"{threads}.h5", "--threads", threads)
            self.assert_same_model(f"{threads}.h5", "one.h5")

    def test_one_processor_only(self):
        for threads in [0, 1, 8]:
            name = f"{threads}.h5"
            process = self.start(
                *self.fit, name, "--threads", threads, preexec_fn=self.one_processor
            )
            self.assertEqual(self.finish(process).code, 0)
            self.assert_same_model(name, "one.h5")

    def test_no_more_threads_than_the_process_may_use(self):
        flags = ["--repeat", 100]

        def most(**streams):
            process = self.start(*self.fit, "x.h5", "--force", *flags, **streams)
            found = self.threads_of(process)
            self.assertEqual(self.finish(process).code, 0)
            return found

        # One that computes and one that reads
        self.assertLessEqual(most(preexec_fn=self.one_processor), 2)
        self.assertLessEqual(most(), len(os.sched_getaffinity(0)) + 2)

    def test_many_programs_at_once(self):
        names = [f"{i}.h5" for i in range(6)]
        processes = [self.start(*self.fit, name, "--threads", 0) for name in names]
        for process, name in zip(processes, names):
            self.assertEqual(self.finish(process).code, 0)
            self.assert_same_model(name, "one.h5")


if __name__ == "__main__":
    unittest.main()
