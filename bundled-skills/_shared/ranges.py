"""Page and slide ranges as people write them: `1-3,7,10-`."""

import re

from .cli import Refusal

_PART = re.compile(r"(\d+)(?:(-)(\d*))?|-(\d+)")


def parse_ranges(text, count):
    """Return zero-based positions in the order written.

    `3`, `2-4`, `8-` (to the end), `-2` (from the start) and `4-2` (backwards)
    are understood; `count` is the number of pages that exist.

    >>> parse_ranges("3,1-2", 5)
    [2, 0, 1]
    """
    positions = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise Refusal(f"not a range: {part.strip()!r}; write for example 1-3,7,10-")
        first, dash, last, until = match.groups()
        start = int(first) if first else 1
        end = int(until or last or (count if dash else first))
        for number in (start, end):
            if not 1 <= number <= count:
                raise Refusal(f"{number} is out of range: there are {count}")
        step = 1 if end >= start else -1
        positions.extend(range(start - 1, end - 1 + step, step))
    return positions
