"""What results were measured on, and what makes them other than the study's. Plain text."""

import style

TELLING = 0.05  # share of the samples below which the learning has hardly begun


def provenance(experiment):
    machine = experiment.found.get("machine", {})
    memory = machine.get("memory_gb")
    known = [f"tamis {experiment.found.get('version', '')}", machine.get("processor"),
             f"{machine['cores']} cores" if "cores" in machine else None,
             f"{memory:.0f} GB" if memory else None, machine.get("compiler"), machine.get("system")]
    return " · ".join(part for part in known if part)


def repetitions(experiment):
    """The study has ten initialisations everywhere."""
    options = experiment.found.get("options", {})
    online, batch = options.get("runs", 1), options.get("batch_runs", 1)
    return (f"{experiment.name}: {online} initialisations of the online algorithms, {batch} of the "
            "batch ones." if online != batch else "")


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
    found += [text for text in map(repetitions, experiments) if text]
    missing = {entry["data"]: entry.get("why", "") for experiment in experiments
               for entry in experiment.missing}
    return found + [f"{style.data_name(data)} was not there. {why}".strip()
                    for data, why in missing.items()]
