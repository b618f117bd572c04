"""The part of docs/performance.md about several processes."""

from harness import table
from sections import ranks


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

{table.markdown(*ranks.paper_table(section))}"""
