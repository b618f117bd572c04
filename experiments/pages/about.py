"""What results were measured on, and what makes them other than the study's. Plain text."""

import style


def provenance(experiment):
    machine = experiment.found.get("machine", {})
    memory = machine.get("memory_gb")
    known = [f"tamis {experiment.found.get('version', '')}", machine.get("processor"),
             f"{machine['cores']} cores" if "cores" in machine else None,
             f"{memory:.0f} GB" if memory else None, machine.get("compiler"), machine.get("system")]
    return " · ".join(part for part in known if part)


def notices(experiments):
    """Less data, or data that was not there."""
    found = []
    scales = {experiment.found.get("options", {}).get("scale", 1) for experiment in experiments}
    if scales != {1}:
        shown = ", ".join(f"{scale:g}" for scale in sorted(scales))
        found.append(f"Made with --scale {shown}: the data sets are smaller than in the study, "
                     "and verdicts mean little.")
    missing = {entry["data"]: entry.get("why", "") for experiment in experiments
               for entry in experiment.missing}
    return found + [f"{style.data_name(data)} was not there. {why}".strip()
                    for data, why in missing.items()]
