"""Sums one mini-batch late (`--async`) beside sums in time: how much is learned, and whether the
exchange is hidden behind the encoder. Two processes, one thread each."""

from harness import table

RANKS = 2
REPEAT, SETTING, RANK = 10, 1, 49  # of the faces
TOTALS = (16, 64, 256, 1024)  # samples in a mini-batch of all ranks: what is learned depends on it
WIDTH, HEIGHT, ATOMS, FRAMES = 640, 480, 10, 16  # of a video
STEPS = 12
MANNERS = {"in time": (), "late": ("--async",)}


def measure(bench, run):
    """run(data, ranks, atoms, mini-batch, samples, *flags): see ranks.py"""
    return {"convergence": convergence(bench, run), "overlap": overlap(bench, run),
            "ranks": RANKS, "width": WIDTH, "height": HEIGHT, "atoms": ATOMS, "repeat": REPEAT,
            "setting": SETTING, "rank": RANK}


def convergence(bench, run):
    data = bench.data.cbcl(REPEAT, SETTING)
    samples = data.shape[0]
    rows = []
    for total in TOTALS[:2] if bench.quick else TOTALS:
        row = {"total": total}
        for manner, flags in MANNERS.items():
            found = run(data.noisy, RANKS, RANK, total // RANKS, samples, *flags)
            row[manner] = {"objective": found["objective"], "batches": found["batches"],
                           "psnr": bench.program.encoded_psnr(data.noisy, data.clean,
                                                              model="ranks.h5")}
        rows.append(row)
    return rows


def overlap(bench, run):
    """Seconds of a step by phase, of the fastest run, for mini-batches of one, four, 16 frames."""
    width, height = (32, 24) if bench.quick else (WIDTH, HEIGHT)
    video = bench.data.video(width, height, FRAMES)
    rows = []
    for tau in (1, 4) if bench.quick else (1, 4, 16):
        samples = tau * RANKS * STEPS
        repeat = -(-samples // FRAMES)
        row = {"tau": tau, "features": width * height, "atoms": ATOMS}
        for _ in range(bench.repeats):
            for manner, flags in MANNERS.items():
                found = run(video.for_tamis, RANKS, ATOMS, tau, FRAMES, "--repeat", repeat, *flags)
                step = {phase: seconds / found["batches"]
                        for phase, seconds in found["phases"].items()}
                step["total"] = found["seconds"] / found["batches"]
                if manner not in row or step["total"] < row[manner]["total"]:
                    row[manner] = step
        rows.append(row)
    return rows


def convergence_table(late):
    rows = [[f"{row['total']:,}",
             *(f"{row[manner]['objective']:.4f}" for manner in MANNERS),
             *(table.decibel(row[manner]["psnr"]) for manner in MANNERS),
             table.decibel(row["late"]["psnr"] - row["in time"]["psnr"])]
            for row in late["convergence"]]
    return ["mini-batch of all", "objective", "late", "PSNR, dB", "late", "difference"], rows


def overlap_table(late):
    rows = []
    for row in late["overlap"]:
        cells = [f"{row['tau']}"]
        for manner in MANNERS:
            cells += [table.number(1e3 * row[manner][phase])
                      for phase in ("encode", "reduce", "update", "total")]
        rows.append([*cells, f"{row['in time']['total'] / row['late']['total']:.2f}"])
    return ["frames", "encode", "sums", "update", "step, ms", "late: encode", "sums", "update",
            "step, ms", "faster ×"], rows


def show(late):
    return "\n\n".join([table.text(*convergence_table(late)), table.text(*overlap_table(late))])
