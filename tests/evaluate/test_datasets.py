import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragnb.errors import InputError
from ragnb.evaluate import datasets


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


HOTPOT = {
    "_id": "q1",
    "question": "Where was the maker of Blue born?",
    "answer": "Oulu",
    "type": "bridge",
    "supporting_facts": [["Blue", 0], ["Aino Laine", 1]],
    "context": [["Blue", ["Blue is by Aino Laine."]], ["Aino Laine", ["She paints.", " In Oulu."]]],
}


def test_hotpotqa_gives_one_pool_with_titles_as_ids(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([HOTPOT, {**HOTPOT, "_id": "q2"}]), encoding="utf-8")
    pool = datasets.multihop(path)
    assert [passage.id for passage in pool.passages] == ["Blue", "Aino Laine"]
    assert pool.passages[1].text == "She paints. In Oulu."
    question = pool.questions[0]
    assert question.gold == ("Blue", "Aino Laine")
    assert question.supporting == (("Blue", 0), ("Aino Laine", 1))
    assert question.answers == ("Oulu",)


def test_two_texts_under_one_title_stay_two_passages_with_their_own_labels(tmp_path: Path) -> None:
    other = {
        **HOTPOT,
        "_id": "q3",
        "context": [["Blue", ["A colour."]], ["Red", ["Another."]]],
        "supporting_facts": [["Blue", 0]],
        "evidences": [["Blue", "kind", "colour"]],
    }
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([HOTPOT, other]), encoding="utf-8")
    pool = datasets.hotpotqa(path)
    texts = {passage.id: passage.text for passage in pool.passages}
    assert [texts[question.gold[0]] for question in pool.questions] == [
        "Blue is by Aino Laine.",
        "A colour.",
    ]


def test_a_test_split_without_answers_is_read(tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    bare = {key: HOTPOT[key] for key in ("_id", "question", "context")}
    path.write_text(json.dumps([bare]), encoding="utf-8")
    assert datasets.hotpotqa(path).questions[0].answers == ()
    part = {"idx": 0, "title": "Rome", "paragraph_text": "Old."}
    row = {"id": "2hop__1", "question": "?", "paragraphs": [part]}
    assert datasets.musique(write(tmp_path / "t.jsonl", [row])).questions[0].answers == ()


def test_the_columns_of_a_converted_hotpotqa_are_read_too(tmp_path: Path) -> None:
    row = {
        "id": "q1",
        "question": "?",
        "answer": "yes",
        "supporting_facts": {"title": ["A"], "sent_id": [0]},
        "context": {"title": ["A"], "sentences": [["One."]]},
    }
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    assert datasets.hotpotqa(path).questions[0].supporting == (("A", 0),)


def test_musique_keeps_paragraphs_of_one_title_apart(tmp_path: Path) -> None:
    parts = [
        {"idx": 0, "title": "Rome", "paragraph_text": "Old.", "is_supporting": True},
        {"idx": 1, "title": "Rome", "paragraph_text": "Big.", "is_supporting": False},
    ]
    row = {"id": "2hop__1", "question": "?", "paragraphs": parts, "answer": "x", "answerable": True}
    rows = [
        {**row, "answer_aliases": ["y"], "question_decomposition": [{}, {}]},
        {**row, "id": "no", "answerable": False},
    ]
    pool = datasets.multihop(write(tmp_path / "dev.jsonl", rows))
    assert len(pool.passages) == 2
    first, second = pool.questions
    assert first.gold == (pool.passages[0].id,)
    assert (first.answers, first.kind) == (("x", "y"), "2 hops")
    assert second.answers == ()


def test_a_folder_of_corpus_and_questions_is_read(tmp_path: Path) -> None:
    write(tmp_path / "corpus.jsonl", [{"doc_id": "p1", "title": "A", "text": "One."}])
    question = {"id": 1, "question": "?", "answer": "x", "gold_docs": ["p1"]}
    write(tmp_path / "questions.jsonl", [{**question, "supporting_sentences": [["p1", 0]]}])
    pool = datasets.multihop(tmp_path)
    assert pool.questions[0].supporting == (("p1", 0),)
    assert pool.passages[0].title == "A"


@pytest.mark.parametrize("table", [True, False])
def test_beir_is_read_with_grades(tmp_path: Path, table: bool) -> None:
    write(tmp_path / "corpus.jsonl", [{"_id": "d1", "title": "", "text": "T"}])
    write(tmp_path / "queries.jsonl", [{"_id": "1", "text": "t"}, {"_id": "2", "text": "u"}])
    if table:
        (tmp_path / "qrels").mkdir()
        lines = "query-id\tcorpus-id\tscore\n1\td1\t2\n2\td1\t0\n"
        (tmp_path / "qrels" / "test.tsv").write_text(lines, encoding="utf-8")
    else:
        write(tmp_path / "qrels.jsonl", [{"query_id": "1", "doc_id": "d1", "relevance": 2}])
    pool = datasets.beir(tmp_path)
    assert [(q.id, q.relevance) for q in pool.questions] == [("1", {"d1": 2})]


def test_squad_and_cmrc_tell_what_cannot_be_answered(tmp_path: Path) -> None:
    items = [
        {"id": "a", "question": "哪里？", "answers": [{"text": "北京", "answer_start": 0}]},
        {"id": "b", "question": "谁？", "answers": [], "is_impossible": True},
    ]
    data = {"data": [{"title": "城", "paragraphs": [{"context": "北京很大。", "qas": items}]}]}
    path = tmp_path / "dev.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    pool = datasets.squad(path)
    assert [question.answers for question in pool.questions] == [("北京",), ()]
    assert pool.questions[0].gold == (pool.passages[0].id,)


def test_the_list_form_of_cmrc_is_read(tmp_path: Path) -> None:
    qas = [{"query_id": "DEV_0_QUERY_0", "query_text": "哪里？", "answers": ["北京", "北京"]}]
    row = {"context_id": "DEV_0", "context_text": "北京很大。", "title": "城", "qas": qas}
    path = tmp_path / "cmrc2018_dev.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    pool = datasets.squad(path)
    assert pool.passages[0].title == "城"
    question = pool.questions[0]
    assert (question.id, question.answers, question.gold) == (
        "DEV_0_QUERY_0",
        ("北京",),
        ("DEV_0",),
    )


def test_disputes_and_statements_are_read(tmp_path: Path) -> None:
    documents = [
        {"text": "It is 3.", "type": "correct", "answer": "3"},
        {"text": "Rain.", "type": "noise", "answer": "unknown"},
    ]
    row = {"question": "?", "documents": documents, "gold_answers": ["3"], "wrong_answers": ["4"]}
    row["disambig_entity"] = ["Broken Bow, Nebraska"]
    (dispute,) = datasets.ramdocs(write(tmp_path / "r.jsonl", [row]))
    assert (dispute.passages[0].kind, dispute.wrong) == ("correct", ("4",))
    assert [passage.answer for passage in dispute.passages] == ["3", ""]
    assert dispute.entities == ("Broken Bow, Nebraska",)
    claim = {"label": "supported", "claim": "c", "evidence": ["a"], "supporting_sentences": [[0]]}
    (statement,) = datasets.wice(write(tmp_path / "w.jsonl", [claim]))
    assert statement.supporting == ((0,),)


@pytest.mark.parametrize("read", [datasets.multihop, datasets.beir, datasets.squad])
def test_what_is_missing_or_has_another_form_is_named(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    with pytest.raises(InputError, match="nowhere"):
        read(tmp_path / "nowhere.json")
    path = tmp_path / "other.json"
    path.write_text('{"data": 3}', encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json"):
        read(path)


def test_an_error_names_the_missing_file_field_or_line(tmp_path: Path) -> None:
    write(tmp_path / "corpus.jsonl", [{"_id": "d1", "title": "", "text": "T"}])
    with pytest.raises(InputError, match=r"qrels.test\.tsv.*BEIR"):
        datasets.beir(tmp_path)
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "t"}\n{"_id":', encoding="utf-8")
    write(tmp_path / "qrels.jsonl", [{"query_id": "1", "doc_id": "d1", "relevance": 2}])
    with pytest.raises(InputError, match="line 2 is no JSON"):
        datasets.beir(tmp_path)
    with pytest.raises(InputError, match="lacks 'paragraphs'"):
        datasets.musique(write(tmp_path / "m.jsonl", [{"id": "1", "question": "?"}]))
    with pytest.raises(InputError, match="lacks 'label'"):
        list(datasets.wice(write(tmp_path / "w.jsonl", [{"claim": "c"}])))
    path = tmp_path / "one.json"
    path.write_text(json.dumps(HOTPOT), encoding="utf-8")
    with pytest.raises(InputError, match="a dict, not a list of objects"):
        datasets.hotpotqa(path)
