"""Rates of the inner loops, by the Google Benchmark program, beside OpenBLAS and memory."""

import json

from harness import table
from harness.machine import core_type
from harness.process import measured


def measure(bench):
    if bench.kernels is None:
        return {"rows": [], "skipped": "the program is not built"}
    flags = ["--benchmark_repetitions=3"]
    if bench.quick:
        flags = ["--benchmark_repetitions=1", "--benchmark_min_time=0.01"]
    # OpenBLAS at its best, or the comparison with it would flatter.
    env = {"OPENBLAS_CORETYPE": core_type()} if core_type() else {}
    done = measured([bench.kernels, "--benchmark_format=json", *flags], env=env)
    return {"rows": best(json.loads(done.output)["benchmarks"])}


def best(benchmarks):
    """One row per benchmark: its fastest repetition."""
    rows = {}
    for run in benchmarks:
        if run.get("run_type", "iteration") != "iteration" or run.get("error_occurred"):
            continue
        name = run.get("run_name", run["name"])
        if name not in rows or run["real_time"] < rows[name]["real_time"]:
            rows[name] = run
    return [row_of(name, run) for name, run in rows.items()]


NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def row_of(name, run):
    kernel, parameters = parsed(name)
    return {
        "kernel": kernel,
        "parameters": parameters,
        "seconds": run["real_time"] * NANOSECONDS[run.get("time_unit", "ns")] / 1e9,
        "gflops": run.get("GFLOPS"),
        "bytes_per_second": run.get("bytes_per_second"),
    }


def parsed(name):
    """encoder/F:361/n:64/real_time → ("encoder", {"F": 361, "n": 64})"""
    kernel, *words = name.split("/")
    pairs = (word.split(":") for word in words if word.count(":") == 1)
    return kernel, {key: int(value) for key, value in pairs if value.isdigit()}


def rate(section, kernel, parameters):
    """GFLOPS of a kernel, or nothing."""
    for row in section["rows"]:
        if row["kernel"] == kernel and row["parameters"] == parameters:
            return row["gflops"]
    return None


def encoder_shares(section):
    """(parameters, share of OpenBLAS's rate on the same products) of every encoder benchmark."""
    found = []
    for row in section["rows"]:
        gemm = rate(section, "gemm_pair", row["parameters"])
        if row["kernel"] == "encoder" and row["gflops"] and gemm:
            found.append((row["parameters"], row["gflops"] / gemm))
    return found


def stream(section):
    """Bytes per second that memory delivers, at best, or nothing."""
    found = [row["bytes_per_second"] for row in section["rows"] if row["kernel"] == "stream"]
    return max((rate for rate in found if rate), default=None)


HEADER = ["kernel", "", "µs", "GFLOPS", "GB/s"]


def cells(section):
    return [[row["kernel"], " ".join(f"{key}={n}" for key, n in row["parameters"].items()),
             table.number(row["seconds"] * 1e6), table.number(row["gflops"]),
             table.number(row["bytes_per_second"] and row["bytes_per_second"] / 1e9)]
            for row in section["rows"]]


def show(section):
    return table.text(HEADER, cells(section)) if section["rows"] else section["skipped"]
