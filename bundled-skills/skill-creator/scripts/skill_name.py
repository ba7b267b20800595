"""The grammar of a skill's name."""

import re

LONGEST = 64
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def problem_with(name):
    """Return what is wrong with a name, None if nothing is.

    >>> problem_with("Code Review")
    'use lower-case letters, digits and single hyphens only, such as code-review'
    """
    if not 1 <= len(name) <= LONGEST:
        return f"use 1 to {LONGEST} characters"
    if _NAME.fullmatch(name):
        return None
    words = re.findall(r"[a-z0-9]+", name.lower())
    like = f", such as {'-'.join(words)}" if words else ""
    return f"use lower-case letters, digits and single hyphens only{like}"
