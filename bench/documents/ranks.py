"""The part of docs/performance.md about several processes."""

from harness import table
from sections import late_ranks, ranks


def late(section):
    """Of results that have it"""
    found = section.get("late")
    if found is None:
        return ""
    largest = max((row["late"]["psnr"] - row["in time"]["psnr"] for row in found["convergence"]),
                  key=abs)
    return f"""

### One mini-batch late

`--async` learns from sums one mini-batch late, to exchange them meanwhile. {found['ranks']} processes, CBCL ×{found['repeat']} in setting {found['setting']}, K = {found['rank']}, one pass:
the objective at the end and the PSNR of `encode` with the final model. The largest difference of these PSNRs is {largest:+.2f} dB.

{table.markdown(*late_ranks.convergence_table(found))}

Milliseconds of a step, {found['ranks']} processes of one thread each on {section['cores']} cores, frames of {found['width']}×{found['height']}, K = {found['atoms']}. *Sums* is the time that a
process takes to make them and to wait for those of others. On one machine exchanging them is work for the same cores, so that there
is less to hide than between machines.

{table.markdown(*late_ranks.overlap_table(found))}"""


def several(sections):
    section = sections["ranks"]
    if "skipped" in section:
        return ""
    cluster, large = section["cluster"], section["large"]
    nano = {name: 1e9 * value for name, value in section["model"].items()}
    entries = large["features"] * large["samples"]
    return f"""## Several processes

`mpirun -n P tamis fit` ([distributed.md](distributed.md)), one thread each, F = {section['features']}, K = {section['rank']}, on the
{section['cores']} cores of this machine: beyond {section['cores']} ranks there is nothing to gain but to see that nothing breaks. *Same work*: the mini-batch of
all ranks together stays {section['batch'] * max(section['ranks'])}; *work × ranks*: each rank has mini-batches of {section['batch']} and as many samples as one process.

{table.markdown(*ranks.scaling_table(section))}

The seconds of a step, τ samples on each of P ranks, are those of

    τFK·a + τF·b + FK²·c  +  s·log₂P + 2(P − 1)/P · 8(FK + K²)·w

with a = {nano['a']:.3g}, b = {nano['b']:.3g}, c = {nano['c']:.3g}, w = {nano['w']:.3g} ns and s = {nano['s'] / 1e3:.3g} µs, fitted to
{len(section['steps'])} measured combinations of F, K, τ and P with a median error of {section['model_error']:.0%} (computing counts P/{section['cores']} times where
ranks share cores).

On paper, with these costs of computing and an assumed cluster ({cluster['cores']} cores per node, {1e6 * cluster['latency']:.0f} µs, {cluster['bytes_per_second'] / 1e9:.3g} GB/s): one pass over
{entries:.0e} entries, F = {large['features']:,}, K = {large['rank']}, {large['batch']} samples per core and step. Nobody has measured that.

{table.markdown(*ranks.paper_table(section))}{late(section)}"""
