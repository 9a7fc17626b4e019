"""Chat models in the place of rules: any Haystack generator, checked at every turn by code.

Every stage of this package has a stage without a model inside, which does the step where a model
can't; so a run ends with an answer whatever a model does.
"""

__all__: list[str] = []
