"""What can be read from text by rule: words, sentences, cues, values and likeness."""

from ragnb.text.chinese import query_terms
from ragnb.text.cues import hedge, is_chinese, negated, question_kind, status
from ragnb.text.dates import same_date
from ragnb.text.hedged import holds_back
from ragnb.text.keywords import PLACEHOLDER, keywords
from ragnb.text.sentences import sentences
from ragnb.text.shortening import short_for_models
from ragnb.text.similarity import near_duplicate, overlap, same_facts
from ragnb.text.tokens import CJK, STOP, Token, fold, terms, tokens
from ragnb.text.values import Kind, Value, names, values

__all__ = [
    "CJK",
    "PLACEHOLDER",
    "STOP",
    "Kind",
    "Token",
    "Value",
    "fold",
    "hedge",
    "holds_back",
    "is_chinese",
    "keywords",
    "names",
    "near_duplicate",
    "negated",
    "overlap",
    "query_terms",
    "question_kind",
    "same_date",
    "same_facts",
    "sentences",
    "short_for_models",
    "status",
    "terms",
    "tokens",
    "values",
]
