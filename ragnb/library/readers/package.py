"""Zip packages, as office files, e-books and archives are: opened with limits on their size."""

import io
import zipfile
from typing import Any, Final

from lxml import etree

from ragnb.errors import LibraryError
from ragnb.library.readers.converted import SkippedError

__all__ = ["MAX_UNPACKED", "Package", "name_of"]

MAX_UNPACKED: Final = 500_000_000
"""Bytes that one package may hold when unpacked."""
_OLE: Final = b"\xd0\xcf\x11\xe0"


class Package:
    """An office file or e-book, part by part.

    Args:
        data: The whole file.

    Raises:
        SkippedError: It is encrypted, or holds more than `MAX_UNPACKED`.
        LibraryError: It is no zip package.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(_OLE):
            locked = "EncryptedPackage".encode("utf-16-le") in data
            raise SkippedError(
                "encrypted: save it without a password"
                if locked
                else "in the old binary Office format: save it in the new one"
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except zipfile.BadZipFile as error:
            raise LibraryError(f"damaged: {error}") from error
        infos = self._zip.infolist()
        if sum(info.file_size for info in infos) > MAX_UNPACKED:
            raise SkippedError(f"larger than {MAX_UNPACKED // 1_000_000} MB when unpacked")
        if any(info.flag_bits & 1 for info in infos):
            raise SkippedError("encrypted: save it without a password")
        self.names = frozenset(info.filename for info in infos)

    def bytes(self, name: str) -> bytes:
        """Return a part; empty where there is none."""
        return self._zip.read(name) if name in self.names else b""

    def xml(self, name: str) -> Any:
        """Return a part as an lxml tree, without entities or network; None where there is none."""
        data = self.bytes(name)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        return etree.fromstring(data, parser) if data.strip() else None


def name_of(element: Any) -> str:
    """Return the name of an XML element without its namespace; empty for comments."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""
