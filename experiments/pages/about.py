"""What results were measured on, and what makes them other than the study's. Plain text."""

import style

# Initialisations of the study, where it has several
PUBLISHED_RUNS, REPEATED = 10, ("denoising", "shadow", "separation")
TELLING = 0.05  # share of the samples below which the learning has hardly begun


def provenance(experiment):
    machine = experiment.found.get("machine", {})
    memory = machine.get("memory_gb")
    known = [f"tamis {experiment.found.get('version', '')}", machine.get("processor"),
             f"{machine['cores']} cores" if "cores" in machine else None,
             f"{memory:.0f} GB" if memory else None, machine.get("compiler"), machine.get("system")]
    return " · ".join(part for part in known if part)


def repetitions(experiment):
    options = experiment.found.get("options", {})
    return options.get("runs", 1), options.get("batch_runs", 1)


def initialisations(experiments):
    """Where they are fewer than the study's, experiments with the same number together."""
    found = {}
    for experiment in experiments:
        if experiment.name in REPEATED:
            found.setdefault(repetitions(experiment), []).append(experiment.name)
    told = [f"{online} of the online algorithms and {batch} of the batch ones in {', '.join(names)}"
            if online != batch else f"{online} in {', '.join(names)}"
            for (online, batch), names in found.items() if min(online, batch) < PUBLISHED_RUNS]
    return [f"Initialisations, of which the study has {PUBLISHED_RUNS}: {'; '.join(told)}."] \
        if told else []


def notices(experiments):
    """Less data, or data that was not there."""
    found = []
    scales = {}
    for experiment in experiments:
        scale = experiment.found.get("options", {}).get("scale", 1)
        scales.setdefault(scale, []).append(experiment.name)
    if set(scales) != {1}:
        shown = "; ".join(f"{scale:g} in {', '.join(names)}" for scale, names in scales.items())
        worth = ", and verdicts mean little" if min(scales) < TELLING else ""
        found.append(f"With a share of the study's samples (--scale): {shown}{worth}.")
    found += initialisations(experiments)
    missing = {entry["data"]: entry.get("why", "") for experiment in experiments
               for entry in experiment.missing}
    return found + [f"{style.data_name(data)} was not there. {why}".strip()
                    for data, why in missing.items()]
