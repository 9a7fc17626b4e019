"""What holds for every test: no property is judged by how busy the machine is.

Properties are drawn alike each time, so that a commit passes or fails by itself;
`RAGNB_RANDOM=1 pytest` draws them anew.
"""

import os

from hypothesis import settings

settings.register_profile("ragnb", deadline=None, derandomize=not os.environ.get("RAGNB_RANDOM"))
settings.load_profile("ragnb")
