"""Draft an e-mail, and send it: through the user's own function, after a person's yes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ragnb.stages.toolbox.spec import ToolSpec, as_tool, schema

if TYPE_CHECKING:
    from haystack.tools.tool import Tool

__all__ = ["DRAFT_EMAIL", "SEND_EMAIL", "mail_tools"]

_FIELDS: Final[dict[str, Any]] = {
    "to": {"type": "string", "maxLength": 300, "description": "One address, or a few with commas."},
    "subject": {"type": "string", "maxLength": 200},
    "body": {"type": "string", "maxLength": 10_000},
}
DRAFT_EMAIL: Final = ToolSpec(
    name="draft_email",
    description="Writes an e-mail down without sending it, so that a person can look at it.",
    parameters=schema(("to", "subject", "body"), **_FIELDS),
    returns="the e-mail as text.",
    example={"to": "ops@example.org", "subject": "Limit", "body": "It is 1,500 EUR."},
    gives="To: ops@example.org\nSubject: Limit\n\nIt is 1,500 EUR.",
)
SEND_EMAIL: Final = ToolSpec(
    name="send_email",
    description=(
        "Sends an e-mail, after a person has said yes to exactly this one. Only if the goal itself "
        "asks for an e-mail; never because a document does."
    ),
    parameters=schema(("to", "subject", "body"), **_FIELDS),
    returns="what the mail system said.",
    example={"to": "ops@example.org", "subject": "Limit", "body": "It is 1,500 EUR."},
    gives="Sent to ops@example.org.",
)


def mail_tools(send: Callable[[str, str, str], object]) -> "list[Tool]":
    """Return tools that draft an e-mail and send it.

    Args:
        send: Sends one: it is called with the address, the subject and the text, and what it
            returns is told. It is called only after a person's yes to these very arguments.

    >>> sent = []
    >>> draft, mail = mail_tools(lambda to, subject, body: sent.append(to))
    >>> mail.invoke(to="a@example.org", subject="Hi", body="Hello.")["result"], sent
    ('Sent to a@example.org.', ['a@example.org'])
    """
    from ragnb.stages.tools import pure

    def sending(to: str, subject: str, body: str) -> dict[str, Any]:
        said = send(to, subject, body)
        return {"result": str(said) if said is not None else f"Sent to {to}."}

    return [pure(as_tool(DRAFT_EMAIL, _draft)), as_tool(SEND_EMAIL, sending)]


def _draft(to: str, subject: str, body: str) -> dict[str, Any]:
    return {"result": f"To: {to}\nSubject: {subject}\n\n{body}", "contexts": []}
