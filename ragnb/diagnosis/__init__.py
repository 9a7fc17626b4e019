"""What is here and what is missing: `ragnb.doctor()` and `ragnb doctor`."""

from ragnb.diagnosis.checks import Diagnosis, doctor
from ragnb.diagnosis.frontend import FrontEnd
from ragnb.diagnosis.parts import Part

__all__ = ["Diagnosis", "FrontEnd", "Part", "doctor"]
