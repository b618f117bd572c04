"""What was measured on, and with what."""

import json
import os
import platform
import sys
from datetime import datetime, timezone
from functools import cache
from importlib import metadata

from harness.process import Failed, measured

PACKAGES = ("numpy", "scipy", "scikit-learn", "gensim", "hyperspy", "matplotlib")
BLAS = """
import json, numpy
try:
    from threadpoolctl import threadpool_info
    found = [library for library in threadpool_info() if library["user_api"] == "blas"]
except ImportError:
    found = []
print(json.dumps({key: library.get(key) for library in found
                  for key in ("internal_api", "version", "architecture", "num_threads")}))
"""


@cache
def processor():
    """Name and instruction sets, as Linux tells them."""
    fields = {}
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                key, _, value = line.partition(":")
                fields.setdefault(key.strip(), value.strip())
    except OSError:
        pass
    return fields.get("model name", platform.machine()), set(fields.get("flags", "").split())


def core_type():
    """The processor that OpenBLAS is told that this is, when it may be too new to be known."""
    _, flags = processor()
    if "avx512f" in flags:
        return "SkylakeX"
    return "Haswell" if "avx2" in flags else ""


def version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def blas(environment):
    """The library behind NumPy as peers see it, with the kernels that it has chosen."""
    try:
        return json.loads(measured([sys.executable, "-c", BLAS], env=environment).output)
    except Failed:
        return {}


def describe(program, peer_environment):
    name, _ = processor()
    return {
        "date": now(),
        "processor": name,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9,
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
        "threads": program.threads,
        "tamis": program.version(),
        "python": platform.python_version(),
        "packages": {package: version(package) for package in PACKAGES},
        "openblas": blas(peer_environment),
        "openblas_unaided": blas({}),
        "core_type_of_peers": core_type(),
    }


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
