"""Views: pure functions from a record, a state or a run to text, Markdown or HTML."""

__all__: list[str] = []
