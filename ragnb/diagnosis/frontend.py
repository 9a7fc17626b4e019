"""Which front end shows what Python returns, told from the process and its surroundings."""

import importlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal, TypeAlias

__all__ = ["FrontEnd", "front_end"]

Name: TypeAlias = Literal[
    "terminal", "IPython", "JupyterLab", "Notebook 7", "Jupyter", "VS Code", "Colab", "Voila"
]

_TEXT = ("answers and diaries as text",)
_RICH = ("answers as formatted text", "tables of steps (with pandas)", "progress bars as text")
_LIMITS: dict[str, tuple[str, ...]] = {
    "terminal": ("no formatted output: open a notebook for it",),
    "IPython": ("no formatted output: open a notebook for it",),
    "JupyterLab": ("a notebook from elsewhere is not trusted: run it to see all of its output",),
    "Notebook 7": ("a notebook from elsewhere is not trusted: run it to see all of its output",),
    "VS Code": (
        "clicks are heard while the loop plays and between two cells, not while a cell blocks",
        "a notebook that is opened again shows panels as they were when saved: run it to go on",
    ),
    "Colab": (
        "an index is gone with the machine: name a folder on Drive",
        "live panels need google.colab.output.enable_custom_widget_manager()",
        "clicks are heard while the loop plays and between two cells, not while a cell blocks",
    ),
    "Voila": (
        "a page without cells: all is run once, when it is opened",
        "a page that blocks the internet lacks Voila's own icons; panels need nothing from it",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """Where output is shown, what works there and what to mind."""

    name: Name
    version: str = ""
    works: tuple[str, ...] = ()
    mind: tuple[str, ...] = ()


def front_end(
    environ: Mapping[str, str] | None = None, modules: Mapping[str, ModuleType] | None = None
) -> FrontEnd:
    """Tell where output is shown.

    Args:
        environ: Environment variables; those of the process by default.
        modules: Loaded modules; those of the process by default.
    """
    environ = os.environ if environ is None else environ
    modules = sys.modules if modules is None else modules
    name = _name(environ, modules)
    rich = name not in {"terminal", "IPython"}
    mind = list(_LIMITS.get(name, ()))
    works = list(_RICH if rich else _TEXT)
    if rich and find_spec("ragnb.panels"):
        if find_spec("anywidget"):
            works.append("live panels")
        else:
            mind.append("live panels need anywidget")
    version = _version({"JupyterLab": "jupyterlab", "Notebook 7": "notebook"}.get(name, ""))
    return FrontEnd(name=name, version=version, works=tuple(works), mind=tuple(mind))


def _name(environ: Mapping[str, str], modules: Mapping[str, ModuleType]) -> Name:
    shell = _shell(modules)
    if "google.colab" in modules:
        return "Colab"
    if shell is None:
        return "terminal"
    if not hasattr(shell, "kernel"):
        return "IPython"
    if environ.get("SERVER_SOFTWARE", "").startswith("voila"):
        return "Voila"
    if "__vsc_ipynb_file__" in getattr(shell, "user_ns", {}):
        return "VS Code"
    return _server()


def _shell(modules: Mapping[str, ModuleType]) -> Any:
    """Return IPython's shell if this process runs in one; IPython is never imported for it."""
    ipython = modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def _server() -> Name:
    """Tell the Jupyter server that started this kernel by its command line, where that is seen."""
    if find_spec("psutil") is None:
        return "Jupyter"
    psutil = importlib.import_module("psutil")
    try:
        parent = psutil.Process().parent()
        command = " ".join(parent.cmdline()) if parent is not None else ""
    except psutil.Error:
        return "Jupyter"
    if "jupyter-notebook" in command or "jupyter notebook" in command:
        return "Notebook 7"
    if "jupyter-lab" in command or "jupyter lab" in command or "jupyterlab" in command:
        return "JupyterLab"
    return "Jupyter"


def _version(distribution: str) -> str:
    from ragnb.diagnosis.parts import installed

    return installed(distribution) if distribution else ""
