"""How far a fit is from what the machine can do, from the results alone."""

from harness.contenders import FAST
from harness.plots import MAIN_SET, data_set
from harness.program import count_of
from sections import kernels, peers


def limits(sections):
    """Sentences, of which those without measurements are left out."""
    found = [encoder_share(sections["kernels"])]
    if "peers" in sections:
        found += [encode_phase(sections), short_loops(sections), statistics(sections)]
    return "\n".join(sentence for sentence in found if sentence)


def encoder_share(section):
    shares = [share for _, share in kernels.encoder_shares(section)]
    if not shares:
        return ""
    return f"""The encoder is two matrix products per iteration; its kernel reaches {min(shares):.0%}
to {max(shares):.0%} of the rate at which OpenBLAS does these products alone."""


def encode_phase(sections):
    """An iteration is two products of 2FK operations per sample."""
    data, row = data_set(sections, MAIN_SET), peers.found(sections["peers"], MAIN_SET, FAST)
    if not data or not row:
        return ""
    sizes = {"F": data["features"], "K": data["rank"], "n": data["batch"]}
    gemm = kernels.rate(sections["kernels"], "gemm_pair", sizes)
    if not gemm:
        return ""
    threads = row["settings"]["threads"]
    work = 4 * data["features"] * data["rank"] * count_of(row["settings"], "iterations")
    reached = work * row["samples"] / row["phases"]["encode"] / 1e9
    return f"""In the fit of {data['title']} the encode phase does {reached:,.0f} GFLOPS on
{threads} threads, {reached / (threads * gemm):.0%} of {threads} times the {gemm:,.0f} GFLOPS of OpenBLAS on one."""


def short_loops(sections):
    """What two threads hardly share, and why."""
    data, row = data_set(sections, MAIN_SET), peers.found(sections["peers"], MAIN_SET, FAST)
    if not data or not row:
        return ""
    alone = (row["phases"]["reduce"] + row["phases"]["update"]) / row["batches"]
    return f"""Reduce and update, {alone * 1e6:.0f} µs per mini-batch there, are loops of a few microseconds when a dictionary has a few hundred
rows. Two threads are faster at them only where cores hand over quickly what they wrote, so both ways are tried in turns
while it runs, and the faster one is taken. A thread that has nothing else to do then reads what comes next. Of a fit
with one thread the reading is done by another one, on a core that two threads need: this counts against two."""


def statistics(sections):
    """W is read and written in 4 bytes, B is read, written and read again in 8."""
    bandwidth = kernels.stream(sections["kernels"])
    data = max(sections["peers"]["sets"], key=lambda data: data["features"] * data["rank"])
    row = peers.found(sections["peers"], data["name"], FAST)
    if not bandwidth or not row:
        return ""
    floor = data["features"] * data["rank"] * (2 * 4 + 3 * 8) / bandwidth
    taken = (row["phases"]["reduce"] + row["phases"]["update"]) / row["batches"]
    return f"""With many features memory is the limit: it delivers {bandwidth / 1e9:.1f} GB/s, so that W and B
of {data['title']} need {floor * 1e3:.2g} ms per mini-batch to come and go; reduce and update
take {taken * 1e3:.2g} ms."""
