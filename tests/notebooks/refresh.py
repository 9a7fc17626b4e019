"""Run the notebooks and write their outputs back, without what would differ the next time.

    python tests/notebooks/refresh.py [NOTEBOOK ...]
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
FOLDER = Path(__file__).resolve().parents[2] / "notebooks"


def refresh(path: Path) -> None:
    """Execute one notebook in its folder, and keep outputs and kernel name alone."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(path.parent)}}).execute()
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET, None)  # its id is another each time
            output.get("metadata", {}).pop(WIDGET, None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(str(path) for path in FOLDER.glob("*.ipynb")):
        refresh(Path(name))
