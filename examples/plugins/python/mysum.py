"""Two sums of numbers: in a loop, and with the errors of its additions beside it (Neumaier)."""

import ulpscope


@ulpscope.method(arrays="list", format="binary64", deterministic=True)
def loop(x):
    total = 0.0
    for number in x:
        total += number
    return total


@ulpscope.method(arrays="list", format="binary64", deterministic=True)
def neumaier(x):
    total = excess = 0.0
    for number in x:
        added = total + number
        excess += (total - added) + number if abs(total) >= abs(number) else (number - added) + total
        total = added
    return total + excess
