"""The claims of the study and what became of them."""

from collections import Counter

# Verdict → its mark and its name in style sheets; in the order in which they are counted.
VERDICTS = {"confirmed": ("✓", "yes"), "partly confirmed": ("≈", "partly"),
            "not confirmed": ("✗", "no"), "not tested": ("–", "untested")}
UNKNOWN = ("?", "untested")


def mark(verdict):
    return VERDICTS.get(verdict, UNKNOWN)


def measured(claim):
    """What was found; why something was not tested begins with just that, which is said already."""
    return (claim.get("measured") or "").removeprefix(f"{claim['verdict']}: ")


def share(claim):
    """How many of its comparisons hold; of results that do not tell, nothing."""
    return f"{claim['held']} of {claim['compared']}" if claim.get("compared") else ""


def counts(experiments):
    """Verdict → how many claims have it; all that are known, and others after them."""
    found = Counter(claim["verdict"] for experiment in experiments for claim in experiment.claims)
    return {verdict: found.get(verdict, 0) for verdict in [*VERDICTS, *(found.keys() - VERDICTS)]}


def in_words(experiments):
    """12 confirmed, 3 partly confirmed, …; what did not happen is not told."""
    found = counts(experiments).items()
    return ", ".join(f"{count} {verdict}" for verdict, count in found if count)
