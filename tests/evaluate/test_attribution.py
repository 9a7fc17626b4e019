from collections.abc import Iterator
from typing import Any

import pytest
from haystack import Document
from hypothesis import given, settings
from hypothesis import strategies as st

import ragnb
from ragnb import demo
from ragnb.agent.actions import Rerank, Retrieve, Stop
from ragnb.agent.policies import OneShot, Scripted
from ragnb.errors import InputError
from ragnb.evaluate import Need, attribution, attributions, needs_of
from ragnb.evaluate.example import example
from ragnb.evaluate.following import KEPT, STAGES
from ragnb.evaluate.labelled import Passage, Pool, Question
from ragnb.records import StopReason

ASKED = "How long are exports kept?"
TEXTS = {
    "exports": "Exports are kept for 30 days.",
    "menu": "On Mondays there is soup.",
    "archive": "Old exports go to the archive. Who needs exports from there, writes to Ada.",
    "rooms": "The blue room holds eight people.",
}
SPAN = Need(source="exports", quote="kept for 30 days")
END = Stop(why=StopReason(code="no_better_action", text="The list of actions is at its end."))


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    documents = [Document(id=name, content=text) for name, text in TEXTS.items()]
    with ragnb.Library.from_documents(documents) as made:
        yield made


def scripted(library: ragnb.Library, *actions: Any) -> ragnb.Run:
    return ragnb.Agent(library, policy=Scripted(actions=(*actions, END))).ask(ASKED)


def search(text: str, **fields: Any) -> Retrieve:
    return Retrieve(query=ragnb.Query.of(text, ragnb.SubQuestion.of(ASKED).id, **fields))


def stage(run: ragnb.Run, need: Need = SPAN, **options: Any) -> str:
    (fate,) = attribution(run, [need], **options).fates
    assert fate.detail.endswith(".")
    return fate.stage


def test_what_a_conclusion_quotes_is_kept(library: ragnb.Library) -> None:
    found = attribution(ragnb.Agent(library).ask(ASKED), [SPAN], library=library)
    assert (found.stage, found.lost, found.answered) == (KEPT, (), True)


def test_without_a_query_that_shares_a_word_it_was_never_queried(library: ragnb.Library) -> None:
    assert stage(scripted(library)) == "never queried"
    other = search("who cooks", channels=("bm25",))
    assert stage(scripted(library, other)) == "never queried"
    assert stage(scripted(library, search("kept", channels=("bm25",)))) == "not read"


def test_a_query_whose_hits_lack_it_did_not_retrieve_it(library: ragnb.Library) -> None:
    elsewhere = {"field": "meta.source_id", "operator": "==", "value": "archive"}
    assert stage(scripted(library, search("exports", filters=elsewhere))) == "not retrieved"


def test_a_hit_that_reranking_cut_off_is_lost_there() -> None:
    many = [Document(id=f"part-{n}", content=f"Exports of kind {n} are kept.") for n in range(9)]
    with ragnb.Library.from_documents(many) as library:
        query = search("exports kept")
        run = scripted(library, query, Rerank(query_id=query.query.id))
        kept = [hit.source_id for hit in run.state.searches[0].ranked or ()]
        cut = {hit.source_id for hit in run.state.searches[0].hits}.difference(kept)
    assert {stage(run, Need(source=name)) for name in cut} == {"lost in rerank"}
    assert {stage(run, Need(source=name)) for name in kept} == {"not read"}


def test_a_hit_that_the_policy_did_not_look_into_is_not_read(library: ragnb.Library) -> None:
    agent = ragnb.Agent(library, policy=OneShot(chunks=1))
    run = agent.ask("Who gives out exports from the archive?")
    assert stage(run) == "not read"


def test_what_was_looked_through_in_vain_is_not_extracted(library: ragnb.Library) -> None:
    run = ragnb.Agent(library).ask(ASKED)
    assert stage(run, Need(source="menu", quote="there is soup")) == "not extracted"


def test_what_was_due_when_a_limit_ended_the_run_was_stopped_too_early(
    library: ragnb.Library,
) -> None:
    agent = ragnb.Agent(library, budget=ragnb.Budget(steps=4))
    run = agent.ask(ASKED)
    assert run.state.stop is not None
    assert run.state.stop.code == "budget_steps"
    assert stage(run) == "stopped too early"


def test_a_run_that_goes_on_has_not_lost_anything_for_good(library: ragnb.Library) -> None:
    loop = ragnb.Agent(library).start(ASKED)
    run = loop.run(until=lambda step: bool(step.after.searches and step.after.searches[0].hits))
    assert stage(run) == "stopped too early"
    assert "goes on" in attribution(run, [SPAN]).fates[0].detail


def test_a_guess_is_left_out_of_the_conclusions_and_belongs_there() -> None:
    guess = Document(id="exports", content="Exports are probably kept for 30 days.")
    with ragnb.Library.from_documents([guess]) as library:
        run = ragnb.Agent(library).ask(ASKED)
    assert stage(run) == "left out"
    assert stage(run, doubtful=True) == KEPT


def test_a_firm_conclusion_where_the_documents_leave_it_open_is_overstated(
    library: ragnb.Library,
) -> None:
    run = ragnb.Agent(library).ask(ASKED)
    assert stage(run, doubtful=True) == "overstated"
    nothing = attribution(run, [])
    assert (nothing.stage, len(nothing.overstated)) == ("overstated", 1)


def test_any_way_will_do_and_the_furthest_counts(library: ragnb.Library) -> None:
    run = ragnb.Agent(library).ask(ASKED)
    menu = Need(source="menu", quote="there is soup")
    assert stage(run, Need(source="menu", quote="there is soup", instead=(SPAN,))) == KEPT
    assert stage(run, Need(source="nowhere", instead=(menu,))) == "not extracted"


def test_a_copy_of_what_is_quoted_counts_as_quoted() -> None:
    twice = [Document(id=name, content=TEXTS["exports"]) for name in ("here", "there")]
    with ragnb.Library.from_documents(twice) as library:
        run = ragnb.Agent(library).ask(ASKED)
    assert {stage(run, Need(source=name, quote="30 days")) for name in ("here", "there")} == {KEPT}


def test_a_copy_of_evidence_counts_as_found_before_there_is_an_answer() -> None:
    twice = [Document(id=name, content=TEXTS["exports"]) for name in ("here", "there")]
    with ragnb.Library.from_documents(twice) as library:
        run = ragnb.Agent(library).start(ASKED).run(lambda step: bool(step.after.assessments))
    assert len(run.evidence) == 1
    found = {stage(run, Need(source=name, quote="30 days")) for name in ("here", "there")}
    assert found == {"left out"}


def test_with_the_library_a_hit_counts_for_the_passage_that_it_is() -> None:
    parts = [f"# Part {n}\n\n" + f"Room {n} holds {n} people. " * 60 for n in range(9)]
    parts.append("# Roof\n\n" + "Nobody may go up there. " * 60)
    manual = Document(id="manual", content="\n\n".join(parts))
    roof = Need(source="manual", quote="Nobody may go up there")
    with ragnb.Library.from_documents([manual]) as library:
        run = scripted(library, search("room that nobody needs", channels=("bm25",)))
        assert stage(run, roof) == "not read"
        elsewhere = {"field": "meta.section", "operator": "!=", "value": "Roof"}
        run = scripted(library, search("room nobody", channels=("bm25",), filters=elsewhere))
        assert stage(run, roof) == "not read"
        assert stage(run, roof, library=library) == "not retrieved"
        with pytest.raises(InputError, match="doesn't hold 'Room 99'"):
            attribution(run, [Need(source="manual", quote="Room 99")], library=library)
        with pytest.raises(InputError, match="no source or chunk 'gone'"):
            attribution(run, [Need(source="gone")], library=library)


def test_only_a_run_and_attributions_are_taken(library: ragnb.Library) -> None:
    with pytest.raises(InputError, match="expected a Run"):
        attribution(ragnb.Agent(library).start(ASKED), [SPAN])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="attribution"):
        attributions([example()])  # type: ignore[list-item]


slices = st.tuples(st.integers(0, 57), st.integers(1, 58)).filter(lambda pair: pair[0] < pair[1])
needs = st.builds(
    lambda source, cut: Need(
        source=source,
        quote="Exports are kept for 30 days. The data board meets in May."[slice(*cut)],
    ),
    st.sampled_from(["exports", "elsewhere"]),
    slices,
)


@settings(max_examples=60, deadline=None)
@given(need=needs, other=needs, doubtful=st.booleans())
def test_another_way_never_brings_a_need_less_far(
    need: Need, other: Need, *, doubtful: bool
) -> None:
    order = (*STAGES, KEPT)
    alone = attribution(example(), [need])
    both = attribution(example(), [Need(source=need.source, quote=need.quote, instead=(other,))])
    assert order.index(both.fates[0].stage) >= order.index(alone.fates[0].stage)
    either = attribution(example(), [need], doubtful=doubtful)
    assert (either.stage == KEPT) == (not either.lost and not either.overstated)


def test_many_runs_are_counted_by_stage_and_listed_by_need(library: ragnb.Library) -> None:
    run = ragnb.Agent(library).ask(ASKED)
    menu = Need(source="menu", quote="there is soup")
    found = attributions({"kept": attribution(run, [SPAN]), "lost": attribution(run, [SPAN, menu])})
    counts = {each.stage: (each.needs, each.runs, each.satisfied) for each in found.stages()}
    assert counts[KEPT] == (2, 1, 1)
    assert counts["not extracted"] == (1, 1, 1)
    assert sum(runs for _, runs, _ in counts.values()) == 2
    frame = found.to_dataframe()
    assert list(frame["stage"]) == [KEPT, KEPT, "not extracted"]
    assert set(frame["run_stage"]) == {KEPT, "not extracted"}


def test_attributions_show_themselves_and_escape_what_they_show(library: ragnb.Library) -> None:
    run = ragnb.Agent(library).ask("<script>How long</script> are exports kept?")
    one = attribution(run, [SPAN, Need(source="menu", quote="<b>soup</b>")])
    shown = [*one._repr_mimebundle_().values(), *attributions([one])._repr_mimebundle_().values()]
    assert "not extracted" in shown[0] or "not read" in shown[0]
    assert all("<script>" not in html and "<b>soup" not in html for html in shown[1::2])
    assert "Where the misses are lost" in shown[3]
    measured = ragnb.measures(run)._repr_mimebundle_()
    assert "claims among the conclusions" in measured["text/html"]


def test_labelled_questions_say_what_they_need() -> None:
    question = next(each for each in demo.questions() if each.kind == "multi_hop")
    found = needs_of(question)
    assert {need.source for need in found} == set(question.sources)
    assert all(need.quote for need in found)
    pool = Pool(
        passages=(
            Passage(id="a", text="One. Two.", sentences=("One.", " Two.")),
            Passage(id="b", text="C"),
        ),
        questions=(),
    )
    asked = Question(id="1", text="?", gold=("a", "b"), supporting=(("a", 1), ("a", 9)))
    assert needs_of(asked, pool) == (Need(source="a", quote="Two."), Need(source="b"))
    assert needs_of(asked) == (Need(source="a"), Need(source="b"))
