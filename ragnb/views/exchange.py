"""What a chat model was sent and what it replied, as it was."""

from collections.abc import Sequence
from typing import Final

from ragnb.records import Exchange
from ragnb.views.look import CONFLICT, GREY, card, details, frame, heading, muted, paragraph, title
from ragnb.views.markup import Html, joined, tag, visible
from ragnb.views.words import count, model_cost, short

__all__ = ["ROLES", "SHOWN", "exchange_html", "exchange_text", "exchanges_parts", "head_of"]

SHOWN: Final = 12
"""Calls that are shown together; the rest is counted."""
_TEXT: Final = 1_500
"""Characters of a message that are shown where calls stand together."""
ROLES: Final = {
    "system": "What it was told",
    "user": "What it was given",
    "assistant": "What it had replied",
    "tool": "What a tool gave",
}
_LEFT_OUT: Final = "The texts were left out when this was saved."
_AS_IT_IS: Final = "white-space:pre-wrap;font-size:12px;font-family:monospace"


def head_of(exchange: Exchange) -> str:
    """Return in a line which prompt was sent to whom, and what it cost."""
    what = f"Prompt {short(exchange.prompt, 60)}" if exchange.prompt else "Messages"
    what += f" ({short(exchange.version, 60)})" if exchange.version else ""
    what += f" to {short(exchange.model, 80)}" if exchange.model else ""
    return f"{what}: {model_cost(exchange.usage)}"


def exchange_html(exchange: Exchange) -> str:
    """Return one call as HTML, whole."""
    head = title(head_of(exchange), above="Model call")
    return frame({"head": head, "body": _body(exchange, 20_000)})


def exchange_text(exchange: Exchange) -> str:
    """Return one call as plain text, whole."""
    lines = [head_of(exchange)]
    for message in exchange.messages:
        lines += [f"-- {ROLES.get(message.role, message.role)}", visible(message.text, 20_000)]
    lines += [] if exchange.messages else [_LEFT_OUT]
    lines += ["-- What it replied", visible(exchange.reply, 20_000) or "(nothing)"]
    lines += [f"-- Not used: {short(exchange.problem, 400)}"] if exchange.problem else []
    return "\n".join(lines)


def exchanges_parts(exchanges: Sequence[Exchange]) -> dict[str, Html]:
    """Return calls one below the other, each folded; nothing where no model was asked."""
    if not exchanges:
        return {}
    parts = {"asked": heading("What the model was asked")}
    for number, exchange in enumerate(exchanges[:SHOWN], start=1):
        parts[f"asked-{number}"] = details(head_of(exchange), _body(exchange, _TEXT))
    if len(exchanges) > SHOWN:
        rest = count(len(exchanges) - SHOWN, "more call")
        parts["asked-more"] = muted(f"and {rest}; run.exchanges holds them all")
    return parts


def _body(exchange: Exchange, limit: int) -> Html:
    said = [_said(ROLES.get(each.role, each.role), each.text, limit) for each in exchange.messages]
    settings = "; ".join(f"{name} {value}" for name, value in exchange.settings)
    sent = paragraph(muted(f"Sent along: {short(settings, 400)}")) if settings else None
    edge = CONFLICT if exchange.problem else GREY
    bad = f"Not used: {short(exchange.problem, 400)}" if exchange.problem else None
    reply = exchange.reply or "(nothing)"
    if not exchange.messages:
        return card(paragraph(muted(_LEFT_OUT)), paragraph(bad) if bad else None, edge=edge)
    answer = [_said("What it replied", reply, limit), paragraph(tag("b", bad)) if bad else None]
    return card(*said, sent, *answer, edge=edge)


def _said(name: str, text: str, limit: int) -> Html:
    body = tag("div", visible(text, limit), style=_AS_IT_IS)
    return joined([paragraph(muted(name)), body])
