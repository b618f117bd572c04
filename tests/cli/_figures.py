"""What a test has measured, for docs/reliability.md: scripts/reliability.py --collect takes it over."""

import json
import os
import sys
from pathlib import Path


def keep_figure(key, what, value):
    """Of a test that went well, if it was made with all its effort."""
    folder = os.environ.get("TAMIS_FIGURES")
    if not folder or os.environ.get("TAMIS_TEST_EFFORT") == "small":
        return
    command = f"ctest --preset release -R cli.{Path(sys.argv[0]).stem}$"
    row = {"key": key, "what": what, "value": value, "command": command}
    path = Path(folder) / f"{key}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([row], ensure_ascii=False) + "\n", encoding="utf-8")
