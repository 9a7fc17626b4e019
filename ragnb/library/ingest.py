"""From files and documents to sources and chunks in a store, with a report on each."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from ragnb.errors import InputError, LibraryError, MissingExtraError
from ragnb.library.chunking import Chunking, chunk, structure_of
from ragnb.library.files import Found, Report, Row, Scan
from ragnb.library.metadata import describe
from ragnb.library.readers import Converted, SkippedError
from ragnb.library.source import Source, hash_text
from ragnb.library.store import EmbeddedDocumentStore
from ragnb.library.trust import trust_of

__all__ = ["need_something", "refuse_strangers", "take_documents", "take_files"]

_BATCH: Final = 1000
"""Chunks that are embedded and committed together."""
_READER: Final = 1
"""Grows when readers give other texts: files are then read again."""
_Known = dict[str, tuple[Mapping[str, Any], str]]


def need_something(report: Report) -> None:
    """Refuse a library without any source.

    Raises:
        LibraryError: Of all files or documents none could be read.
    """
    if not report.of("read", "unchanged"):
        raise LibraryError(
            f"Nothing that was given could be read: {report}\n"
            "Give files or documents that hold text."
        )


def refuse_strangers(store: EmbeddedDocumentStore, found: Scan) -> None:
    """Refuse to read a folder into the index of another one.

    Raises:
        LibraryError: All files in the store come from other folders, which are still there.
    """
    origins = (meta.get("origin") or {} for _, meta, _ in store.sources())
    folders = {str(origin["folder"]) for origin in origins if "folder" in origin}
    others = sorted(folder for folder in folders if Path(folder).is_dir())
    if others and str(found.base) not in folders:
        raise LibraryError(
            f"The index holds the files of {others[0]!r}, not of {str(found.base)!r}. Name another "
            "index, or add to this one with Library.open(…).add(…)."
        )


def take_files(
    store: EmbeddedDocumentStore,
    found: Scan,
    chunking: Chunking,
    trust: Mapping[str, float] | None = None,
    *,
    drop: bool = False,
    progress: bool = False,
) -> Report:
    """Read files into a store; those whose text is there already are left alone.

    Args:
        store: Where sources and chunks are kept.
        found: The files.
        chunking: How they are cut; a source that was cut otherwise is cut again.
        drop: Remove the sources of this folder whose files are gone. What can't be opened now is
            not gone.
        progress: Show a progress bar.
        trust: Rules as `trust_of` knows them; without them those of the last time hold.

    Returns:
        One row a file.
    """
    known: _Known = {name: (meta, text_hash) for name, meta, text_hash in store.sources()}
    mine = _own(found, known)
    origins = [meta.get("origin") or {} for meta, _ in known.values()]
    kept = (o["trust"] for o in origins if o.get("folder") == str(found.base) and "trust" in o)
    rules = dict(next(kept, {})) if trust is None else dict(trust)
    batch = _Batch(store, chunking, rules)
    files: Iterable[Found] = found.found
    if progress:
        from tqdm.auto import tqdm

        files = tqdm(files, desc="Reading", unit="file")
    for file in files:
        name = mine.get(file.id) or _free(file.id, found, known)
        origin = _origin(chunking, folder=str(found.base), path=file.id)
        origin |= {"trust": rules} if rules else {}
        try:
            data = file.load()
            origin["bytes"] = hashlib.blake2b(data, digest_size=16).hexdigest()
            if batch.unchanged(name, origin, known.get(name)):
                continue
            made = file.convert(data)
        except (SkippedError, MissingExtraError) as error:
            batch.rows.append(Row(path=file.id, status="skipped", why=str(error)))
            continue
        except LibraryError as error:
            batch.rows.append(Row(path=file.id, status="failed", why=str(error)))
            continue
        batch.add(name, made, {}, origin=origin, path=file.id, old=known.get(name))
    if drop:
        held = {file.id for file in found.found}
        failed = [row.path for row in found.rows if row.status == "failed"]
        for path, name in sorted(mine.items()):
            if path in held or any(path == f or path.startswith(f"{f}/") for f in failed):
                continue
            batch.drop(name)
    batch.commit()
    rows = sorted([*batch.rows, *found.rows], key=lambda row: row.path)
    return Report(rows=tuple(rows), ignored=found.ignored)


def take_documents(
    store: EmbeddedDocumentStore, documents: Iterable[Document], chunking: Chunking
) -> Report:
    """Take Haystack documents as whole sources; their ids become source ids.

    Raises:
        InputError: Something is no Document, or two texts come under one id; nothing is written.
    """
    given: dict[str, Document] = {}
    for document in documents:
        if not isinstance(document, Document):
            raise InputError(f"Expected Haystack Documents; got a {type(document).__name__}.")
        earlier = given.setdefault(document.id, document)
        if earlier.content != document.content:
            raise InputError(
                f"Two documents with different texts have the id {document.id!r}. "
                "Each source needs an id of its own."
            )
    known: _Known = {name: (meta, text_hash) for name, meta, text_hash in store.sources()}
    batch = _Batch(store, chunking)
    for name, document in given.items():
        meta = {key: value for key, value in document.meta.items() if not key.startswith("_")}
        path = str(meta.get("path") or meta.get("file_path") or "")
        origin = {**_origin(chunking), "given": repr(sorted(meta.items()))}
        made = Converted(text=document.content or "")
        batch.add(name, made, meta, origin=origin, path=path, old=known.get(name))
    batch.commit()
    return Report(rows=tuple(batch.rows))


class _Batch:
    """Collects sources and writes them some at a time, each whole."""

    def __init__(
        self,
        store: EmbeddedDocumentStore,
        chunking: Chunking,
        trust: Mapping[str, float] | None = None,
    ) -> None:
        self.trust = trust or {}
        self.store = store
        self.chunking = chunking
        self.rows: list[Row] = []
        self._sources: list[Source] = []
        self._chunks: list[Document] = []
        self._dropped: list[str] = []

    def add(
        self,
        name: str,
        made: Converted,
        given: Mapping[str, Any],
        *,
        origin: dict[str, Any],
        path: str,
        old: tuple[Mapping[str, Any], str] | None,
    ) -> None:
        text, note = made.text, made.note
        origin |= {"note": note} if note else {}
        if not text.strip():
            self.rows.append(Row(path=name, status="skipped", why="holds no text"))
            if old:
                self._dropped.append(name)
            return
        text_hash = hash_text(text)
        if old and old[1] == text_hash and old[0].get("origin") == origin:
            self.rows.append(Row(path=name, status="unchanged", why=note))
            return
        about = describe(
            text, path or name, kind=structure_of(path or name), given=given, file=made.meta
        )
        if (trust := trust_of(path or name, about, self.trust)) is not None:
            about["trust"] = trust
        if made.pages:
            about["pages"] = list(made.pages)
        source = Source(
            id=name,
            text=text,
            title=about["title"],
            hash=text_hash,
            meta={**about, "path": path, "origin": origin},
        )
        chunks = chunk(source, self.chunking)
        self._sources.append(source)
        self._chunks += chunks
        self.rows.append(Row(path=name, status="read", why=note, chunks=len(chunks)))
        if len(self._chunks) >= _BATCH:
            self.commit()

    def unchanged(
        self, name: str, origin: dict[str, Any], old: tuple[Mapping[str, Any], str] | None
    ) -> bool:
        """Say whether a source came from the same bytes in the same way; its row is kept then."""
        kept = dict(old[0].get("origin") or {}) if old else {}
        note = str(kept.pop("note", ""))
        if kept != origin:
            return False
        self.rows.append(Row(path=name, status="unchanged", why=note))
        return True

    def drop(self, name: str) -> None:
        self._dropped.append(name)
        self.rows.append(Row(path=name, status="removed", why="its file is gone"))

    def commit(self) -> None:
        if not (self._sources or self._dropped):
            return
        with self.store.writing():
            for name in self._dropped:
                self.store.drop_source(name)
            for source in self._sources:
                self.store.drop_source(source.id)
                self.store.put_source(source.id, source.text, dict(source.meta), source.hash)
            self.store.write_documents(self._chunks, policy=DuplicatePolicy.OVERWRITE)
        self._sources, self._chunks, self._dropped = [], [], []


def _origin(chunking: Chunking, **where: str) -> dict[str, Any]:
    return {**where, "words": chunking.words, "overlap": chunking.overlap, "reader": _READER}


def _own(found: Scan, known: _Known) -> dict[str, str]:
    """Map the paths of this folder's sources to their ids; a folder that moved is recognised."""
    groups: dict[str, dict[str, str]] = {}
    for name, (meta, _) in known.items():
        origin = meta.get("origin") or {}
        if "folder" in origin:
            groups.setdefault(origin["folder"], {})[origin["path"]] = name
    mine = dict(groups.pop(str(found.base), {}))
    held = {file.id for file in found.found}
    for folder, paths in groups.items():
        if not Path(folder).is_dir() and 2 * len(held & paths.keys()) >= len(paths):
            mine = {**paths, **mine}
    return mine


def _free(path: str, found: Scan, known: _Known) -> str:
    """Name a new source: by its path, below its folder's name where that is taken."""
    name, above = path, found.base
    held = {file.id for file in found.found} - {path} if path in known else set()
    while name in known or name in held:
        name, above = f"{above.name}/{name}", above.parent
    return name
