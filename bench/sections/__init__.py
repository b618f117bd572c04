"""The sections of the benchmark, in the order in which they are measured.

A section is a module with measure(bench), which returns what goes into the results, and show(section),
which makes its table of that.
"""

from sections import curve, kernels, memory, peers, photos, ranks, scaling, scenes, targets

SECTIONS = {module.__name__.rpartition(".")[2]: module
            for module in (kernels, peers, memory, scaling, curve, ranks, photos, scenes, targets)}
