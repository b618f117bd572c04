"""Documents that results become, and whether they still are what the results give."""


def write(documents):
    """documents: path → text."""
    for path, content in documents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def stale(documents, root):
    """The names of those that are missing or say something else."""
    return [str(path.relative_to(root)) for path, content in documents.items()
            if not path.exists() or path.read_text(encoding="utf-8") != content]
