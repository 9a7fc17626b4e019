"""The errors that ragnb raises; each says what was given, what was expected and what to do."""

__all__ = ["InputError", "LibraryError", "MissingExtraError", "RagnbError", "TraceError"]


class RagnbError(Exception):
    """Whatever ragnb raises on purpose is one of these."""


class InputError(RagnbError, ValueError):
    """An argument that can't be used; nothing was changed."""


class LibraryError(RagnbError):
    """An index or its documents can't be read or written."""


class TraceError(RagnbError):
    """A saved run can't be read."""


class MissingExtraError(RagnbError, ImportError):
    """A feature needs a package that is not installed.

    Args:
        feature: What was asked for, in words.
        package: The distribution that it needs.
        extra: The extra of ragnb that brings it.
    """

    def __init__(self, feature: str, package: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs {package}, which is not installed. "
            f'Install it with: pip install "ragnb[{extra}]"'
        )
