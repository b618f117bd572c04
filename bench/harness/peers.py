"""The other systems. Run as a program it fits one of them and prints JSON.

Usage: python3 -m harness.peers JOB      JOB: JSON with name, noisy, clean, rank, batch, limit, quality

A peer is a function (X, rank, batch) that imports and prepares what it needs, and returns two others:
one that fits, which is what is timed, and one that reconstructs samples by the peer's own codes.
One pass over the data, where the peer knows passes. To add one: a function here, a line in
contenders.py.
"""

import json
import resource
import sys
import time
import warnings

import numpy as np

from harness.measures import psnr

CLEAR_PEAK = "5"  # what the kernel wants to read to forget the peak


def gensim_nmf(X, rank, batch):
    from gensim.models.nmf import Nmf
    from scipy.sparse import csr_matrix

    corpus = csr_matrix(X).T  # features × samples by columns: the input it is fastest with
    words = {i: str(i) for i in range(X.shape[1])}
    model = Nmf(num_topics=rank, id2word=words, chunksize=batch, passes=1, eval_every=0,
                random_state=0)

    def reconstruct(Y):
        # What its [] does for one sample, without the loop over samples in Python.
        codes = model._solveproj(csr_matrix(Y).T, model._W, v_max=np.inf)
        return (model._W @ codes).T

    return lambda: model.update(corpus), reconstruct


def minibatch_nmf(X, rank, batch, **more):
    from sklearn.decomposition import MiniBatchNMF

    # It would end before it has seen all samples, and spend one iteration on new ones.
    model = MiniBatchNMF(rank, batch_size=batch, max_iter=1, tol=0, max_no_improvement=None,
                         transform_max_iter=200, random_state=0, **more)
    return lambda: model.fit(X), lambda Y: model.transform(Y) @ model.components_


def minibatch_nmf_restarts(X, rank, batch):
    return minibatch_nmf(X, rank, batch, fresh_restarts=True)


def dictionary_learning(X, rank, batch):
    from sklearn.decomposition import MiniBatchDictionaryLearning

    # Chosen for its PSNR on CBCL ×5, settings 1 to 3: 0.003 gives up to 0.02 dB more, 0.03 and 0.1
    # give less, the default of 1 gives 3 dB less (tried on 4,000 samples).
    model = MiniBatchDictionaryLearning(
        rank, alpha=0.01, positive_code=True, positive_dict=True, fit_algorithm="cd",
        transform_algorithm="lasso_cd", batch_size=batch, max_iter=1, tol=0,
        max_no_improvement=None, random_state=0)
    return lambda: model.fit(X), lambda Y: model.transform(Y) @ model.components_


def batch_nmf(X, rank, _):
    from sklearn.decomposition import NMF

    model = NMF(rank, random_state=0)
    return lambda: model.fit(X), lambda Y: model.transform(Y) @ model.components_


def hyperspy_ornmf(X, rank, _):
    from hyperspy.learn.ornmf import ORNMF

    # RobustPGD: the published update; it is faster and better here than the default one.
    model = ORNMF(rank, lambda1=X.shape[1] ** -0.5, method="RobustPGD", random_state=0)
    return lambda: model.fit(X), lambda Y: (model.W @ model.project(Y)).T


PEERS = {peer.__name__: peer for peer in (
    gensim_nmf, minibatch_nmf, minibatch_nmf_restarts, dictionary_learning, batch_nmf,
    hyperspy_ornmf)}


def forget_peak():
    """So that loading and preparing do not count; where it cannot be done, they do."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write(CLEAR_PEAK)
    except OSError:
        pass


def peak_mb():
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            kilobytes = next(line.split()[1] for line in file if line.startswith("VmHWM:"))
    except OSError:
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(kilobytes) / 1024


def main():
    job = json.loads(sys.argv[1])
    warnings.simplefilter("ignore")  # that one pass is not enough to converge
    X = np.array(np.load(job["noisy"], mmap_mode="r")[: job["limit"]])
    fit, reconstruct = PEERS[job["name"]](X, job["rank"], job["batch"])
    forget_peak()
    start = time.perf_counter()
    fit()
    found = {"seconds": time.perf_counter() - start, "peak_mb": peak_mb(), "samples": len(X)}
    if job["quality"] > 0:
        judged = X[: job["quality"]]
        clean = np.load(job["clean"], mmap_mode="r")[: len(judged)]
        found["psnr"] = psnr(clean, reconstruct(judged))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
