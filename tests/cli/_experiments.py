"""Made-up results of every experiment, in the format of experiments/FORMAT.md."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

ALGORITHMS = {"fast": "online", "opgd": "online", "oadmm": "online", "orpca": "online",
              "onmf": "online", "bpgd": "batch", "badmm": "batch"}
ROBUST = ("opgd", "oadmm", "bpgd", "badmm")
VERDICTS = ("confirmed", "not confirmed", "partly confirmed", "not tested")
FACTORS = {"tau": ((5, 10, 20, 40), ("opgd", "oadmm")),
           "K": ((25, 49, 100), ("fast", "opgd", "bpgd")),
           "rho": ((1, 10, 100, 1000), ("oadmm", "badmm")),
           "kappa": ((0.1, 0.3, 0.5, 0.7, 1), ("opgd", "bpgd")),
           "setting": ((2, 3), ROBUST), "init": (("uniform", "half-normal"), ROBUST)}


class Results:
    """Writes OUT/NAME/NAME.json and its pictures for all experiments."""

    def __init__(self, out, points=400, seed=0, named_claims=()):
        """named_claims: those that a document speaks of, beside one of every verdict."""
        self.out, self.points, self.named_claims = Path(out), points, named_claims
        self.random = np.random.default_rng(seed)

    def write_again(self):
        """Other initialisations of the batch algorithms, as in a folder of reading.AGAIN."""
        again = Results(self.out / "initialisations", self.points, seed=1)
        return again.write("denoising")

    def write(self, *names):
        for name in names or ("convergence", "sensitivity", "basis", "denoising", "shadow",
                              "separation"):
            folder = self.out / name
            (folder / "pictures").mkdir(parents=True, exist_ok=True)
            found = self.common(name) | getattr(self, name)(folder)
            self.save(folder / f"{name}.json", found)
        return self.out

    @staticmethod
    def save(path, found):
        path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")

    @staticmethod
    def common(name):
        return {
            "experiment": name, "title": f"The {name} of things & <more>", "version": "9.8.7",
            "machine": {"processor": "Abacus 3000", "cores": 2, "memory_gb": 23.5,
                        "compiler": "GCC 12.2.0", "system": "Linux 6.1"},
            "options": {"scale": 0.01, "runs": 3, "batch_runs": 4, "threads": 1, "seed": 0,
                        "data": None, "only": None},
            "seconds": 1234.5, "missing": [],
            "algorithms": [{"name": key, "kind": kind, "help": ""}
                           for key, kind in ALGORITHMS.items()],
        }

    def run(self, data, algorithm, measures=None, pictures=None, curves=True, repetition=0, **case):
        kind = ALGORITHMS[algorithm]
        canonical = {"K": 49, "setting": 1, "init": "uniform"}
        canonical |= {"variant": "study"} if algorithm == "fast" else {}
        canonical |= {"tau": 5} if kind == "online" else {}
        canonical |= {"rho": 1} if "admm" in algorithm else {}
        canonical |= {"kappa": 0.7} if "pgd" in algorithm else {}
        case = canonical | case
        shown = "-".join(f"{key}{value}" for key, value in case.items())
        label = algorithm + (", own settings" if case.get("variant") == "own" else "")
        found = {"id": f"{data}-{algorithm}-{shown}-r{repetition}", "data": data,
                 "algorithm": algorithm, "label": label, "case": case,
                 "settings": {"rank": case["K"], "lambda": "paper", "algorithm": algorithm,
                              "seed": repetition, "constraint": "ball", "threads": 1},
                 "seed": repetition, "run": repetition, "status": "completed", "samples": 100000,
                 "features": 400, "passes": 1,
                 "seconds": float(self.random.lognormal(2 + 2 * (kind == "batch"), 0.4)),
                 "measures": measures or {}, "pictures": pictures or {}}
        if curves:
            found["curves"] = self.curves(kind)
            found["measures"] |= {"objective": found["curves"]["objective"]["value"][-1]}
        return found

    def curves(self, kind):
        passes = 300 if kind == "batch" else 1
        samples = np.unique(np.geomspace(5, 1e5 * passes, self.points).astype(int))
        rate = self.random.uniform(0.3, 0.6)
        value = 2 + 40 * (samples / 5.0 / passes) ** -rate
        value *= 1 + 0.01 * self.random.standard_normal(len(value)).cumsum() / len(value) ** 0.5
        both = {"samples": samples.tolist(), "seconds": (samples * 2e-4).tolist()}
        found = {"objective": both | {"value": value.tolist()}}
        if kind == "online":
            found["clean_objective"] = both | {"value": (0.7 * value).tolist()}
        return found

    @staticmethod
    def figure(name, data, curve, runs, labels=None):
        lines = [{"run": run["id"], "label": label}
                 for run, label in zip(runs, labels or [run["label"] for run in runs])]
        # A line of a run that is not there: it was interrupted.
        lines.append({"run": "no-such-run", "label": "opgd"})
        return {"name": name, "title": f"Title of {name}", "data": data, "curve": curve,
                "caption": f"Caption of {name}.", "lines": lines}

    def claims(self, name):
        ids = [f"{name}-{verdict.replace(' ', '-')}" for verdict in VERDICTS]
        ids += self.named_claims if name == "convergence" else ()
        return [{"id": key, "claim": f"Says {key} & <so>", "published": f"table {index}: 11.4 dB",
                 "measured": f"{name} gives {index + 0.125}, a < b",
                 "verdict": VERDICTS[index % len(VERDICTS)],
                 "numbers": {"cbcl: a/b": index + 0.125, "steps": 1234567, "absent": None}}
                for index, key in enumerate(ids)]

    def picture(self, folder, name, shape=(60, 80)):
        file = f"pictures/{name}.png"
        ramp = np.linspace(0, 180, shape[1])[None] + 60 * self.random.random(shape)
        Image.fromarray(ramp.astype("u1")).save(folder / file)
        return file

    # The experiments

    def convergence(self, folder):
        runs, figures = [], []
        for data in ("synthetic", "cbcl"):
            here = [self.run(data, algorithm) for algorithm in ALGORITHMS]
            here.append(self.run(data, "fast", variant="own"))
            online = [run for run in here if ALGORITHMS[run["algorithm"]] == "online"]
            figures += [self.figure(f"{data}-online-batch", data, "objective", here),
                        self.figure(f"{data}-online", data, "clean_objective", online)]
            runs += here
        return {"runs": runs, "figures": figures, "claims": self.claims("convergence"),
                "tables": [{"name": f"{data}-convergence", "title": "Times & <ends>",
                            "caption": "When.",
                            "columns": ["algorithm", "seconds", "objective", "ok"],
                            "rows": [["opgd", 4321.75, 0.00012345, "a | b"],
                                     ["bpgd", None, 7, ""]]} for data in ("synthetic", "cbcl")]}

    def sensitivity(self, folder):
        runs, figures = [], []
        for data in ("synthetic", "cbcl"):
            for factor in FACTORS:
                values, algorithms = FACTORS[factor]
                made = {(algorithm, value): self.run(data, algorithm, **{factor: value})
                        for algorithm in algorithms for value in values}
                known = {run["id"] for run in runs}
                runs += [run for run in made.values() if run["id"] not in known]
                # As in the study: of some factors a figure per value, of others one per algorithm.
                if factor in ("K", "setting"):
                    figures += [self.figure(f"{data}-{factor}{value}-{curve}", data, curve,
                                            [made[algorithm, value] for algorithm in algorithms])
                                for value in values for curve in ("objective", "clean_objective")]
                else:
                    figures += [self.figure(f"{data}-{factor}-{algorithm}", data, "objective",
                                            [made[algorithm, value] for value in values],
                                            [f"{factor} = {value}" for value in values])
                                for algorithm in algorithms]
            runs.append(self.nesterov(data))
        return {"runs": runs, "figures": figures, "claims": self.claims("sensitivity"),
                "tables": []}

    def nesterov(self, data):
        """Not a fit: its curves are of other things, its case has nothing that others have."""
        iterations = list(range(201))
        curves = {f"loss_{name}": {"samples": iterations,
                                   "seconds": [0.001 * k for k in iterations],
                                   "value": [2 + (k + 1) ** -power for k in iterations]}
                  for name, power in (("plain", 0.5), ("accelerated", 1.0))}
        measures = {"loss_plain_5": 1.5, "stopped_loss_plain": 1.4, "stopped_loss_accelerated": 1.2}
        return self.run(data, "opgd", measures, None, False) | {
            "id": f"{data}-nesterov", "label": "encoding of opgd, accelerated",
            "case": {"encode": "nesterov"}, "curves": curves}

    def basis(self, folder):
        runs = []
        for K in (25, 49):
            for algorithm in ALGORITHMS:
                file = self.picture(folder, f"basis-{algorithm}-K{K}", (133, 133))
                measures = {key: float(self.random.uniform(0.1, 0.9)) for key in
                            ("hoyer", "spread", "speckle")}
                runs.append(self.run("cbcl", algorithm, measures, {"basis": file}, False, K=K))
        table = {"name": "atoms", "title": "Atoms", "columns": ["algorithm", "hoyer"],
                 "rows": [["opgd", 0.5]]}
        return {"runs": runs, "claims": self.claims("basis"), "tables": [table]}

    def denoising(self, folder):
        runs, tables = [], []
        for K in (25, 49, 100):
            for setting in (1, 2, 3):
                for algorithm in ALGORITHMS:
                    for repetition in range(3):
                        measures = {"psnr": 20 + float(self.random.normal()), "noisy_psnr": 15.7,
                                    "denoised_psnr": 25 + float(self.random.normal())}
                        runs.append(self.run("cbcl", algorithm, measures, None, False, repetition,
                                             K=K, setting=setting))
            tables += self.published(K)
        tables.append({"name": "denoised", "title": "Made of it", "caption": "Of all samples.",
                       "columns": ["algorithm", "input"], "rows": [["opgd", 15.7]]})
        return {"runs": runs, "claims": self.claims("denoising"), "tables": tables}

    def published(self, K):
        columns = [f"setting {setting}{what}" for setting in (1, 2, 3)
                   for what in ("", " std", " published", " published std")]
        for name, numbers in (("psnr", (20.5, 0.25, 11.37, 0.02)),
                              ("seconds", (60.5, 2.5, 416.68, None))):
            yield {"name": f"{name}-K{K}", "title": f"{name}, K = {K}", "caption": "",
                   "columns": ["algorithm", *columns],
                   "rows": [[algorithm, *3 * numbers] for algorithm in ALGORITHMS]}

    def application(self, folder, sets, kinds, measures):
        runs = []
        for data in sets:
            for algorithm in ALGORITHMS:
                for repetition in range(2):
                    pictures = {} if repetition else {
                        kind: self.picture(folder, f"{data}-{algorithm}-{kind}") for kind in kinds}
                    found = {key: float(self.random.uniform(0, 40)) for key in measures}
                    runs.append(self.run(data, algorithm, found, pictures, False, repetition))
        tables = [{"name": f"{folder.name}-{data}", "title": f"Times {data}", "caption": "",
                   "columns": ["algorithm", "seconds", "seconds std", "seconds published"],
                   "rows": [[algorithm, 51.12, 2.5, 62.5] for algorithm in ALGORITHMS]}
                  for data in sets]
        sheet = self.picture(folder, "all", (300, 500))
        return {"runs": runs, "claims": self.claims(folder.name), "tables": tables,
                "pictures": [{"file": sheet, "title": "All <together>", "caption": "A sheet."}]}

    def shadow(self, folder):
        return self.application(folder, ("yaleb_02", "yaleb_08"), ("reconstruction",),
                                ("shadow_error", "shadow_error_input", "lit_change", "artefacts"))

    def separation(self, folder):
        return self.application(folder, ("hall", "escalator"), ("background", "foreground"),
                                ("background_brightness", "background_error",
                                 "foreground_residue", "foreground_kept"))
