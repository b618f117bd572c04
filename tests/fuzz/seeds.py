"""Seeds for the fuzzing harnesses: small files of every kind, and words that mean something in them.

Usage: seeds.py FOLDER    writes FOLDER/HARNESS/* and FOLDER/HARNESS.dict
"""

import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from PIL import Image

INCLUDE = Path(__file__).resolve().parents[2] / "include" / "tamis"


class Seeds:
    def __init__(self, folder):
        self.folder = Path(folder)

    def add(self, harness, name, data):
        path = self.folder / harness / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def words(self, harness, words):
        lines = []
        for word in sorted(set(words)):
            escaped = "".join(
                c if " " <= c <= "~" and c not in '"\\' else f"\\x{ord(c):02x}" for c in word
            )
            lines.append(f'"{escaped}"')
        (self.folder / f"{harness}.dict").write_text("\n".join(lines) + "\n")


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npy_header(text):
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def arrays(seeds):
    array = np.arange(12).reshape(3, 4)
    for kind in ("u1", "u2", "f4", "f8", "?"):
        seeds.add("npy", f"{kind.strip('?') or 'bool'}.npy", npy(array.astype(kind)))
    seeds.add("npy", "fortran.npy", npy(np.asfortranarray(array.reshape(3, 2, 2).astype("f4"))))
    for n, shape in enumerate(("(-1, 4)", "(0, 4)", "(1000000000000000000, 4)", "(0, 1" + 17 * "0" + ")")):
        header = npy_header(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}")
        seeds.add("npy", f"claim{n}.npy", header + bytes(64))
        seeds.add("npy_stream", f"claim{n}.npy", header + bytes(64))
    for kind in ("u1", "f4"):
        seeds.add("npy_stream", f"{kind}.npy", npy(array.astype(kind)))
    seeds.add("npy_stream", "two.npy", npy(array.astype("f8")) + npy(array.astype("f8")))
    for kind in ("i1", "u2", "i4", "i8"):
        seeds.add("npy_numbers", f"{kind}.npy", npy(np.array([0, 5, 3], kind)))
    header = npy_header("{'descr': '<i8', 'fortran_order': False, 'shape': (2305843009213693952,), }")
    seeds.add("npy_numbers", "claim.npy", header)
    words = ["'descr': ", "'fortran_order': ", "'shape': ", "True", "False", "'<f4'", "'<f8'", "'|u1'"]
    words += ["'<u2'", "'|b1'", "'<i8'", "(-1, ", "9223372036854775807", "-1", "0", ")", "\x93NUMPY"]
    for harness in ("npy", "npy_stream", "npy_numbers"):
        seeds.words(harness, words)


def texts(seeds):
    tables = {
        "plain": "1,2,3\n4,5,6\n",
        "names": "a,b\r\n1,2\r\n",
        "semicolon": "x;y\n1;2.5\n",
        "missing": "1,,NA\nnan,N/A,3\n",
        "quotes": '"a,b","c"\n"1","2"\n\n',
        "extreme": "1e-400,0.5e400,1e308\n5e-324,-0,+1\n",
        "mark": "\ufeff1,2\n",
    }
    for name, table in tables.items():
        for kind in range(6):
            seeds.add("text_table", f"{name}{kind}", bytes([kind]) + table.encode())
    seeds.add("text_table", "tabs", b"\x011\t2\n\t\n")
    seeds.words("text_table", ["nan", "inf", "NA", "N/A", '"', ",", ";", "\t", "\r\n", "1e400", "e-", "0."])

    head = "%%MatrixMarket matrix "
    matrices = {
        "sorted": "coordinate real general\n3 4 3\n1 1 5\n2 3 1.5\n3 4 1e-3\n",
        "unsorted": "coordinate integer general\n% why\n3 2 4\n3 1 5\n1 1 2\n1 1 3\n2 2 1\n",
        "pattern": "coordinate pattern general\n2 2 1\n1 2\n",
        "symmetric": "coordinate real symmetric\n3 3 2\n1 1 2\n3 1 5\n",
        "skew": "coordinate real skew-symmetric\n3 3 1\n3 1 5\n",
        "array": "array real general\n2 2\n1\n2\n3\n4\n",
        "skewarray": "array real skew-symmetric\n3 3\n1\n2\n3\n",
        "huge": "coordinate real general\n4000000000 200000000 1\n1 1 1\n",
        "claim": "coordinate real general\n3 3 1000000000000000000\n1 1 1\n",
    }
    for name, text in matrices.items():
        seeds.add("matrix_market", name, head + text)
    words = head.split() + " ".join(matrices.values()).split()
    seeds.words("matrix_market", [word for word in words if len(word) > 2] + ["nan", "inf"])

    for name, text in {"plain": "0 1 2\n3,4\n", "blank": "\n0\n\n1\n", "bad": "0 x\n", "no": "-1\n", "two": "0;1\n"}.items():
        seeds.add("groups", name, text)


def registry_words():
    """The names of all settings, options and their parameters, from where they are listed."""
    words = set()
    for header in INCLUDE.rglob("*.hpp"):
        text = header.read_text(encoding="utf-8")
        words.update(re.findall(r'visit\("(\w+)"', text))
        words.update(re.findall(r'string_view name = "([\w-]+)"', text))
    return words


def settings(seeds):
    words = registry_words()
    examples = {
        "rank": ("3", "1000000000000000000"),
        "algorithm": ("fast", "opgd:kappa_h=0.5", "oadmm", "badmm", "onmf:buffer=3", "orpca"),
        "lambda": ("auto", "auto:2", "paper", "0.1", "inf"),
        "max_outlier": ("inf", "1", "default"),
        "outlier_penalty": ("l1", "tikhonov:0.1", "group", "sparse-group:0.5"),
        "outlier_groups": ("0,1;2,3", ""),
        "code_penalty": ("lasso:0.1", "group:0.1", "sparse-group:0.1,0.5"),
        "constraint": ("ball", "elastic-net:0.1,", "elastic-net:0.1,g2=0.5", "simplex"),
        "dictionary_penalty": ("0.1,0.5", "l2=0.5"),
        "forget": ("none", "poly:4", "decay:0.99"),
        "init": ("uniform", "half-normal", "samples", "nndsvd"),
        "normalize": ("none", "max"),
        "batch_size": ("default", "64"),
        "shuffle": ("yes", "off"),
        "seed": ("18446744073709551615", "-1"),
    }
    for field, values in examples.items():
        for n, value in enumerate(values):
            seeds.add("settings_text", f"{field}{n}", f"{field}={value}")
            seeds.add("settings_json", f"{field}{n}", json.dumps({field: value}))
            flag = field.replace("_", "-")
            seeds.add("config", f"{field}{n}", f'{flag} = "{value}"\n')
    seeds.add("settings_text", "several", "rank=3\ncode_penalty=group:1\ncode_groups=0;1,2\n")
    seeds.add("settings_json", "numbers", '{"rank": 3, "lambda": 0.1, "max_outlier": "inf", "seed": 7}')
    seeds.add("settings_json", "groups", '{"outlier_groups": [[0, 1], [2]], "outlier_penalty": "group"}')
    seeds.add("settings_json", "null", '{"batch_size": null, "shuffle": true, "batch_size": 5}')
    seeds.add("settings_json", "deep", "[" * 1000)
    config = (
        'rank = 3  # atoms\nshuffle = true\n[fit]\nlambda = 0.1\nresize = "64x48"\n'
        "[generate.synthetic]\nseed = 1\n"
    )
    seeds.add("config", "sections", config)
    seeds.add("config", "list", "dictionary-penalty = [0.1,\n 0.5]\nfit.rank = 5\n")
    seeds.add("config", "deep", "[" + "a." * 2000 + "a]\n")
    seeds.add("config", "quote", 'init = "sam#ples"\n')
    for harness in ("settings_text", "settings_json", "config"):
        seeds.words(harness, words | {"default", "inf", "true", "null", "1e999", "=", ":", "[", "]]", "#"})

    for n, text in enumerate(
        (
            "synthetic:",
            "synthetic:samples=1e7,nu=0.9,nu-tilde=0.3,features=5,rank=2",
            "synthetic:features=1e18",
            "swimmer:copies=1e15,kind=uniform",
            "swimmer:kind=salt-and-pepper",
            "video:height=16,width=16,frames=9,objects=2",
            "video:height=1e15,width=1e15",
        )
    ):
        seeds.add("generator", f"{n}", text)
    seeds.words("generator", words | {"salt-and-pepper", "uniform", "1e18", "9223372036854775807", "nan"})
    for n, text in enumerate(
        (
            "rank=5,lambda=auto:2,forget=poly:2,steady=no",
            "mask-rule=outlier,smooth=3,closing=5",
            "smooth=9007199254740992,closing=1e15",
            "batch-size=1e15,learn-every=1e15,blob-area=1e308",
        )
    ):
        seeds.add("scene_settings", f"{n}", text)
    seeds.words("scene_settings", words | {"noise", "outlier", "auto", "1e18", "inf"})
    for n, text in enumerate(("3", "-1", "1152921504606846976", '{"codes": "3"}', "72 3", "70 6 3", "x")):
        seeds.add("sink_state", f"{n}", text)


def image_bytes(picture, kind, **options):
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def images(seeds):
    gray = np.arange(48, dtype="u1").reshape(6, 8) * 5
    pictures = {
        "gray": Image.fromarray(gray),
        "color": Image.fromarray(np.stack([gray, gray[::-1], gray[:, ::-1]], 2)),
        "alpha": Image.fromarray(np.stack([gray] * 4, 2)),
    }
    for name, picture in pictures.items():
        for kind in ("PNG", "TIFF", "BMP"):
            seeds.add("image", f"{name}.{kind}", image_bytes(picture, kind))
        if name != "alpha":
            seeds.add("image", f"{name}.JPEG", image_bytes(picture, "JPEG"))
            seeds.add("image", f"{name}.PPM", image_bytes(picture, "PPM"))
            seeds.add("image", f"{name}.progressive", image_bytes(picture, "JPEG", progressive=True))
            seeds.add("image", f"{name}.lzw", image_bytes(picture, "TIFF", compression="tiff_lzw"))
    seeds.add("image", "deep.png", image_bytes(Image.fromarray(gray.astype("u2") * 200), "PNG"))
    seeds.add("image", "fax.tiff", image_bytes(pictures["gray"].convert("1"), "TIFF", compression="group4"))
    seeds.add("image", "text.pgm", b"P2 # x\n2 2 7\n0 1 2 7\n")
    seeds.add("image", "top.pgm", b"P5\n2 2\n100\n\x00\x32\x64\x63")
    seeds.add("image", "bits.pbm", b"P4\n9 2\n\xaa\x80\x55\x00")
    seeds.add("image", "deep.pgm", b"P5\n2 1\n1000\n\x00\x32\x03\xe8")
    seeds.add("image", "huge.pgm", b"P5\n1000000 1000\n255\nabcd")
    seeds.words("image", ["P1", "P2", "P3", "P5", "P6", "255", "65535", "IHDR", "IDAT", "PLTE", "tRNS", "BM"])

    picture = b"P5\n2 2\n255\nabcd"

    def text(data):
        return bytes([len(data)]) + data

    folder = text(b"*.pgm") + b"\x02" + b"\x00" + text(b"img2") + text(picture)
    folder += b"\x00" + text(b"img10") + text(picture)
    seeds.add("image_folder", "two", folder)
    seeds.add("image_folder", "pattern", text(b"[a-") + b"\x01\x01" + text(b"x.png") + text(picture))
    seeds.add("image_folder", "none", b"")


def videos(seeds):
    seeds.add("video", "playlist", "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1.0,\nother.avi\n")
    if shutil.which("ffmpeg") is None:
        return
    source = ["-f", "lavfi", "-i", "testsrc=size=16x16:rate=5:duration=1"]
    with tempfile.TemporaryDirectory() as folder:
        for name, codec in (("x.avi", "mjpeg"), ("x.mkv", "ffv1"), ("x.mp4", "mpeg4"), ("x.mpg", "mpeg1video")):
            path = Path(folder) / name
            rate = ["-r", "25"] if codec == "mpeg1video" else []
            command = ["ffmpeg", "-v", "error", "-y", *source, *rate, "-frames:v", "3", "-c:v", codec, path]
            if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0:
                seeds.add("video", name, path.read_bytes())


def hdf5(build, **options):
    file = io.BytesIO()
    with h5py.File(file, "w", **options) as made:
        build(made)
    return file.getvalue()


def save_model(file, algorithm, extra):
    """A state as docs/model-file.md describes it; 6 features, 2 atoms, 20 samples."""
    random = np.random.default_rng(0)
    settings = json.dumps({"rank": 2, "algorithm": algorithm, "threads": 1})
    texts = {"format": "tamis model", "settings": settings, "selection": "", "sink": "", "outcome": ""}
    for name, text in texts.items():
        file[name] = np.array(text, f"S{max(len(text), 1)}")
    arrays = {"W": random.random((2, 6)), "A": np.eye(2), "B": random.random((2, 6)), "shape": np.array([6])}
    numbers = {name: 0.5 for name in ("c", "weight", "sigma", "lambda", "batch_loss", "last_objective")}
    counts = {"version": 4, "samples": 20, "batches": 4, "epoch": 1, "position": 0, "reseeded": 0, "samples_per_pass": 20}
    for name, value in {**arrays, **numbers, **counts, "unit": 1.0, **extra}.items():
        file[name] = value


def newer_hdf5_files(array):
    """What is kept in another way since HDF5 1.8 and 1.10: lists of chunks, large groups, attributes."""

    def many_links(file):
        for n in range(20):
            file[f"g{n}/x"] = n
        file["data"] = array

    def many_attributes(file):
        file["data"] = array
        for n in range(12):
            file["data"].attrs[f"a{n}"] = f"text {n}"

    def kinds_of_types(file):
        file["data"] = array.astype("u2")
        file["table"] = np.array([("a", 1)], [("name", "S3"), ("value", "i4")])
        file["words"] = ["some", "words"]
        file["type"] = np.dtype("f8")
        file["soft"] = h5py.SoftLink("/data")

    def virtual(file):
        file["source"] = array
        layout = h5py.VirtualLayout((6, 4), "f8")
        layout[:3] = h5py.VirtualSource(".", "source", (3, 4))
        layout[3:, ::2] = h5py.VirtualSource(".", "source", (3, 4))[:, 1:3]
        file.create_virtual_dataset("data", layout)

    def growing_virtual(file):
        file.create_dataset("source", data=array, maxshape=(None, 4))
        layout = h5py.VirtualLayout((3, 4), "f8", maxshape=(None, 4))
        layout[: h5py.h5s.UNLIMITED] = h5py.VirtualSource(file["source"])[: h5py.h5s.UNLIMITED]
        file.create_virtual_dataset("data", layout)

    def elsewhere(file):
        file["link"] = h5py.ExternalLink("missing.h5", "/data")
        file.create_dataset("data", (3, 4), "f8", external=[("missing.raw", 0, 96)])

    packed = {"compression": "gzip", "shuffle": True, "fletcher32": True}
    return {
        "fixed": lambda f: f.create_dataset("data", data=array, chunks=(2, 2)),
        "one": lambda f: f.create_dataset("data", data=array, chunks=(3, 4), **packed),
        "extensible": lambda f: f.create_dataset("data", data=array, chunks=(1, 4), maxshape=(None, 4)),
        "tree": lambda f: f.create_dataset("data", data=array, chunks=(1, 2), maxshape=(None, None), **packed),
        "filled": lambda f: f.create_dataset("data", (5, 4), "f4", chunks=(1, 4), fillvalue=3),
        "links": many_links,
        "attributes": many_attributes,
        "types": kinds_of_types,
        "virtual": virtual,
        "growing": growing_virtual,
        "elsewhere": elsewhere,
    }


def hdf5_files(seeds):
    array = np.arange(12.0).reshape(3, 4)
    builders = {
        "double": lambda f: f.create_dataset("data", data=array),
        "bytes": lambda f: f.create_dataset("data", data=array.astype("u1")),
        "chunks": lambda f: f.create_dataset("data", data=array, chunks=(1, 4), compression="gzip"),
        "bool": lambda f: f.create_dataset("g/data", data=array > 3),
        "half": lambda f: f.create_dataset("data", data=array.astype("f2")),
        "huge": lambda f: f.create_dataset("data", (3, 2**40), "u1", chunks=(1, 2**15)),
    }
    for name, build in builders.items():
        seeds.add("hdf5_array", f"{name}.h5", hdf5(build))
    seeds.add("hdf5_array", "latest.h5", hdf5(builders["chunks"], libver="latest"))
    for name, build in (builders | newer_hdf5_files(array)).items():
        seeds.add("hdf5_new", f"{name}.h5", hdf5(build, libver="latest"))
    wrong = bytearray(hdf5(builders["double"], libver="latest"))
    for at in range(44, 48):  # the checksum of the first bytes
        wrong[at] ^= 0xFF
    seeds.add("hdf5_new", "wrong.h5", bytes(wrong))
    extras = {
        "fast": {"warm_start": np.zeros((0, 0))},
        "fast:warm_start=1": {"warm_start": np.zeros((2, 2))},
        "bpgd": {"H": np.ones((20, 2)), "Y": np.ones((20, 6))},
        "onmf:buffer=4": {
            "buffer_V": np.ones((4, 6)),
            "buffer_H": np.ones((2, 4)),
            "buffer_filled": 4,
            "buffer_next": 0,
        },
    }
    for algorithm, extra in extras.items():
        name = re.sub(r"\W", "_", algorithm)
        seeds.add("model", f"{name}.h5", hdf5(lambda f: save_model(f, algorithm, extra)))
    latest = hdf5(lambda f: save_model(f, "fast", extras["fast"]), libver="latest")
    seeds.add("model", "latest.h5", latest)
    random = np.random.default_rng(1)
    for n in range(40):
        seeds.add("hdf5_built", f"{n}", random.integers(0, 256, 64, "u1").tobytes())
        seeds.add("model_built", f"{n}", bytes([n % 7]) + random.integers(0, 256, 64, "u1").tobytes())
    settings_edit = bytes([0, 0, 0, 4, 0]) + b"\x05" + b"99999"
    seeds.add("model_built", "setting", settings_edit)


def findings(seeds):
    """Files that once broke something and are too odd to be made."""
    for path in (Path(__file__).parent / "findings").glob("*/*"):
        seeds.add(path.parent.name, path.name, path.read_bytes())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    seeds = Seeds(sys.argv[1])
    for make in (arrays, texts, settings, images, videos, hdf5_files, findings):
        make(seeds)


if __name__ == "__main__":
    main()
