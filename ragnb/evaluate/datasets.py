"""Public question sets, read from a local path in the form in which they are given out.

Nothing is downloaded. Each reader gives small frozen records; a `Pool` is a set of documents with
the questions that are asked over all of them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragnb.evaluate.labelled import Disputed, Passage, Pool, Question, Statement
from ragnb.evaluate.raw import expecting, grades_in, json_in, lines_in, list_in, pairs_of
from ragnb.records import content_id

__all__ = ["beir", "hotpotqa", "multihop", "musique", "ramdocs", "squad", "wice"]


def multihop(path: str | Path) -> Pool:
    """Read a multi-hop set, whichever of three forms it has.

    Args:
        path: A folder with ``corpus.jsonl`` and ``questions.jsonl``; or a ``.json`` file of
            HotpotQA or 2WikiMultihopQA; or a ``.jsonl`` file of MuSiQue.

    Raises:
        InputError: Something is missing there, or has another form.
    """
    place = Path(path)
    if place.is_dir():
        return _layout(place)
    return hotpotqa(place) if place.suffix == ".json" else musique(place)


def hotpotqa(path: str | Path) -> Pool:
    """Read HotpotQA or 2WikiMultihopQA: a JSON list of questions with their own paragraphs.

    The paragraphs of all questions become one pool; a passage's id is its title, and of another
    text under the same title that with a hash. Questions of a test split have no answers.

    Raises:
        InputError: The file is missing or has another form.
    """
    passages: dict[str, Passage] = {}
    questions: list[Question] = []
    with expecting(path, "a JSON list of HotpotQA or 2WikiMultihopQA"):
        for row in list_in(path):
            names: dict[str, str] = {}
            for title, sentences in pairs_of(row["context"], "title", "sentences"):
                parts = tuple(str(part) for part in sentences)
                text = " ".join(part.strip() for part in parts)
                same = passages.get(title)
                name = title if same is None or same.text == text else _other(title, text)
                names[title] = name
                passages.setdefault(name, Passage(id=name, title=title, text=text, sentences=parts))
            facts = pairs_of(row.get("supporting_facts", ()), "title", "sent_id")
            needed = tuple((names.get(title, str(title)), int(index)) for title, index in facts)
            questions.append(
                Question(
                    id=str(row.get("_id") or row.get("id")),
                    text=row["question"],
                    answers=(row["answer"],) if "answer" in row else (),
                    kind=str(row.get("type", "")),
                    gold=tuple(dict.fromkeys(name for name, _ in needed)),
                    supporting=needed,
                )
            )
    return Pool(passages=tuple(passages.values()), questions=tuple(questions))


def _other(title: str, text: str) -> str:
    return f"{title} ({content_id(text)})"


def musique(path: str | Path) -> Pool:
    """Read MuSiQue: JSON lines of questions with their own paragraphs.

    The paragraphs of all questions become one pool. Questions marked as not answerable, and those
    of a test split, keep their paragraphs but have no answers.

    Raises:
        InputError: The file is missing or has another form.
    """
    passages: dict[str, Passage] = {}
    questions: list[Question] = []
    with expecting(path, "JSON lines of MuSiQue"):
        for row in lines_in(path):
            gold: list[str] = []
            for part in row["paragraphs"]:
                title, text = part["title"], part["paragraph_text"]
                name = content_id(title, text)
                passages.setdefault(name, Passage(id=name, title=title, text=text))
                if part.get("is_supporting"):
                    gold.append(name)
            open_ = row.get("answerable", True) and "answer" in row
            answers = (row["answer"], *row.get("answer_aliases", ())) if open_ else ()
            hops = len(row.get("question_decomposition", ())) or len(gold)
            questions.append(
                Question(
                    id=row["id"],
                    text=row["question"],
                    answers=answers,
                    kind=f"{hops} hops",
                    gold=tuple(dict.fromkeys(gold)),
                )
            )
    return Pool(passages=tuple(passages.values()), questions=tuple(questions))


def beir(path: str | Path, split: str = "test") -> Pool:
    """Read a folder in BEIR's layout: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/<split>.tsv``.

    A ``qrels.jsonl`` with query_id, doc_id and relevance is read too. Questions without any
    relevant passage are left out.

    Raises:
        InputError: A file is missing or has another form.
    """
    folder = Path(path)
    with expecting(folder, "a folder in BEIR's layout"):
        passages = tuple(_passage(row) for row in lines_in(folder / "corpus.jsonl"))
        grades: dict[str, dict[str, int]] = {}
        for query, passage, grade in grades_in(folder, split):
            if grade > 0:
                grades.setdefault(query, {})[passage] = grade
        questions = tuple(
            Question(
                id=name,
                text=row["text"],
                gold=tuple(grades[name]),
                relevance=grades[name],
            )
            for row in lines_in(folder / "queries.jsonl")
            if (name := str(row.get("_id") or row.get("query_id"))) in grades
        )
    return Pool(passages=passages, questions=questions)


def squad(path: str | Path) -> Pool:
    """Read SQuAD 1.1 or 2.0, or CMRC 2018: contexts with questions whose answers stand in them.

    Of CMRC both published forms are read: SQuAD's, and a list with ``context_text``.

    Raises:
        InputError: The file is missing or has another form.
    """
    passages: list[Passage] = []
    questions: list[Question] = []
    with expecting(path, "JSON of SQuAD or CMRC"):
        for title, part in _contexts(json_in(path)):
            text = part["context_text"] if "context_text" in part else part["context"]
            name = str(part.get("id") or part.get("context_id") or content_id(title, text))
            passages.append(Passage(id=name, title=title, text=text))
            for item in part["qas"]:
                found = dict.fromkeys(_told(each) for each in item.get("answers", ()))
                answers = () if item.get("is_impossible") else tuple(found)
                questions.append(
                    Question(
                        id=str(item["query_id"] if "query_id" in item else item["id"]),
                        text=item["query_text"] if "query_text" in item else item["question"],
                        answers=answers,
                        gold=(name,) if answers else (),
                    )
                )
    return Pool(passages=tuple(passages), questions=tuple(questions))


def _contexts(data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each context of a file with its title."""
    if isinstance(data, list):
        yield from ((str(part.get("title") or ""), part) for part in data)
        return
    for article in data["data"]:
        for part in article["paragraphs"]:
            yield str(part.get("title") or article.get("title") or ""), part


def _told(answer: Any) -> str:
    return answer if isinstance(answer, str) else str(answer["text"])


def ramdocs(path: str | Path) -> Iterator[Disputed]:
    """Read RAMDocs: JSON lines of questions, each with its documents and what they answer.

    Raises:
        InputError: The file is missing or has another form.
    """
    with expecting(path, "JSON lines of RAMDocs"):
        for row in lines_in(path):
            yield Disputed(
                question=row["question"],
                entities=tuple(row.get("disambig_entity", ())),
                passages=tuple(
                    Passage(
                        id=content_id(row["question"], index),
                        text=part["text"],
                        kind=part["type"],
                        answer="" if part["type"] == "noise" else str(part.get("answer", "")),
                    )
                    for index, part in enumerate(row["documents"])
                ),
                right=tuple(row.get("gold_answers", ())),
                wrong=tuple(row.get("wrong_answers", ())),
            )


def wice(path: str | Path) -> Iterator[Statement]:
    """Read WiCE: JSON lines of claims with the sentences of the pages that they cite.

    Raises:
        InputError: The file is missing or has another form.
    """
    with expecting(path, "JSON lines of WiCE"):
        for row in lines_in(path):
            yield Statement(
                claim=row["claim"],
                label=row["label"],
                sentences=tuple(row["evidence"]),
                supporting=tuple(tuple(each) for each in row.get("supporting_sentences", ())),
            )


def _layout(folder: Path) -> Pool:
    with expecting(folder, "a folder with corpus.jsonl and questions.jsonl"):
        return Pool(
            passages=tuple(_passage(row) for row in lines_in(folder / "corpus.jsonl")),
            questions=tuple(
                Question(
                    id=str(row["id"]),
                    text=row["question"],
                    answers=(row["answer"], *row.get("answer_aliases", ())),
                    kind=str(row.get("type") or f"{row.get('hops', 2)} hops"),
                    gold=tuple(dict.fromkeys(row["gold_docs"])),
                    supporting=tuple(
                        (name, index) for name, index in row.get("supporting_sentences", ())
                    ),
                )
                for row in lines_in(folder / "questions.jsonl")
            ),
        )


def _passage(row: dict[str, Any]) -> Passage:
    name = row["_id"] if "_id" in row else row["doc_id"]
    return Passage(
        id=str(name),
        title=str(row.get("title") or ""),
        text=row["text"],
        sentences=tuple(row.get("sentences", ())),
    )
