"""Trees of additions, as examples/mpi and examples/nccl write them: a rank, or a pair."""


def first_of(tree):
    return tree if isinstance(tree, int) else min(map(first_of, tree))


def ordered(tree):
    """Left and right cannot be seen: the side of the first rank is written first, as `ulpscope tree` writes it."""
    return tree if isinstance(tree, int) else tuple(sorted(map(ordered, tree), key=first_of))


def text_of(tree, outermost=True):
    if isinstance(tree, int):
        return f"x{tree}"
    text = " + ".join(text_of(side, False) for side in tree)
    return text if outermost else f"({text})"


def one_by_one(parts):
    """((a + b) + c) + ..."""
    tree, *others = parts
    for part in others:
        tree = (tree, part)
    return tree
