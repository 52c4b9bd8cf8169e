"""Falsehoods: at one place of an output a number is another one, a method another, a word its opposite, or gone."""

import random
import re

OPPOSITES = {"most": "least", "least": "most", "largest": "smallest", "within": "above", "above": "within", "all": "no", "All": "No", "No": "All",
             "below": "above", "exact": "nearly", "is": "was", "others": "more", "only": "first", "cheapest": "dearest", "nearest": "farthest",
             "median": "mean", "from": "to", "to": "from", "next": "last", "correct": "wrong", "fastest": "slowest"}


def visible(name, text):
    """The spans that a reader sees, or a script."""
    if name == "page":
        begin = text.index("<body>")
        for match in re.finditer(r">([^<>]+)<|alt=\"([^\"]*)\"|<data value=\"([^\"]*)\"", text[begin:]):
            group = match.lastindex
            if text[begin + match.start(group) : begin + match.end(group)].strip():
                yield begin + match.start(group), begin + match.end(group)
    elif name == "run.json":
        yield text.index('"reproducibility"'), text.index('"speeds"')
    elif name == "comparison.json":
        begin = text.index('"changed"')
        yield begin, text.index('"facts"', begin)
    elif name == "summary.csv":
        yield text.index("\n"), len(text)
    else:
        yield 0, len(text)


def other_word(word, methods, chance):
    if re.fullmatch(r"\d+", word):
        return word[:-1] + str((int(word[-1]) + 1) % 10)
    if word in methods:
        return chance.choice([one for one in methods if one != word] or ["no/method"])
    return OPPOSITES.get(word, "" if len(word) > 2 else word + "x")


def is_same(text, start, end, word):
    """Two decimals of one number."""
    first, last = start, end
    while first > 0 and text[first - 1] in "0123456789.e+-x":
        first -= 1
    while last < len(text) and text[last] in "0123456789.e+-":
        last += 1
    try:
        return float(text[first:last]) == float(text[first:start] + word + text[end:last])
    except ValueError:
        return False


def falsehoods(name, text, methods, most, seed):
    """At most so many texts with one falsehood each: (what is planted, the text)."""
    chance = random.Random(seed)
    places = []
    for first, last in visible(name, text):
        pattern = r"[a-z_0-9]+/[a-z_0-9]+|\d+|[A-Za-z]+" if name in ("page", "terminal", "markdown") else r"[a-z_0-9]+/[a-z_0-9]+|(?<![0-9a-fx])\d+"
        places += [(match.start(), match.end()) for match in re.finditer(pattern, text[first:last])] if not first else [
            (first + match.start(), first + match.end()) for match in re.finditer(pattern, text[first:last])]
    for start, end in sorted(chance.sample(places, min(most, len(places)))):
        word = text[start:end]
        planted = other_word(word, methods, chance)
        if planted != word and not is_same(text, start, end, planted):
            yield f"{text[max(0, start - 30):start]}[{word} -> {planted}]{text[end:end + 30]}".replace("\n", " "), text[:start] + planted + text[end:]
