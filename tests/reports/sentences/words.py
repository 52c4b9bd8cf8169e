"""Sentences of a run that are neither in a caption nor in the verdict."""

import math

from .rounding import hexadecimal, plural, shown_error
from .run import number
from .tables import computed_cell, computed_of, exact_cell

ULP, OF_BOUND = "ulp: spacing at the exact sum, 0.50 is best", "of bound: share of the proven bound"
NO_DIGIT = "no digit: a relative error of 1 or more"
MORE = "More: -o DIR writes report.html, with all tables"
def legend(run):
    if not run.series:
        return []
    within, bounded = (sum(row.weight for row in run.rows if held(row)) for held in (lambda row: row.zero_is_within, lambda row: row.claims))
    kept = f", which a result of 0 keeps on {within} of {bounded} sums" if within else ""
    return [ULP, OF_BOUND + kept] + ([NO_DIGIT] if any(one.trouble[4] for one in run.series) else [])


def incomplete(run):
    """The first line of a partial run."""
    return [f"Incomplete: {run.measured_cases} of {run.cases} data sets were summed."] if run.measured_cases < run.cases else []


def run_sentence(run):
    measured = sum(any(one.method == method for one in run.series) for method in run.methods)
    specs, entries, sums = sum(map(len, run.specs)), len(run.entries), len(run.rows)
    text = f"{measured} of " if measured < len(run.methods) else ""
    text += f"{len(run.methods)} method{plural(len(run.methods))} on {entries} kind{plural(entries)} of data"
    text += f", {specs} specs in all" if specs != entries else ""
    text += f": {sums} sum{plural(sums)}"
    for index, (backend, device) in enumerate(dict.fromkeys((one.backend, one.device) for one in run.series)):
        text += f"{' and ' if index else ', by '}{backend} on {device}"
    return text + f", seed {run.seed}. Each is compared with the exact sum s."


def kind_of(text):
    value = number(text)
    return "NaN" if math.isnan(value) else "infinite" if math.isinf(value) else "finite"


def worst_lines(run, one):
    """What is said of the worst sum of a method, the command last."""
    row = one.worst
    where = f"{row.data}, trial {row.trial}, repeat {row.repeat}"
    if row.error == 0:
        head = f"every sum is right; one of them on {where}"
    elif math.isnan(row.error):
        head = f"returned {kind_of(row.cells['computed'])}; the exact sum is {kind_of(row.exact)}; on {where}"
    else:
        head = f"{shown_error(row.error)} ulp on {where}"
    is_long = len(row.exact) > 44
    exact = row.exact if not is_long else f"{row.exact[:28]}...{row.exact[-16:]}"
    note = f" (shortened: {len(row.exact)} characters, in full in run.json)" if is_long else ""
    return [head, ("computed ", computed_cell(row), f" = {hexadecimal(computed_of(row))} (bits {row.bits})"),
            ("exact ", exact_cell(row), f" rounded to 17 digits; it is {exact}{note}"), one.command(run)]


def facts_of_study(run):
    facts = [("data sets summed", f"{run.measured_cases} of {run.cases}{': incomplete' if run.measured_cases < run.cases else ''}")]
    facts += [("data", f"{text}, {trials} {'order' if permuted else 'trial'}{plural(trials)}")
              for (text, trials), permuted in zip(run.entries, run.permuted)]
    launches = ", ".join(f"{blocks} block{plural(blocks)} of {threads} thread{plural(threads)}" for blocks, threads in run.launches)
    return facts + [("launch", launches), ("repeats on a device", str(run.repeats))]
