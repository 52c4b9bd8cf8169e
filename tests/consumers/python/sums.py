"""A project's own sums: one that is sound, and two that somebody broke."""


def pairwise(x):
    if len(x) <= 8:
        total = type(x[0])(0)
        for number in x:
            total += number
        return total
    return pairwise(x[: len(x) // 2]) + pairwise(x[len(x) // 2 :])


def without_the_last(x):
    return pairwise(x[:-1])


def with_the_last_twice(x):
    return pairwise(x) + x[-1]
