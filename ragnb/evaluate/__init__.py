"""What runs are measured on."""

from ragnb.evaluate.measures import measures

__all__ = ["measures"]
