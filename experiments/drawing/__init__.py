"""The drawings of every experiment, made of its JSON and its pictures alone."""

from drawing import applications, basis, convergence, denoising, sensitivity

DRAWINGS = {
    "convergence": convergence.drawings,
    "sensitivity": sensitivity.drawings,
    "basis": basis.drawings,
    "denoising": denoising.drawings,
    "shadow": applications.shadow,
    "separation": applications.separation,
}


def drawings(experiment):
    """A list of Drawing; things that were not measured are left out."""
    return list(DRAWINGS[experiment.name](experiment)) if experiment.name in DRAWINGS else []
