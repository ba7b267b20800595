"""Replace text that a word processor has cut into several runs.

Works on lxml elements with a `.text` (`w:t`, `a:t`), so pictures, breaks and
fields between them are never touched.
"""


def replace_across(elements, old, new):
    """Replace every `old` in the joined text of `elements`; return how many.

    `elements` are the text elements of one unbroken stretch. The replacement
    takes the style of the run in which the found text starts.
    """
    if not old:
        return 0
    found = 0
    searched_to = 0
    while True:
        texts = [element.text or "" for element in elements]
        at = "".join(texts).find(old, searched_to)
        if at < 0:
            return found
        _put(elements, texts, at, at + len(old), new)
        searched_to = at + len(new)
        found += 1


def _put(elements, texts, start, end, new):
    position = 0
    placed = False
    for element, text in zip(elements, texts):
        first, last = position, position + len(text)
        position = last
        if last <= start or first >= end:
            continue
        head = text[: max(start - first, 0)]
        tail = text[max(min(end - first, len(text)), 0):]
        element.text = head + ("" if placed else new) + tail
        placed = True
