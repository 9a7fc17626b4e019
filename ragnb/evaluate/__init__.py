"""What runs are measured on, and where they lose what they need."""

from ragnb.evaluate.attribution import Attribution, attribution
from ragnb.evaluate.attributions import Attributions, attributions
from ragnb.evaluate.measures import definitions, measures
from ragnb.evaluate.needs import Need, needs_of
from ragnb.evaluate.tables import means, table

__all__ = [
    "Attribution",
    "Attributions",
    "Need",
    "attribution",
    "attributions",
    "definitions",
    "means",
    "measures",
    "needs_of",
    "table",
]
