#!/usr/bin/env python3
"""Writes what the program is made of: a bill of materials, CycloneDX 1.5 in JSON.

    sbom.py [--binary build/release/tamis] [--build build/release] [--out build/sbom.json]

Nothing is taken from a list kept by hand. The libraries are those that the loader finds for the
program, and those that they need in turn; the headers are those that the compiler read (from the
build system's log, so that header-only libraries are seen, too). The packages that they come from,
versions and licences are those of Debian's package database.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = Path("/usr/share/doc")

# Debian's short names of licences, where SPDX has others
SPDX = {
    "Expat": "MIT", "BSL-1": "BSL-1.0", "BSD-2-clause": "BSD-2-Clause",
    "BSD-3-clause": "BSD-3-Clause", "BSD-4-clause": "BSD-4-Clause", "zlib": "Zlib",
    "Apache-2": "Apache-2.0", "MPL-2": "MPL-2.0",
    **{name: name for name in ("Apache-2.0", "BSL-1.0", "ISC", "MIT", "MPL-2.0", "Zlib")},
    **{f"{kind}-{number}{plus}": f"{kind}-{number}{'' if '.' in number else '.0'}-{how}"
       for kind in ("GPL", "LGPL") for number in ("1", "2", "2.0", "2.1", "3", "3.0")
       for plus, how in (("", "only"), ("+", "or-later"))},
}  # fmt: skip


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def project_version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(tamis VERSION ([0-9.]+)", text)[1]


def loaded_libraries(binary):
    """{name: file} of everything the loader finds for a program."""
    return dict(re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", binary), re.MULTILINE))


def needed(files):
    """{file: names of the libraries that it asks for}"""
    found, current = {}, str(files[0])
    for line in output("readelf", "-dW", *map(str, files)).splitlines():
        if line.startswith("File: "):
            current = line[6:].strip()
        elif match := re.search(r"\(NEEDED\).*\[(.+)\]", line):
            found.setdefault(current, []).append(match[1])
    return found


def headers_read(build):
    """Headers from outside the project that the library and the program were compiled with."""
    found, ours = set(), False
    for line in output("ninja", "-C", str(build), "-t", "deps").splitlines():
        if not line.startswith(" "):
            ours = re.match(r"CMakeFiles/tamis(-cli)?\.dir/", line) is not None
        elif ours and line.strip().startswith("/usr/"):
            found.add(str(Path(line.strip()).resolve()))
    return sorted(found)


def packages_of(files):
    """{file: package that it belongs to}; Debian knows some files as /lib/…, some as /usr/lib/…"""
    asked = {}
    for file in files:
        for name in {str(file), str(Path(file).resolve())}:
            merged = name.removeprefix("/usr") if name.startswith("/usr/lib") else f"/usr{name}"
            asked |= {name: str(file), merged: str(file)}
    answer = subprocess.run(["dpkg-query", "-S", *asked], capture_output=True, text=True).stdout
    found = {}
    for owner, name in re.findall(r"^([^\s:,]+(?::\w+)?)(?:, [^:]+(?::\w+)?)*: (/.+)$", answer,
                                  re.MULTILINE):  # fmt: skip
        if name in asked:
            found[asked[name]] = owner.split(":")[0]
    return found


def licences(package):
    """Those that a machine-readable copyright file names, in its order."""
    path = DOCUMENTS / package / "copyright"
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    if "copyright-format/1" not in text[:400]:
        return []
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith("Files:"):
            found += re.findall(r"^License:[ \t]*(\S.*)$", paragraph, re.MULTILINE)
    return list(dict.fromkeys(name.strip() for name in found))


def described(packages):
    """One component of the bill for each package."""
    fields = ["Package", "Version", "Architecture", "source:Package", "Homepage"]
    form = "\t".join(f"${{{field}}}" for field in fields) + "\n"
    components = {}
    for line in output("dpkg-query", "-W", f"-f={form}", *sorted(packages)).splitlines():
        name, version, architecture, source, homepage = line.split("\t")
        purl = f"pkg:deb/debian/{quote(name)}@{quote(version, safe=':')}?arch={architecture}"
        component = {"type": "library", "bom-ref": purl, "name": name, "version": version,
                     "purl": purl}  # fmt: skip
        known = [{"license": {"id": SPDX[word]} if word in SPDX else {"name": word}}
                 for word in licences(name)]  # fmt: skip
        if known:
            component["licenses"] = known
        if homepage:
            component["externalReferences"] = [{"type": "website", "url": homepage}]
        component["properties"] = [{"name": "debian:source", "value": source}]
        components[name] = component
    return components


def bill(binary, build):
    libraries = loaded_libraries(binary)
    owner = packages_of(libraries.values())
    unknown = sorted(set(libraries.values()) - set(owner))
    package_of_name = {name: owner[file] for name, file in libraries.items() if file in owner}

    asked = needed([binary, *libraries.values()])
    direct = {package_of_name[name] for name in asked[str(binary)] if name in package_of_name}
    compiled = set(packages_of(headers_read(build)).values()) if build else set()

    components = described(set(package_of_name.values()) | compiled)
    for name, component in components.items():
        linked = name in package_of_name.values()
        how = "linked" if name in direct else "loaded by others" if linked else "headers"
        component["properties"].append({"name": "tamis:used", "value": how})
    depends = {name: set() for name in components}
    for file, names in asked.items():
        if file in owner:
            depends[owner[file]] |= {package_of_name[n] for n in names if n in package_of_name}

    me = f"pkg:generic/tamis@{project_version()}"
    refs = {name: component["bom-ref"] for name, component in components.items()}
    graph = {me: direct | compiled} | {refs[name]: on - {name} for name, on in depends.items()}
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": me, "name": "tamis", "version": project_version(),
            "licenses": [{"license": {"id": "BSD-3-Clause"}}]}},
        "components": [components[name] for name in sorted(components)],
        "dependencies": [{"ref": ref, "dependsOn": sorted(refs[name] for name in on)}
                         for ref, on in sorted(graph.items())],
    }  # fmt: skip
    return document, unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/tamis")
    parser.add_argument("--build", type=Path, help="folder of the build; else that of the program")
    parser.add_argument("--out", type=Path, default=ROOT / "build/sbom.json")
    given = parser.parse_args()
    try:
        document, unknown = bill(given.binary, given.build or given.binary.parent)
    except FileNotFoundError as problem:
        sys.exit(f"sbom: {problem.filename} is needed: this works with Debian's packages and Ninja")
    except subprocess.CalledProcessError as problem:
        sys.exit(f"sbom: {problem.cmd[0]} failed: {problem.stderr.strip()}")
    for file in unknown:
        print(f"sbom: {file} belongs to no package and is left out", file=sys.stderr)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{given.out}: {len(document['components'])} packages")


if __name__ == "__main__":
    main()
