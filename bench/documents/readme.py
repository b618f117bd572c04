"""The results in the README, between two marks."""

from documents import comparison
from harness.contenders import FAST
from harness.plots import MAIN_SET, data_set
from sections.peers import found

BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"


def block(results):
    sections, machine = results["sections"], results["machine"]
    data = data_set(sections, MAIN_SET)
    kind = "face images" if machine["faces"] == "CBCL" else "samples of the size of face images"
    fast = found(sections["peers"], MAIN_SET, FAST)
    return f"""## How fast, how good

![Speed and quality beside other systems, accuracy against time, scaling](docs/images/performance.png)

{comparison.faces(sections)}

{data['samples']:,} spoiled {kind}, {data['features']} pixels each, {data['rank']} atoms,
{machine['threads']} threads ({machine['processor']}): tamis takes {fast['seconds']:.2g} s.
The PSNR is that of the reconstruction against the clean images; \\* fewer samples, where all would take too long.
How it was measured, and what else: [docs/performance.md](docs/performance.md)."""


def with_results(text, results):
    """The README with a new block; its marks must be there."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md has no {BEGIN} … {END}")
    return f"{before}{BEGIN}\n{block(results)}\n{END}{after}"
