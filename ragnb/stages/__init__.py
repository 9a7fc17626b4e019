"""The stages that carry actions out, each a Haystack component that needs no model."""

from ragnb.stages.assess import Assessor
from ragnb.stages.choose import Chooser
from ragnb.stages.extract import Extractor
from ragnb.stages.plan import Planner
from ragnb.stages.read import Reader
from ragnb.stages.reflect import Reflector
from ragnb.stages.reply import Replier
from ragnb.stages.rerank import Reranker
from ragnb.stages.retrieve import Retriever
from ragnb.stages.routes import Router
from ragnb.stages.steps import StepPlanner
from ragnb.stages.synthesize import Synthesizer, compose
from ragnb.stages.toolbox import library_tools, mail_tools
from ragnb.stages.tools import ToolRunner, pure

__all__ = [
    "Assessor",
    "Chooser",
    "Extractor",
    "Planner",
    "Reader",
    "Reflector",
    "Replier",
    "Reranker",
    "Retriever",
    "Router",
    "StepPlanner",
    "Synthesizer",
    "ToolRunner",
    "compose",
    "library_tools",
    "mail_tools",
    "pure",
]
