"""What an action will do, and what a step came to: one plain sentence each."""

from dataclasses import fields

from ragnb.agent.actions import Action, Edit, Plan
from ragnb.agent.outcomes import Assessed, Found, Hits, Planned
from ragnb.agent.state import State
from ragnb.agent.until import Step
from ragnb.records import Context, PlanStep, Reflection, Routing
from ragnb.views.toolcalls import call_words, proposed_words
from ragnb.views.words import count, evidence_name, question_name, short

__all__ = ["doing", "edited_words", "happened", "served"]

_SCOPES = {
    "chunk": "the passage",
    "window": "the passage and its neighbours",
    "section": "the section",
    "document": "the document",
}
_KINDS = {
    "single": "a question",
    "comparison": "a comparison",
    "data": "data to be looked up or summed up",
    "action": "something to be done",
    "talk": "small talk",
    "outside": "a question from outside the library",
}
_POLICIES = {
    "one_shot": "one shot",
    "evidence": "the evidence loop",
    "plan": "a plan",
    "reply": "a reply without a search",
}
_EDITS = {
    "goal": "the goal",
    "filters": "the filters",
    "questions": "the questions",
    "pending": "the searches to come",
    "budget": "the budget",
    "recalled": "what is remembered",
    "drop_evidence": "dropped quotes",
    "exclude_sources": "excluded sources",
    "waive": "waived gaps",
    "resolve": "settled a conflict",
    "route": "the route",
}


def doing(action: Action, state: State) -> str:  # noqa: C901, PLR0911, PLR0912 - one match over the union
    """Say what an action will do."""
    match action.kind:
        case "route":
            return "Class the goal and choose how to go about it"
        case "plan":
            return _planning(action)
        case "recall":
            return "Look up memories that bear on the goal"
        case "retrieve":
            return f"Search for “{short(action.query.text)}”"
        case "rerank":
            search = state.search(action.query_id)
            hits = count(len(search.hits), "passage") if search else "passages"
            return f"Put {hits} in a better order"
        case "read":
            return f"Read {_SCOPES[action.scope]} in {_where(state, action.id)}"
        case "extract":
            name = question_name(state, action.question_id)
            return f"Look for quotes on {name} in {_where(state, action.context_id)}"
        case "choose":
            return "Choose which tools to use"
        case "approve":
            return f"Ask a person whether {call_words(action.call)} may be used"
        case "use_tool":
            return f"Use {call_words(action.call)}"
        case "assess":
            back = f"Look back at step {short(action.step, 20)} of the plan"
            return back if action.step else "Judge whether the evidence is enough"
        case "synthesize":
            return "Write the answer"
        case "reply":
            return "Reply without a search"
        case "stop":
            return "Stop"
        case "edit":
            return f"Change {edited_words(action)}"


def happened(step: Step) -> str:  # noqa: C901, PLR0911, PLR0912 - one match over the union
    """Say in one sentence what a step came to."""
    value, before, after = step.entry.outcome.value, step.before, step.after
    action = step.entry.action
    match value.kind:
        case "planned":
            return _planned(step, value)
        case "hits":
            return f"{doing(action, before)}: {_hits(value)}."
        case "ranked":
            first = f"; first is now “{_named(value.hits[0])}”" if value.hits else ""
            return f"{doing(action, before)}: {len(value.hits)} kept{first}."
        case "text_read":
            read = f"Read {_SCOPES[value.context.scope]} in “{_title(value.context)}”"
            return f"{read}: {count(len(value.context.text), 'character')}."
        case "found":
            return _found(step, value)
        case "assessed":
            return _assessed(after, value)
        case "answered":
            return _answered(after)
        case "stopped":
            why = after.stop.text if after.stop else ""
            return f"Stopped. {short(why)}".strip()
        case "failed":
            tries = f" after {value.attempts} attempts" if value.attempts > 1 else ""
            return f"{doing(action, before)}: failed{tries}. {short(value.text)}"
        case "refused":
            return f"{doing(action, before)}: refused. {short(value.text)}"
        case "routed":
            return _routed(value.routing)
        case "recalled":
            return f"Recalled {count(len(value.items), 'memory', 'memories')}."
        case "proposed":
            return proposed_words(value)
        case "decided":
            return f"A person said {'yes' if value.allowed else 'no'}: {doing(action, before)}."
        case "tool_done":
            return f"{doing(action, before)}: {short(value.result) or 'done'}{_looked_up(step)}"
        case "edited":
            return f"A person changed {edited_words(action)}."


def served(action: Action, state: State) -> str:
    """Say which question, and which gap of it, an action serves; empty for none."""
    query = getattr(action, "query", None)
    question_id = query.question_id if query else getattr(action, "question_id", "")
    if not question_id:
        return ""
    name = question_name(state, question_id)
    if any(item.question_id == question_id for item in state.open_conflicts):
        return f"{name}, in conflict"
    if any(gap.question_id == question_id for gap in state.open_gaps):
        return f"{name}, still open"
    return name


def _planning(action: Plan) -> str:
    if action.again:
        return "Plan again"
    return "Lay out the steps of a plan" if action.steps else "Split the goal into questions"


def _routed(route: Routing) -> str:
    kind = _KINDS.get(route.kind, f"a goal of kind {short(route.kind, 40)}")
    policy = _POLICIES.get(route.policy, f"the policy {short(route.policy, 40)}")
    return f"Took it as {kind}, for {policy}. {short(route.reason)}".strip()


def _laid_out(step: Step, value: Planned) -> str:
    """Say which steps there are now, or which came anew."""
    known = {each.id for each in step.before.plan_steps}
    new = [each for each in value.steps if each.id not in known]
    told = "; ".join(f"{each.id} {_to_do(each)}" for each in new[:6])
    more = f" and {len(new) - 6} more" if len(new) > 6 else ""
    if not known:
        return f"Laid out {count(len(new), 'step')}: {told}{more}."
    return f"Planned again: {told}{more}." if new else "Planned again; no new step came of it."


def _to_do(each: PlanStep) -> str:
    given = each.arguments.get("query") or each.arguments.get("id") or each.question
    last = f" for each of {short(each.for_each, 20)}" if each.for_each else ""
    return f"{short(each.tool, 40)} “{short(str(given), 90)}”{last}"


def _looked_back(look: Reflection) -> str:
    status = {"done": "done", "failed": "failed", "pending": "not enough yet"}
    how = f"Looked back at step {short(look.step, 20)}: {status.get(look.status, look.status)}."
    new = f" New: {short(look.new, 160)}." if look.new else " Nothing new."
    then = {
        "continue": "Go on.",
        "retry": "Try it again with other arguments.",
        "replan": "Plan again.",
        "finish": "Finish.",
    }
    return f"{how}{new} {then[look.next]} {short(look.reason, 200)}".rstrip()


def _planned(step: Step, value: Planned) -> str:
    if value.steps:
        return _laid_out(step, value)
    searches = count(len(value.queries), "search", "searches")
    if not value.needs_retrieval:
        return "Planned: no document is needed for this."
    if len(value.questions) == 1:
        return f"Planned: the goal stays one question; {searches} to begin with."
    texts = "; ".join(
        f"Q{number} {short(item.text, 120)}" for number, item in enumerate(value.questions[:8], 1)
    )
    return f"Split the goal into {count(len(value.questions), 'question')}: {texts}."


def _hits(value: Hits) -> str:
    if not value.hits:
        return "nothing came back"
    documents = len({hit.source_id for hit in value.hits})
    return f"{count(len(value.hits), 'passage')} from {count(documents, 'document')}"


def _looked_up(step: Step) -> str:
    """Say how many quotes a tool brought by itself."""
    new = len(step.after.evidence) - len(step.before.evidence)
    return f" ({count(new, 'quote')} looked up)" if new > 0 else ""


def _found(step: Step, value: Found) -> str:
    known = {item.id for item in step.before.evidence}
    new = [item for item in step.after.evidence if item.id not in known]
    action = step.entry.action
    context_id = getattr(action, "context_id", "")
    place = f"“{_title(value.context)}”" if value.context else _where(step.after, context_id)
    if not new:
        again = "nothing new" if value.evidence else "nothing that bears on the question"
        return f"Looked through {place}: {again}."
    said = "; ".join(
        f"{evidence_name(step.after, item.id)} “{short(item.in_short, 90)}” ({item.support})"
        for item in new[:4]
    )
    more = f" and {len(new) - 4} more" if len(new) > 4 else ""
    return f"Found {count(len(new), 'quote')} in {place}: {said}{more}."


def _assessed(after: State, value: Assessed) -> str:
    look = after.assessments[-1].reflection if after.assessments else None
    if value.reflection is not None and look is not None:
        return _looked_back(look)
    if value.verdict == "satisfied":
        return "Judged: the evidence is enough."
    if after.open_conflicts:
        item = after.open_conflicts[0]
        sides = {each.id: each.in_short for each in after.evidence}
        first, second = sides.get(item.first, ""), sides.get(item.second, "")
        name = question_name(after, item.question_id)
        return f"Two documents disagree on {name}: “{short(first, 90)}” or “{short(second, 90)}”."
    names = [question_name(after, gap.question_id) for gap in after.open_gaps]
    still = ", ".join(dict.fromkeys(names)) or "something"
    return f"Judged: not enough yet; {still} is still open."


def _answered(after: State) -> str:
    answer = after.answer
    if answer is None:
        return "Wrote an answer; what came after set it aside."
    if answer.text:
        return "Replied without a search."
    parts = [count(len(answer.conclusions), "conclusion")]
    if answer.uncertainties:
        parts.append(count(len(answer.uncertainties), "uncertain statement"))
    if answer.open_questions:
        parts.append(count(len(answer.open_questions), "open question"))
    return f"Wrote the answer: {', '.join(parts)}."


def edited_words(action: Action) -> str:
    """Name what an edit changes."""
    if not isinstance(action, Edit):
        return "the state"
    names = [
        _EDITS.get(item.name, item.name)
        for item in fields(action)
        if item.name not in {"kind", "reason"} and getattr(action, item.name) not in (None, ())
    ]
    return ", ".join(names) or "nothing"


def _title(context: Context) -> str:
    return short(context.title or context.source_id, 100)


def _where(state: State, thing: str) -> str:
    """Name the document of a context, a chunk or a source."""
    for context in state.contexts:
        if thing in {context.id, context.chunk_id, context.source_id}:
            return f"“{_title(context)}”"
    for search in state.searches:
        for hit in (*(search.ranked or ()), *search.hits):
            if thing in {hit.chunk_id, hit.source_id}:
                return f"“{short(hit.title or hit.source_id, 100)}”"
    return f"“{short(thing, 60)}”"


def _named(hit: object) -> str:
    return short(getattr(hit, "title", "") or getattr(hit, "source_id", ""), 100)
