"""Short closed lists: words of one sort, of which a thing has only one at a time."""

import re
from functools import cache
from typing import Final

from ragnb.text.tokens import fold

__all__ = ["list_named", "listed"]

_LISTS: Final = {
    "sport sports game games": """american football|australian rules football|association football
        |football|soccer|basketball|baseball|ice hockey|hockey|golf|tennis|cricket|rugby league
        |rugby union|rugby|boxing|wrestling|swimming|volleyball|handball|athletics|cycling|chess
        |motorsport|racing|rowing|skiing|softball|lacrosse|water polo|badminton|track and field
        |footballer|footballers|cricketer|cricketers|golfer|golfers|boxer|boxers|wrestler|wrestlers
        |swimmer|swimmers|cyclist|cyclists""",
    "party affiliation politics": """democratic|democrat|republican|labour|labor|conservative
        |liberal|green|whig|federalist|socialist|communist|independent|progressive|nationalist
        |libertarian|tory|christian democratic|social democratic""",
    "language languages": """english|french|german|spanish|portuguese|italian|dutch|norwegian
        |swedish|danish|finnish|russian|polish|greek|turkish|arabic|hebrew|persian|hindi|urdu
        |bengali|tamil|telugu|malayalam|kannada|marathi|punjabi|gujarati|assamese|nepali|sinhala
        |chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|indonesian|latin|welsh|irish
        |icelandic|hungarian|czech|romanian|ukrainian|filipino|tagalog|python|java|rust|go|c""",
    "medium format type kind form": """novel|novella|short story|poem|film|movie|documentary
        |television series|tv series|miniseries|album|song|single|extended play|ep|play|musical
        |opera|comic|manga|video game|board game|radio|magazine|newspaper|painting|sculpture
        |university|college|academy|school|museum|company|software|book|podcast|short film""",
    "genre style": """comedy|drama|thriller|horror|romance|western|action|science fiction|fantasy
        |mystery|documentary|short film|crime|adventure|musical|animation|jazz|rock|pop|blues|folk
        |country|hip hop|rap|electronic|classical|metal|punk|soul|reggae|techno|house|indie""",
    "profession occupation job role": """actor|actress|singer|musician|composer|painter|sculptor
        |politician|lawyer|judge|physician|surgeon|engineer|architect|scientist|physicist|chemist
        |biologist|mathematician|historian|economist|philosopher|writer|author|novelist|poet
        |journalist|photographer|director|producer|dancer|model|teacher|professor|soldier|general
        |officer|priest|bishop|businessman|footballer|cricketer|golfer|swimmer|boxer|racing driver
        |guitarist|drummer|rapper|comedian|chef|designer""",
    "severity priority level": """critical|high|medium|low|sev-1|sev-2|sev-3|p0|p1|p2|p3|p4
        |blocker|major|minor""",
    "status state": """open|closed|active|inactive|accepted|rejected|approved|pending|draft|final
        |superseded|deprecated|withdrawn|proposed|resolved|unresolved""",
    "environment stage": "production|staging|development|test|sandbox|preview",
    "day weekday": "monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "frequency often schedule": """hourly|daily|weekly|monthly|quarterly|yearly|annually
        |every day|every week|every month|every year""",
    "colour color": "red|orange|yellow|green|blue|purple|black|white|grey|gray|brown|pink",
}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    found = {}
    for nouns, text in _LISTS.items():
        words = sorted((" ".join(word.split()) for word in text.split("|")), key=len, reverse=True)
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")
        found.update(dict.fromkeys(nouns.split(), pattern))
    return found


def list_named(question: str) -> str:
    """Return the noun of a question that a list belongs to, or an empty string.

    >>> list_named("What sport is Ada Berg associated with?"), list_named("What is the plan?")
    ('sport', '')
    """
    words = re.findall(r"[a-z]+", fold(question))
    return next((word for word in words[:8] if word in _patterns()), "")


def listed(noun: str, text: str) -> list[str]:
    """Return what a text holds of the list of a noun, in the order of the text.

    >>> listed("party", "He left the Labour Party for the Greens.")
    ['labour']
    """
    return _patterns()[noun].findall(fold(text))
