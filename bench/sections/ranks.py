"""Several MPI processes: strong and weak scaling, and what a step costs.

Model of the seconds of a step (a mini-batch of τ samples on each of P ranks, one thread each):

    τ·F·K·a + τ·F·b + F·K²·c            encoding and the update, slower by P/cores if P > cores
    + s·log₂P + 2(P − 1)/P · 8(FK + K²)·w    the all-reduce: start-up s per stage, w per byte

Its coefficients are fitted to all measured steps at once, none of them negative.
"""

import functools
import json
import math
import os
import shutil

import numpy as np

from harness import table
from harness.measures import interleaved
from harness.process import Failed, measured
from sections import late_ranks

RANKS = (1, 2, 3, 4)
SAMPLES, FEATURES, RANK, BATCH = 32_000, 400, 49, 64
SHAPES = ((400, 10), (400, 49), (3_200, 10), (3_200, 49), (12_800, 10))  # F, K of the model
STEPS = 40
TERMS = ("a", "b", "c", "s", "w")

# A cluster on paper: what its nodes and network are assumed to be.
CLUSTER = {"cores": 64, "latency": 2e-6, "bytes_per_second": 12.5e9}
LARGE = {"features": 10_000, "samples": 100_000_000, "rank": 49, "batch": 64}


def measure(bench):
    if shutil.which("mpirun") is None:
        return {"skipped": "no mpirun"}
    try:
        run(bench, bench.data.synthetic(640, 50).noisy, 2, 5, 16, 640)
    except Failed as failure:
        return {"skipped": str(failure)}
    ranks = RANKS[:2] if bench.quick else RANKS
    steps = costs(bench, ranks)
    model, error = fitted(steps)
    return {"ranks": list(ranks), "cores": os.cpu_count(), "features": FEATURES, "rank": RANK,
            "batch": BATCH, "strong": scaling(bench, ranks, strong=True),
            "weak": scaling(bench, ranks, strong=False), "steps": steps, "model": model,
            "model_error": error, "cluster": CLUSTER, "large": LARGE, "paper": on_paper(model),
            "late": late_ranks.measure(bench, functools.partial(run, bench))}


def run(bench, data, ranks, atoms, batch, samples, *flags):
    """Seconds of all phases but reading and writing, of a fit by so many ranks."""
    program = bench.program
    done = measured([
        "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", ranks, program.path, "fit", data,
        "--rank", atoms, "--batch-size", batch, "--limit", samples, "--threads", 1,
        "--out", program.folder / "ranks.h5", "--json", "--quiet", "--force", *flags])
    found = json.loads(done.output)
    phases = {phase: found["seconds"][phase] for phase in ("encode", "reduce", "update")}
    return {"seconds": sum(phases.values()), "phases": phases, "reduce": phases["reduce"],
            "batches": found["batches"], "objective": found["objective"]}


def scaling(bench, ranks, strong):
    """The same work for more ranks, or as much more work."""
    samples = 2_000 if bench.quick else SAMPLES
    most = samples * max(ranks)
    data = bench.data.synthetic(most, FEATURES).noisy
    rows = []
    runs = {P: lambda P=P: run(bench, data, P, RANK, BATCH * max(ranks) // P if strong else BATCH,
                               samples if strong else samples * P)["seconds"] for P in ranks}
    seconds = interleaved(runs, bench.repeats)
    for P in ranks:
        seen = samples if strong else samples * P
        rows.append({"ranks": P, "samples": seen, "seconds": seconds[P],
                     "speedup": seen / samples * seconds[1] / seconds[P]})
    return rows


def costs(bench, ranks):
    rows = []
    for F, K in SHAPES[:2] if bench.quick else SHAPES:
        data = bench.data.synthetic(STEPS * BATCH * max(ranks), F).noisy
        for P in ranks:
            for tau in (BATCH // 4, BATCH):
                best = min((run(bench, data, P, K, tau, STEPS * tau * P)
                            for _ in range(bench.repeats)), key=lambda found: found["seconds"])
                rows.append({"F": F, "K": K, "tau": tau, "P": P,
                             "step": best["seconds"] / best["batches"],
                             "reduce": best["reduce"] / best["batches"]})
    return rows


def bytes_of(F, K):
    return 8 * (F * K + K * K)


def terms(row, cores):
    F, K, tau, P = (row[name] for name in ("F", "K", "tau", "P"))
    crowded = max(1.0, P / cores)
    return [crowded * tau * F * K, crowded * tau * F, crowded * F * K * K,
            math.log2(P), 2 * (P - 1) / P * bytes_of(F, K)]


def fitted(steps):
    """Least squares of relative errors, with coefficients ≥ 0; and the median relative error."""
    from scipy.optimize import nnls

    seconds = np.array([row["step"] for row in steps])
    design = np.array([terms(row, os.cpu_count()) for row in steps])
    scale = np.where(design.max(0) > 0, design.max(0), 1)
    found, _ = nnls(design / scale / seconds[:, None], np.ones(len(seconds)))
    found /= scale
    errors = np.abs(design @ found / seconds - 1)
    return dict(zip(TERMS, map(float, found))), float(np.median(errors))


def on_paper(model):
    """Seconds of a pass over LARGE on the assumed cluster, a rank per node."""
    F, K, tau, N = (LARGE[name] for name in ("features", "rank", "batch", "samples"))
    rows = []
    for nodes in (1, 10, 100, 1_000):
        tau_node = tau * CLUSTER["cores"]
        compute = (tau_node * F * (K * model["a"] + model["b"]) + F * K * K * model["c"])
        compute /= CLUSTER["cores"]
        wire = 0.0
        if nodes > 1:
            wire = (CLUSTER["latency"] * math.log2(nodes)
                    + 2 * (nodes - 1) / nodes * bytes_of(F, K) / CLUSTER["bytes_per_second"])
        steps = math.ceil(N / (tau_node * nodes))
        rows.append({"nodes": nodes, "batch": tau_node * nodes, "steps": steps,
                     "compute": compute, "wire": wire, "seconds": steps * (compute + wire)})
    return rows


def scaling_table(section):
    rows = []
    for strong, weak in zip(section["strong"], section["weak"]):
        rows.append([strong["ranks"], table.number(strong["seconds"]),
                     f"{strong['speedup']:.2f}", table.number(weak["seconds"]),
                     f"{weak['speedup']:.2f}"])
    return ["ranks", "same work, s", "faster ×", "work × ranks, s", "more per second ×"], rows


def paper_table(section):
    return (["nodes", "mini-batch", "steps", "compute, ms", "all-reduce, ms", "a pass, s"],
            [[f"{row['nodes']:,}", f"{row['batch']:,}", f"{row['steps']:,}",
              table.number(1e3 * row["compute"]), table.number(1e3 * row["wire"]),
              table.number(row["seconds"])] for row in section["paper"]])


def show(section):
    if "skipped" in section:
        return f"left out: {section['skipped']}"
    model = ", ".join(f"{name} {value:.3g}" for name, value in section["model"].items())
    return "\n\n".join([table.text(*scaling_table(section)),
                        f"model: {model}; median error {section['model_error']:.0%}",
                        table.text(*paper_table(section)), late_ranks.show(section["late"])])
